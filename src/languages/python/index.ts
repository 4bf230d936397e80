export { PythonFile } from './file.js';
export type { PythonVisitors } from './visitors.js';
export type { Style } from './style.js';
export { above, eachNode, PyNode } from './node.js';
export { parse } from './parse.js';
export { loadParser } from './parser.js';
export { walk } from './walk.js';
export type { CallArguments, KeywordArgument, Parameter } from './expressions.js';
export {
  argumentsOf,
  calledName,
  callOf,
  classOfMethod,
  decoratorsOf,
  enclosingClass,
  enclosingFunction,
  isFunction,
  outcomesOf,
  parametersOf,
  statementOf,
  unwrap,
} from './expressions.js';
export type { Binding, BindingHow, Bindings, BindingSite, Scope } from './scope/model.js';
export type { Constant } from './constants.js';
export { constantOf, contentSpan, stringValue } from './constants.js';
export type { ImportedName, ImportGuard } from './provenance/imports.js';
export { guardOf, importedNames, otherArms } from './provenance/imports.js';
export type { Origin } from './provenance/origin.js';
export { importedAt, originOf, originsOf } from './provenance/origin.js';
export { assignedValue, valueAt } from './provenance/values.js';
export { dependencies, resolveModule, resolvePath } from './resolve.js';
export type { PyType, TypeFacts } from './flow/type.js';
export { parseType, typeText } from './flow/type.js';
export { inferenceOf, typesOf } from './flow/index.js';
export { classAt, functionAt, ownClass } from './flow/infer.js';
export type { Attribute, AttributePlace } from './flow/attributes.js';
export { attributesOf } from './flow/attributes.js';
export { classRef, functionRef, symbolOfBinding } from './symbols/names.js';
export { symbolOf } from './symbols/follow.js';
export type { Edge } from './symbols/edges.js';
export { calls } from './symbols/edges.js';
export type { WantedImport } from './imports/edit.js';
export { editImports, importCleanup, importEdits } from './imports/edit.js';
export { syntaxProblem, unresolvedNames } from './proof/faults.js';
export { python } from './support.js';
