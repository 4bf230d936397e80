import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { buildTable } from './sdk-table/build.js';
import type { Table } from './sdk-table/table.js';

const TABLE = new URL('../../transforms/_mcp/v1-to-v2.json', import.meta.url);

/** One line per export keeps the file reviewable: a diff of it is a diff of the migration. */
function render(table: Table): string {
  const rows = (record: Record<string, unknown>, indent: string): string =>
    Object.entries(record)
      .map(([key, value]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n');
  const modules = Object.entries(table.modules).map(([specifier, names]) => `    ${JSON.stringify(specifier)}: {\n${rows(names, '      ')}\n    }`);
  const { about, codemod, sdk, v2, methods, errorCodes, unmapped, aliases } = table;
  return [
    '{',
    `${rows({ about, codemod, sdk }, '  ')},`,
    `  "v2": {\n${rows(v2, '    ')}\n  },`,
    `  "modules": {\n${modules.join(',\n')}\n  },`,
    `  "aliases": {\n${rows(aliases, '    ')}\n  },`,
    `  "unmapped": [\n${unmapped.map((name) => `    ${JSON.stringify(name)}`).join(',\n')}\n  ],`,
    `  "methods": {\n${rows(methods, '    ')}\n  },`,
    `  "errorCodes": {\n${rows(errorCodes, '    ')}\n  }`,
    '}',
    '',
  ].join('\n');
}

/**
 * Text of `v1-to-v2.json`, formatted as the repository's formatter would.
 * @throws when one of the probed packages is not installed
 */
export async function renderSdkTable(): Promise<string> {
  const filepath = fileURLToPath(TABLE);
  return format(render(await buildTable()), { ...(await resolveConfig(filepath)), filepath });
}

/**
 * Probes the pinned official codemod and writes `transforms/_mcp/v1-to-v2.json`, or with `check` only compares.
 * @returns the paths that were (or with `check`: would be) written; empty when the table is up to date
 */
export async function generateSdkTable({ check }: { readonly check: boolean }): Promise<readonly string[]> {
  const text = await renderSdkTable();
  const current = await readFile(TABLE, 'utf8').catch(() => '');
  if (current === text) return [];
  if (!check) await writeFile(TABLE, text);
  return [relative(join(dirname(fileURLToPath(import.meta.url)), '..', '..'), fileURLToPath(TABLE))];
}
