import {
  argumentsOf,
  calledName,
  constantOf,
  enclosingFunction,
  importedNames,
  originsOf,
  type PyNode,
  type PythonFile,
} from '../../../src/languages/python/index.js';
import { decoratorMethods, nodesOf } from '../../_mcp/python/nodes.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import { isErrorClass } from './messages.js';
import type { Scene } from './scene.js';

/** Codes that SDK v1 raised itself, and what SDK v2 gives for the same failure. */
const CODES: Readonly<Record<number, string>> = {
  408: '`REQUEST_TIMEOUT` (-32001)',
  32600: '-32600 with the message `Session terminated`',
  [-32002]: '-32602 with `data.uri`',
};
/** What a cancelled request is answered with, where it is answered. Source: `streamable_http.py` of 2.3.0; 1.28.1 gives code 0. */
const CANCELLED = -32800;
/** The standalone framework keeps the name for the class of SDK v2: catching it goes on to work, building it does not. */
const BY_FRAMEWORK = 'fastmcp.exceptions.McpError';
const OF_FRAMEWORK = '`McpError` through `fastmcp`, which keeps the name';
const HTTP_ERRORS = /^httpx\.(?:HTTPStatusError|ConnectError|HTTPError|ConnectTimeout|ReadTimeout|TimeoutException|RequestError|NetworkError)$/;

/** The error class of SDK v1, codes that changed, and HTTP errors that no longer come through. */
export function detectErrors(scene: Scene): void {
  const { file, say } = scene;
  for (const call of nodesOf(file, 'call'))
    if (isErrorClass(call.get('function'), scene))
      say('error-class', call.get('function') ?? call, {
        form: isInTool(call, scene) ? '`McpError(…)` in a tool, whose text the model no longer reads' : '`McpError(…)`',
      });
  for (const imported of importedNames(file))
    if (`${imported.module}.${imported.name}` === BY_FRAMEWORK) say('error-class', imported.node, { form: OF_FRAMEWORK }, { impact: 'tidies' });
  for (const type of nodesOf(file, 'type')) if (isErrorClass(type.children[0], scene)) say('error-class', type, { form: 'an annotation' });
  for (const clause of nodesOf(file, 'except_clause')) {
    const caught = clause.get('value');
    const classes = caught?.kind === 'as_pattern' ? caught.children[0] : caught;
    for (const each of classes?.kind === 'tuple' ? classes.children : classes ? [classes] : []) {
      if (isErrorClass(each, scene)) say('error-class', each, { form: '`except McpError`' });
      else if (originsOf(each, file).some(({ path }) => path === BY_FRAMEWORK)) say('error-class', each, { form: OF_FRAMEWORK }, { impact: 'tidies' });
      else detectHttp(clause, each, scene);
    }
  }
  for (const definition of nodesOf(file, 'class_definition'))
    for (const base of argumentsOf(definition, file).positional) if (isErrorClass(base, scene)) say('error-class', base, { form: 'a subclass of it' });
  for (const comparison of nodesOf(file, 'comparison_operator')) detectCode(comparison, scene);
  for (const call of nodesOf(file, 'call')) {
    const method = calledName(call, file);
    if (method !== 'raises' && method !== 'isinstance' && method !== 'assertRaises' && method !== 'issubclass') continue;
    for (const argument of argumentsOf(call, file).positional)
      for (const each of argument.kind === 'tuple' ? argument.children : [argument])
        if (isErrorClass(each, scene)) say('error-class', each, { form: `\`${method}(…)\`` });
  }
}

/** Raised in a tool, where SDK v1 made a result of it and v2 makes a protocol error. */
function isInTool(node: PyNode, { file }: Scene): boolean {
  const fn = enclosingFunction(node);
  return fn !== undefined && decoratorMethods(fn, file).some(({ method }) => method === 'tool' || method === 'call_tool');
}

/** An HTTP error that is caught around a call of a client session or of its transport. */
function detectHttp(clause: PyNode, caught: PyNode, scene: Scene): void {
  const { file, say } = scene;
  const name = originsOf(caught, file).find(({ path }) => HTTP_ERRORS.test(path))?.path;
  const body = clause.parent?.get('body');
  if (name === undefined || !body) return;
  const speaks = nodesOf(file, 'call').some((call) => call.start >= body.start && call.end <= body.end && isConversation(call, file));
  if (speaks) say('http-error', caught, { name });
}

/** Connects, or asks a session something. A result that is built is none: servers build them beside the HTTP calls of their own. */
const isConversation = (call: PyNode, file: PythonFile): boolean =>
  sdkTypesOf(call, file).some(({ name }) =>
    name.startsWith('mcp.types.')
      ? call.parent?.kind === 'await' && call.get('function')?.kind === 'attribute'
      : name === 'mcp.ClientSession' || name === 'enter',
  );

function detectCode(comparison: PyNode, scene: Scene): void {
  const { file, relation, say } = scene;
  const [left, right] = comparison.children;
  if (!left || !right || !/^(?:==|!=|in|not in|is)$/.test(comparison.words[0] ?? '')) return;
  const sides = [left, right] as const;
  for (const [value, other] of [sides, [right, left] as const]) {
    const codes = value.kind === 'list' || value.kind === 'tuple' || value.kind === 'set' ? value.children : [value];
    for (const each of codes) {
      const code =
        constantOf(each, file) ??
        (/(?:^|\.)REQUEST_TIMEOUT$/.test(file.textOf(each)) && originsOf(each, file).some(({ path }) => path.startsWith('httpx.codes')) ? 408 : undefined);
      if (typeof code !== 'number') continue;
      if (code === CANCELLED && (caughtError(other, scene) || (relation.sdk && file.textOf(other).endsWith('.error.code')))) {
        say(
          'changed-behaviour',
          comparison,
          {
            form: 'This comparison',
            detail: 'waits for the answer to a cancelled request: SDK v2 sends one (-32800) over HTTP of earlier revisions only',
            advice: 'Take a request as cancelled when the cancellation is sent.',
          },
          { certainty: 'likely' },
        );
        return;
      }
      const target = CODES[code];
      if (target === undefined) continue;
      const text = file.textOf(other);
      const inHandler = caughtError(other, scene);
      const errorish = /\berror(?:_?data)?\b(?:\.|\[['"])?code|\berr(?:or)?_?code\b|\[['"]error['"]\]\[['"]code['"]\]|\.error\.code\b|SESSION_TERMINATED/i.test(
        text,
      );
      const terminated = code === 32600 && relation.sdk && /code$/i.test(text);
      if (inHandler || terminated || (errorish && (code === -32002 ? relation.sdk || /\["error"\]|\['error'\]/.test(text) : relation.sdk || code === 32600))) {
        say('error-code', comparison, { code, target }, { certainty: inHandler ? 'certain' : 'possible' });
        return;
      }
    }
  }
}

/** `e.error.code` of a caught `McpError`. */
function caughtError(node: PyNode, { file }: Scene): boolean {
  let at: PyNode | undefined = node;
  while (at?.kind === 'attribute') at = at.get('object');
  return (
    at?.kind === 'identifier' &&
    at !== node &&
    sdkTypesOf(at, file).some(({ name }) => name === 'mcp.shared.exceptions.McpError') &&
    enclosingFunction(node) !== null
  );
}
