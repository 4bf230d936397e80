import { ts } from 'ts-morph';
import { moduleRequests, type TypeScriptFile } from '../../../../src/languages/typescript/index.js';

/** Where a shim of this tool goes: beside the file that uses it, in its language and module system. */
export interface ShimPlace {
  readonly path: string;
  readonly typescript: boolean;
  readonly commonjs: boolean;
}

/** @param stem file name without extension */
export function shimPlace(file: TypeScriptFile, stem: string): ShimPlace {
  const folder = file.path.includes('/') ? `${file.path.slice(0, file.path.lastIndexOf('/'))}/` : '';
  const extension = (/\.([cm]?[jt])sx?$/.exec(file.path)?.[1] ?? 't') + 's';
  const typescript = !file.isJavaScript;
  return { path: `${folder}${stem}.${extension}`, typescript, commonjs: !typescript && usesRequire(file) };
}

/** Does a JavaScript file load its modules with `require`? */
export function usesRequire(file: TypeScriptFile): boolean {
  if (file.path.endsWith('.cjs')) return true;
  if (file.path.endsWith('.mjs')) return false;
  const esm = file.tree.statements.some(
    (statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) || ts.isExportAssignment(statement),
  );
  return !esm && moduleRequests(file).some(({ form }) => form === 'require');
}
