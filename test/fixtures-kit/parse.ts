import { parseTree } from 'jsonc-parser';
import { ts } from 'ts-morph';
import { isSource } from './tree.js';
import type { ParseError } from 'jsonc-parser';
import type { Tree } from './tree.js';

/** Syntax faults of all files of a tree, one line each. */
export function syntaxFaults(tree: Tree): readonly string[] {
  const faults: string[] = [];
  for (const [path, text] of tree) {
    if (isSource(path)) {
      const { diagnostics = [] } = ts.transpileModule(text, {
        fileName: path,
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext },
      });
      faults.push(...diagnostics.map((fault) => `${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`));
    } else if (path.endsWith('.json')) {
      const errors: ParseError[] = [];
      parseTree(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: path.endsWith('tsconfig.json') });
      faults.push(...errors.map(({ offset }) => `${path}: not JSON at offset ${offset}`));
    }
  }
  return faults;
}
