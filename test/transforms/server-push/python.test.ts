import { beforeAll, describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/core/index.js';
import { calledName, loadParser, parse } from '../../../src/languages/python/index.js';
import { nodesOf } from '../../../transforms/_mcp/python/nodes.js';
import { besideOf } from '../../../transforms/server-push/py/beside.js';
import { questionOf } from '../../../transforms/server-push/py/resolve.js';

const HEAD =
  'from mcp.server.mcpserver import Context, MCPServer\nfrom pydantic import BaseModel\nmcp = MCPServer("plots")\nclass Answer(BaseModel):\n    sure: bool\n';
const TOOL = '@mcp.tool()\nasync def give(plot: str, ctx: Context) -> str:\n';

function read(text: string) {
  const { file } = parse('plots.py', text);
  if (!file) throw new Error('the text does not parse');
  return file;
}

/** The text with the first question turned into a parameter; `undefined` when that is not proved. */
function resolved(body: string, tool = TOOL, head = HEAD, asking = /^elicit$/): string | undefined {
  const file = read(head + tool + body);
  const call = nodesOf(file, 'call').find((node) => asking.test(calledName(node, file) ?? ''));
  const question = call && questionOf(call, file);
  return (
    question &&
    applyEdits(
      file.text,
      [...question.edits].sort((a, b) => a.start - b.start),
    ).slice(head.length)
  );
}

beforeAll(loadParser);

describe('questions of Python tools', () => {
  it('become a parameter, and the rest of the body stays', () => {
    expect(resolved('    answer = await ctx.elicit(f"Give {plot}?", schema=Answer)\n    # as before\n    return answer.action\n')).toBe(
      'async def ask_give(plot: str) -> Elicit[Answer]:\n    return Elicit(f"Give {plot}?", Answer)\n\n\n' +
        '@mcp.tool()\nasync def give(plot: str, answer: Annotated[ElicitationResult[Answer], Resolve(ask_give)]) -> str:\n    # as before\n    return answer.action\n',
    );
  });

  it('leave the context where it is used for something else', () => {
    expect(resolved('    answer = await ctx.elicit("Sure?", Answer)\n    await ctx.info("asked")\n    return answer.action\n')).toContain(
      'async def give(plot: str, ctx: Context, answer: Annotated[ElicitationResult[Answer], Resolve(ask_give)]) -> str:\n    await ctx.info("asked")\n',
    );
  });

  it.each([
    ['something runs before it', '    count()\n    answer = await ctx.elicit("Sure?", schema=Answer)\n    return answer.action\n'],
    ['it is asked in a branch', '    if plot:\n        answer = await ctx.elicit("Sure?", schema=Answer)\n        return answer.action\n    return ""\n'],
    ['its text is computed', '    answer = await ctx.elicit(f"Sure at {now()}?", schema=Answer)\n    return answer.action\n'],
    ['its text is made of a name of the module', '    answer = await ctx.elicit(f"Sure, {mcp}?", schema=Answer)\n    return answer.action\n'],
    [
      'another question follows',
      '    answer = await ctx.elicit("Sure?", schema=Answer)\n    again = await ctx.elicit("Really?", schema=Answer)\n    return again.action\n',
    ],
    ['the answer is set again', '    answer = await ctx.elicit("Sure?", schema=Answer)\n    answer = None\n    return str(answer)\n'],
    ['the answer is not kept', '    await ctx.elicit("Sure?", schema=Answer)\n    return ""\n'],
    ['nothing follows', '    answer = await ctx.elicit("Sure?", schema=Answer)\n'],
    ['the model is not one of the module', '    answer = await ctx.elicit("Sure?", schema=model())\n    return answer.action\n'],
    ['it is given options that are not known', '    answer = await ctx.elicit("Sure?", schema=Answer, **more)\n    return answer.action\n'],
  ])('stay where %s', (_name, body) => {
    expect(resolved(body)).toBeUndefined();
  });

  const BODY = '    answer = await ctx.elicit("Sure?", schema=Answer)\n    return answer.action\n';
  it.each([
    ['the tool is a method', 'class Plots:\n  @mcp.tool()\n  async def give(self, plot: str, ctx: Context) -> str:\n', BODY],
    ['there is another decorator', '@audited()\n@mcp.tool()\nasync def give(plot: str, ctx: Context) -> str:\n', BODY],
    ['there is a decorator without a call', '@mcp.tool()\n@members_only\nasync def give(plot: str, ctx: Context) -> str:\n', BODY],
    ['the context has a default', '@mcp.tool()\nasync def give(plot: str, ctx: Context = None) -> str:\n', BODY],
    ['a parameter before it has one', '@mcp.tool()\nasync def give(plot: str = "7", *, ctx: Context) -> str:\n', BODY],
    ['it is no tool', '@mcp.prompt()\nasync def give(plot: str, ctx: Context) -> str:\n', BODY],
    ['the context is one of another library', '@mcp.tool()\nasync def give(plot: str, ctx: Typer) -> str:\n', BODY],
    ['the name of the new function is taken', `def ask_give():\n    pass\n${TOOL}`, BODY],
  ])('stay where %s', (_name, tool, body) => {
    expect(resolved(body, tool)).toBeUndefined();
  });
});

describe('questions to the model and for the roots', () => {
  const MODEL_HEAD = `${HEAD}from mcp.types import SamplingMessage, TextContent\n`;
  const SAMPLE = 'reply = await ctx.session.create_message([SamplingMessage(role="user", content=TextContent(type="text", text=wish))], max_tokens=9)\n';
  const asked = (body: string, tool = TOOL): string | undefined => resolved(body, tool, MODEL_HEAD, /^(?:create_message|list_roots)$/);

  it('take with them what is made of the arguments in front of them', () => {
    expect(asked(`    wish = f"A label for {plot}"\n    ${SAMPLE}    return reply.content.text\n`)).toBe(
      'async def ask_give(plot: str) -> Sample:\n    wish = f"A label for {plot}"\n' +
        '    return Sample([SamplingMessage(role="user", content=TextContent(type="text", text=wish))], max_tokens=9)\n\n\n' +
        '@mcp.tool()\nasync def give(plot: str, reply: Annotated[CreateMessageResult, Resolve(ask_give)]) -> str:\n    return reply.content.text\n',
    );
  });

  it('leave in the body what the body reads as well', () => {
    expect(asked(`    wish = plot\n    ${SAMPLE}    return wish + reply.content.text\n`)).toContain(' -> str:\n    wish = plot\n    return wish + reply');
  });

  it('are asked through the context of the request under any of its names', () => {
    expect(asked('    roots = await ctx.request_context.session.list_roots()\n    return str(roots)\n')).toContain(
      'roots: Annotated[ListRootsResult, Resolve(ask_give)]',
    );
  });

  it.each([
    ['something in front has an effect', `    wish = note(plot)\n    ${SAMPLE}    return wish\n`],
    ['what is in front is set again', `    wish = plot\n    wish = "x"\n    ${SAMPLE}    return wish\n`],
    ['a branch stands in front', `    wish = plot\n    if not plot:\n        return ""\n    ${SAMPLE}    return wish\n`],
    ['two names are set at once', `    wish = other = plot\n    ${SAMPLE}    return other\n`],
    ['tools go with it', `    wish = plot\n    ${SAMPLE.replace('max_tokens=9', 'max_tokens=9, tools=[]')}    return wish\n`],
    ['a comment would be lost', `    wish = (\n        plot  # of the guest\n    )\n    ${SAMPLE}    return reply.content.text\n`],
  ])('stay where %s', (_name, body) => {
    expect(asked(body)).toBeUndefined();
  });

  it('stay in a server that a function builds, when annotations are kept as text', () => {
    const nested = 'def build():\n  @mcp.tool()\n  async def give(plot: str, ctx: Context) -> str:\n';
    const body = '    roots = await ctx.session.list_roots()\n    return str(roots)\n';
    expect(resolved(body, nested, MODEL_HEAD, /^list_roots$/)).toContain('  async def ask_give() -> ListRoots:\n    return ListRoots()\n\n  @mcp.tool()\n');
    expect(resolved(body, nested, `from __future__ import annotations\n${MODEL_HEAD}`, /^list_roots$/)).toBeUndefined();
  });
});

describe('notifications of Python servers', () => {
  function beside(body: string, tool = TOOL): string | undefined {
    const file = read(HEAD + tool + body);
    const call = nodesOf(file, 'call').find((node) => (calledName(node, file) ?? '').startsWith('send_'));
    const found = call && besideOf(call, file);
    return found?.state === 'told' ? 'told' : found?.edits[0] && applyEdits(file.text, found.edits).slice(HEAD.length + tool.length);
  }

  it('are told to the modern era beside the old one, with the same arguments', () => {
    expect(beside('    await ctx.session.send_resource_updated("plot://7")  # for everybody\n    return plot\n')).toBe(
      '    await ctx.session.send_resource_updated("plot://7")  # for everybody\n    await ctx.notify_resource_updated("plot://7")\n    return plot\n',
    );
  });

  it('go to the bus of the server where no context of the SDK is at hand', () => {
    const file = read(`${HEAD}async def grow(kept):\n    await kept.send_resource_updated(uri)\n`);
    const call = nodesOf(file, 'call').find((node) => calledName(node, file) === 'send_resource_updated');
    const found = call && besideOf(call, file);
    expect(found && applyEdits(file.text, found.edits)).toBe(
      HEAD.replace('mcp = MCPServer("plots")', 'subscription_bus = InMemorySubscriptionBus()\nmcp = MCPServer("plots", subscriptions=subscription_bus)') +
        'async def grow(kept):\n    await kept.send_resource_updated(uri)\n    await subscription_bus.publish(ResourceUpdated(uri=str(uri)))\n',
    );
    expect(found?.names.map(({ name }) => name)).toEqual(['ResourceUpdated', 'InMemorySubscriptionBus']);
  });

  it.each([
    ['two servers stand in the file', 'mcp = MCPServer("plots")\nother = MCPServer("beds")\n'],
    ['the server is built inside of a function', 'def build():\n    mcp = MCPServer("plots")\n    return mcp\n'],
    ['its options are not known', 'mcp = MCPServer("plots", **options)\n'],
    ['the name of the bus is taken', 'subscription_bus = 1\nmcp = MCPServer("plots")\n'],
    ['its bus has no name', 'mcp = MCPServer("plots", subscriptions=bus())\n'],
  ])('do not go to a bus where %s', (_name, servers) => {
    const file = read(`from mcp.server.mcpserver import MCPServer\n${servers}async def grow(kept):\n    await kept.send_tool_list_changed()\n`);
    const call = nodesOf(file, 'call').find((node) => calledName(node, file) === 'send_tool_list_changed');
    expect(call && besideOf(call, file)).toBeUndefined();
  });

  it('are not told twice', () => {
    expect(beside('    await ctx.notify_tools_changed()\n    await ctx.session.send_tool_list_changed()\n')).toBe('told');
  });

  it.each([
    ['the result is used', '    done = await ctx.session.send_tool_list_changed()\n'],
    ['it shares its line', '    plot = ""; await ctx.session.send_tool_list_changed()\n'],
    ['something follows on its line', '    await ctx.session.send_tool_list_changed(); plot = ""\n'],
    ['a loop goes over the sessions', '    for each in kept:\n        await each.send_tool_list_changed()\n'],
    ['a branch asks for a session', '    if kept is not None:\n        await kept.send_tool_list_changed()\n'],
    ['a branch asks who subscribed', '    if plot in watched:\n        await kept.send_tool_list_changed()\n'],
  ])('stay where %s', (_name, body) => {
    expect(beside(body)).toBeUndefined();
  });
});
