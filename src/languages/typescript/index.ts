export { TypeScriptFile } from './file.js';
export type { TypeScriptVisitors } from './visitors.js';
export { parse, scriptKindOf } from './parse.js';
export { eachNode, walk } from './walk.js';
export type { Style } from './style.js';
export type { Bindings, Declaration, DeclarationKind, Scope } from './scope/bind.js';
export type { FunctionNode, ImportBinding, ModuleRequest, Origin } from './pending.js';
export {
  calls,
  constantOf,
  declarationOf,
  enclosingFunction,
  functionRef,
  importBindings,
  importEdits,
  instanceOrigin,
  isWrite,
  moduleRequests,
  originOf,
  rebindImports,
  referencesOf,
  resolveSpecifier,
  runJscodeshift,
  scratchProject,
  symbolOf,
  symbolOfDeclaration,
  tokenDiff,
} from './pending.js';
export { typescript } from './support.js';
