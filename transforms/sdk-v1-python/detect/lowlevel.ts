import type { Site } from '../../../src/core/index.js';
import { argumentsOf, calledName, enclosingFunction, originsOf, outcomesOf, type PyNode } from '../../../src/languages/python/index.js';
import { decoratorMethods, lastNameOf, nodesOf, receiverOf } from '../../_mcp/python/nodes.js';
import { isSdkName } from '../../_mcp/python/paths.js';
import { sdkTypesOf } from '../../_mcp/python/types.js';
import { LOW_LEVEL_DECORATORS } from '../decorators.js';
import type { Scene } from './scene.js';

const SERVER = 'mcp.server.Server';
const HANDSHAKE: ReadonlySet<string> = new Set(['create_initialization_options', 'get_capabilities']);
const NAMED = /(?:^|_)(?:server|app|mcp)$/i;

/** In lines; a handler with more of them has its own reader. */
const SHOWN = 8;

/** What the decorator of SDK v1 did for a handler: it wrapped what is returned, and made answers of exceptions. */
function outcomes(definition: PyNode, file: Scene['file']): readonly Site[] {
  const returned = outcomesOf(definition, 'return_statement').map((value) => file.site(value, 'is no longer wrapped into a result'));
  const body = definition.get('body');
  const raised = nodesOf(file, 'raise_statement')
    .filter((node) => body !== undefined && body.start <= node.start && node.end <= body.end && enclosingFunction(node) === definition)
    .map((node) => file.site(node, 'no longer reaches the model as text'));
  return [...returned, ...raised].slice(0, SHOWN);
}

/** Is an object a low-level server, as far as this file shows? */
function isLowLevel(node: PyNode, { file, relation }: Scene, guess: boolean): 'certain' | 'likely' | undefined {
  const types = sdkTypesOf(node, file);
  const own = types.find(({ name }) => name.startsWith('@'))?.name.slice(1);
  const definition = own === undefined ? undefined : file.bindings.root.names.get(own)?.sites.find(({ how }) => how === 'class')?.node;
  const derived =
    definition !== undefined &&
    argumentsOf(definition, file).positional.some((base) => isSdkName(base.kind === 'subscript' ? base.get('value') : base, file, SERVER));
  if (types.some(({ name }) => name === SERVER) || derived || /(?:_mcp_server|_lowlevel_server)$/.test(file.textOf(node))) return 'certain';
  if (types.length > 0 || !guess) return undefined;
  if (originsOf(node, file).some(({ path }) => /^(?:fastmcp|starlette|fastapi|uvicorn)\b/.test(path))) return undefined;
  return relation.sdk && NAMED.test(lastNameOf(node, file) ?? '') ? 'likely' : undefined;
}

/** The low-level server: construction, registration, handler table, handshake, subclasses. */
export function detectLowLevel(scene: Scene): void {
  const { file, say } = scene;
  for (const call of nodesOf(file, 'call')) detectCall(call, scene);
  for (const definition of nodesOf(file, 'function_definition')) {
    for (const { node, method, receiver, called } of decoratorMethods(definition, file)) {
      if (!called || !receiver || !LOW_LEVEL_DECORATORS.has(method)) continue;
      const sure = isLowLevel(receiver, scene, true);
      const other = method === 'completion' && sdkTypesOf(receiver, file).some(({ name }) => name.endsWith('FastMCP'));
      if (sure && !other) say('lowlevel-registration', node, { call: method }, { certainty: sure, related: outcomes(definition, file) });
    }
  }
  for (const definition of nodesOf(file, 'class_definition')) {
    for (const base of argumentsOf(definition, file).positional) {
      const target = base.kind === 'subscript' ? base.get('value') : base;
      if (isSdkName(target, file, SERVER))
        say('lowlevel-server', base, { use: 'a class derives from it', advice: 'Move what it overrides to `Server.middleware`.' }, { impact: 'breaks' });
      else if (isSdkName(target, file, 'mcp.server.session.ServerSession')) say('session-subclass', base, { name: 'ServerSession' });
      else if (isSdkName(target, file, 'mcp.server.fastmcp.Context')) say('session-subclass', base, { name: 'Context' });
      else if (isSdkName(target, file, 'mcp.ClientSession')) say('session-subclass', base, { name: 'ClientSession' });
    }
  }
  for (const node of nodesOf(file, 'attribute')) detectTable(node, scene);
}

function detectTable(node: PyNode, scene: Scene): void {
  const { file, relation, say } = scene;
  const object = node.get('object');
  const name = file.textOf(node.get('attribute') ?? node);
  if (!object || (name !== 'request_handlers' && name !== 'notification_handlers' && name !== '_tool_cache')) return;
  if (name === '_tool_cache' && isLowLevel(object, scene, false) === undefined) return;
  if (relation.sdk || relation.framework || isLowLevel(object, scene, true))
    say('handler-table', node, { name }, { certainty: isLowLevel(object, scene, false) ?? 'likely' });
}

function detectCall(call: PyNode, scene: Scene): void {
  const { file, relation, say } = scene;
  const callee = call.get('function');
  const method = calledName(call, file);
  const target = callee?.kind === 'subscript' ? callee.get('value') : callee;
  if (callee && isSdkName(target, file, SERVER)) {
    const positional = argumentsOf(call, file).positional;
    say('lowlevel-server', callee, { use: 'builds one', advice: 'Register its handlers in the form of SDK v2.' });
    if (positional[1]) say('positional-argument', positional[1], { names: 'more than the name of the server' });
    return;
  }
  if (callee && isSdkName(callee, file, 'mcp.server.models.InitializationOptions', 'mcp.server.InitializationOptions'))
    return say('handshake-options', callee, { call: 'InitializationOptions(…)' });
  const receiver = receiverOf(call);
  if (!receiver || method === undefined) return;
  const args = argumentsOf(call, file);
  if (HANDSHAKE.has(method) && (relation.sdk || relation.framework)) {
    const sure = isLowLevel(receiver, scene, true);
    if (sure || method === 'create_initialization_options') say('handshake-options', callee ?? call, { call: `${method}()` }, { certainty: sure ?? 'likely' });
  } else if (method === 'run' && (args.positional.length >= 2 || args.keyword('initialization_options'))) {
    const sure = isLowLevel(receiver, scene, true);
    if (!sure) return;
    const stateless = args.keyword('stateless');
    say('handshake-options', callee ?? call, { call: 'run(…)' }, { certainty: sure });
    if (stateless) say('removed-name', stateless.node, { name: 'stateless=', advice: 'Drop it: whether there are sessions is a property of the transport.' });
  }
}
