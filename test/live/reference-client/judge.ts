import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { VerifyReport } from '../../../src/core/index.js';
import { runChecks, type VerifyOptions } from '../../../src/verify/index.js';
import { checks } from '../../../transforms/_checks/index.js';

let compiled: string | undefined;

/** Path of the client as plain JavaScript, transpiled once per process. */
function compiledClient(): string {
  if (compiled !== undefined) return compiled;
  const here = fileURLToPath(new URL('.', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'unsession-client-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const file of ['main.ts', 'connect.ts', 'session.ts', 'stdio.ts', 'wire.ts'].filter((name) => readdirSync(here).includes(name))) {
    const { outputText } = ts.transpileModule(readFileSync(join(here, file), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
    });
    writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), outputText);
  }
  return (compiled = join(folder, 'main.js'));
}

/** Judges the reference client with these faults; `stdio/` faults get a stdio server. */
export function judgeClient(fault: string | undefined, options: VerifyOptions = {}): Promise<VerifyReport> {
  const stdio = fault?.startsWith('stdio/') === true || fault === 'stdio';
  const name = fault?.replace(/^stdio\/?/, '') ?? '';
  const args = [compiledClient(), name === '' ? '-' : name, ...(stdio ? ['--stdio', '{server}'] : ['{url}'])];
  return runChecks({ transport: 'client', command: process.execPath, args }, checks, { timeout: 8000, ...options });
}
