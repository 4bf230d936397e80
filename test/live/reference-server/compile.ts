import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

let compiled: string | undefined;

/** Path of an entry as plain JavaScript, transpiled once per process: a loader would take longer than the server. */
export function compiledEntry(name: 'stdio-main' | 'http-main' = 'stdio-main'): string {
  if (compiled !== undefined) return join(compiled, `${name}.js`);
  const here = fileURLToPath(new URL('.', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'unsession-reference-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const file of readdirSync(here).filter((name) => name.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(join(here, file), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
    });
    writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), outputText);
  }
  compiled = folder;
  return join(folder, `${name}.js`);
}
