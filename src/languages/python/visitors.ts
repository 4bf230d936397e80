import type { PythonFile } from './file.js';
import type { PyNode } from './node.js';

/** Rules of the grammar that a listener can name. */
export type PythonKind =
  | 'assert_statement'
  | 'assignment'
  | 'attribute'
  | 'augmented_assignment'
  | 'await'
  | 'binary_operator'
  | 'boolean_operator'
  | 'call'
  | 'case_clause'
  | 'class_definition'
  | 'comparison_operator'
  | 'concatenated_string'
  | 'conditional_expression'
  | 'decorated_definition'
  | 'decorator'
  | 'delete_statement'
  | 'dictionary'
  | 'except_clause'
  | 'expression_statement'
  | 'for_in_clause'
  | 'for_statement'
  | 'function_definition'
  | 'future_import_statement'
  | 'generic_type'
  | 'identifier'
  | 'if_statement'
  | 'import_from_statement'
  | 'import_statement'
  | 'integer'
  | 'interpolation'
  | 'keyword_argument'
  | 'lambda'
  | 'list'
  | 'named_expression'
  | 'pair'
  | 'raise_statement'
  | 'return_statement'
  | 'set'
  | 'string'
  | 'subscript'
  | 'try_statement'
  | 'tuple'
  | 'type'
  | 'unary_operator'
  | 'while_statement'
  | 'with_item'
  | 'with_statement'
  | 'yield';

/** Listeners by the name of the grammar rule: `call: (node) => …`. */
export type PythonVisitors = Readonly<Partial<Record<PythonKind, (node: PyNode) => void>>>;

declare module '../../core/concern.js' {
  interface Languages {
    python: { file: PythonFile; visitors: PythonVisitors };
  }
}
