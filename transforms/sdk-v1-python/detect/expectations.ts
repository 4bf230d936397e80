import { argumentsOf, calledName, constantOf, decoratorsOf, eachNode, enclosingFunction, type PyNode } from '../../../src/languages/python/index.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import type { Scene } from './scene.js';

/** A transport of the SDK for HTTP, by the name that it has on both majors; modules that are loaded by a string keep it. */
const TRANSPORT = /(?:^|\.)streamable_?http_client$/;
/** The reason of an expected failure speaks of the transport or of the SDK. */
const SPEAKS = /\b(?:two|three|2|3) (?:items?|values?|streams?)\b|\bunpack|\btuple\b|\bmcp\b[^.]*\b(?:v?1\.|sdk)/i;

/** What tests pin of SDK v1 without naming anything that moved: the number of streams, failures that are cured, tools that are refused. */
export function detectExpectations(scene: Scene): void {
  const { file } = scene;
  const isTest = /(?:^|\/)(?:tests?|testing)\/|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/.test(file.path);
  if (!isTest) return;
  for (const assertion of nodesOf(file, 'assert_statement')) {
    countedStreams(assertion, scene);
    listedTools(assertion, scene);
  }
  for (const definition of nodesOf(file, 'function_definition')) strictFailure(definition, scene);
}

/** Names of variables that a transport was entered as, whole. */
function enteredWhole(fn: PyNode, file: Scene['file']): boolean {
  let found = false;
  eachNode(fn, (node) => {
    if (node.kind !== 'with_item') return undefined;
    const pattern = node.get('value');
    const call = pattern?.kind === 'as_pattern' ? pattern.children[0] : undefined;
    const alias = pattern?.kind === 'as_pattern' ? pattern.get('alias')?.children[0] : undefined;
    const callee = call?.kind === 'call' ? call.get('function') : undefined;
    if (!callee || alias?.kind !== 'identifier') return undefined;
    const binding = callee.kind === 'identifier' ? file.bindings.of(callee) : undefined;
    const made = binding?.sites.map(({ node: site }) => site.get('right')).find((value) => value !== undefined);
    if (TRANSPORT.test(file.textOf(callee)) || (made && TRANSPORT.test(file.textOf(made)))) found = true;
    return undefined;
  });
  return found;
}

/** `assert shape() == [False, False, True]`, `assert len(link) == 3` where a transport is entered as one name. */
function countedStreams(assertion: PyNode, { file, say }: Scene): void {
  const comparison = assertion.children[0];
  if (comparison?.kind !== 'comparison_operator') return;
  const three = comparison.children.some(
    (side) =>
      ((side.kind === 'list' || side.kind === 'tuple') && side.children.length === 3) ||
      (constantOf(side, file) === 3 && /\blen\(/.test(file.textOf(comparison))),
  );
  const fn = enclosingFunction(assertion);
  if (!three || !fn || !enteredWhole(fn, file)) return;
  say(
    'client-transport',
    comparison,
    {
      form: 'expects three values of it',
      detail: 'SDK v2 gives two streams; the third value, which told the session id, is gone.',
      advice: 'Expect two values.',
      expected: true,
    },
    { certainty: 'possible' },
  );
}

/** Tools that a peer lists, by the literals of an assertion; `judge` keeps those that a schema of the repository makes SDK v2 refuse. */
function listedTools(assertion: PyNode, { file, say }: Scene): void {
  const comparison = assertion.children[0];
  const fn = enclosingFunction(assertion);
  if (comparison?.kind !== 'comparison_operator' || !fn || !/\blist_tools\(/.test(file.textOf(fn))) return;
  for (const side of comparison.children) {
    const names = side.kind === 'list' || side.kind === 'set' || side.kind === 'tuple' ? side.children : [side];
    for (const name of names) {
      const tool = constantOf(name, file);
      if (typeof tool !== 'string') continue;
      say(
        'changed-behaviour',
        comparison,
        {
          form: `The expectation that \`${tool}\` is listed`,
          detail: 'fails on SDK v2, which refuses the whole list for a schema without a type',
          advice: 'Mend the schema where it is in your hands; else expect the error, and write it down as a finding about that server.',
          tool,
        },
        { certainty: 'likely' },
      );
    }
  }
}

/** A strict expected failure that the new major cures fails the run. */
function strictFailure(definition: PyNode, { file, say }: Scene): void {
  for (const call of decoratorsOf(definition)) {
    if (call.kind !== 'call' || calledName(call, file) !== 'xfail') continue;
    const args = argumentsOf(call, file);
    const reason = args.keyword('reason')?.value;
    const text = reason && constantOf(reason, file);
    if (file.textOf(args.keyword('strict')?.value ?? call) !== 'True' || typeof text !== 'string' || !SPEAKS.test(text)) continue;
    if (!/\bstreamable_?http|\bmcp\b/i.test(file.text)) continue;
    say(
      'changed-behaviour',
      call,
      {
        form: 'A strict expected failure',
        detail: 'whose reason is about SDK v1 fails the run once SDK v2 cures it',
        advice: 'Take the mark away together with the migration.',
      },
      { certainty: 'possible' },
    );
  }
}
