import jscodeshift from 'jscodeshift';
import { ts } from 'ts-morph';
import { describe, expect, it } from 'vitest';
import { eachNode, typescript } from '../../../src/languages/typescript/index.js';
import codemod from '../../../transforms/session-error-status/codemod.js';
import { statesAt } from '../../../transforms/session-error-status/states.js';

/** Who reaches `stop()`: `-` without an id, `?` with an unknown one, `+` with a known one; capital `I` for opening requests. */
function reaching(body: string): string {
  const { file } = typescript.parse(
    'server.ts',
    `import { isInitializeRequest } from '@modelcontextprotocol/server';
const live = new Map<string, object>();
declare function stop(): void;
export function handle(req: any) {
  const id = req.get('mcp-session-id');
  ${body}
}`,
  );
  if (file === undefined) throw new Error('does not parse');
  let at: ts.Node | undefined;
  eachNode(file.tree, (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'stop') at = node;
  });
  if (at === undefined) throw new Error('no stop()');
  return statesAt(at, file, () => false)
    .states.map(({ hasId, known, opens }) => (hasId ? (known ? '+' : '?') : '-') + (opens ? 'I' : ''))
    .join(' ');
}

describe('who reaches a reply', () => {
  it.each([
    ['if (!id) stop();', '- -I'],
    ['if (!id || !live.has(id)) stop();', '- -I ? ?I'],
    ['if (id && live.has(id)) return; stop();', '- -I ? ?I'],
    ['if (id && live.has(id)) { } else if (!id && isInitializeRequest(req.body)) { } else { stop(); }', '- ? ?I'],
    ['if (!id) return; if (!live.has(id)) stop();', '? ?I'],
    ['const t = id ? live.get(id) : undefined; if (!t) stop();', '- -I ? ?I'],
    ['const t = live.get(id); if (t === undefined) stop();', '- -I ? ?I'],
    ['let t = id ? live.get(id) : undefined; if (!t && !id && isInitializeRequest(req.body)) t = {}; if (!t) stop();', '- -I ? ?I'],
    ['if (live.has(id)) { if (req.body.other) stop(); }', '+ +I'],
    ['if (id || !isInitializeRequest(req.body)) stop();', '- ? ?I + +I'],
    ['if (typeof id !== "string") stop();', '- -I'],
    ['if (!req.body) stop();', '- -I ? ?I + +I'],
  ])('%s', (body, states) => {
    expect(reaching(body)).toBe(states);
  });
});

describe('the codemod alone', () => {
  const j = jscodeshift.withParser('ts');
  const run = (source: string): string | undefined =>
    codemod({ path: 'server.ts', source }, { j, jscodeshift: j, stats: () => undefined, report: () => undefined }, {});

  it('splits the reply to missing and unknown ids', () => {
    const result = run(
      "function onPost(req, res) {\n  const id = req.headers['mcp-session-id'];\n  if (!id || !open[id]) {\n    return res.status(400).json({ error: { code: -32000, message: 'No session' } });\n  }\n}\n",
    );
    expect(result).toContain('return res.status(404).json(');
    expect(result).toContain('-32001');
    expect(result).toContain('res.status(400).json(');
    expect(result).toContain("message: 'No session'");
  });

  it('changes nothing else', () => {
    expect(run("function onPost(req, res) {\n  const id = req.headers['x-cart'];\n  if (!id || !open[id]) res.status(400).end();\n}\n")).toBeUndefined();
  });
});
