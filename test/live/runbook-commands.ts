import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { runCommand, type Outcome } from './command.js';
import { ROOT } from './server-process.js';

/** A command line of a runbook, as its reader copies it. */
export interface PrintedCommand {
  readonly line: string;
  /** Title of the part that prints it. */
  readonly part: string;
}

/** Words that start a command in these documents; other code is names and values. */
const PROGRAMS = /^(?:npx|npm|pnpm|yarn|bun|git|export|curl)\s/;

/** Every command of a Markdown document: lines of `bash` fences, and inline code that starts with a program. */
export function commandsOf(markdown: string): readonly PrintedCommand[] {
  const found: PrintedCommand[] = [];
  let part = '';
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'heading' && (token as Tokens.Heading).depth === 2) part = (token as Tokens.Heading).text;
      if (token.type === 'code' && (token as Tokens.Code).lang === 'bash')
        for (const line of (token as Tokens.Code).text.split('\n')) if (line.trim() !== '') found.push({ line, part });
      if (token.type === 'codespan' && PROGRAMS.test((token as Tokens.Codespan).text)) found.push({ line: (token as Tokens.Codespan).text, part });
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        for (const cell of [...header, ...rows.flat()]) walk(cell.tokens);
      } else if (token.type === 'list') for (const item of (token as Tokens.List).items) walk(item.tokens);
      else if ('tokens' in token && Array.isArray(token.tokens)) walk(token.tokens);
    }
  };
  walk(lexer(markdown));
  return found;
}

/** What a command says when the shell or the tool did not understand it; a check that fails is understood. */
const NOT_UNDERSTOOD: ReadonlySet<number> = new Set([2, 3, 126, 127]);

/**
 * Runs a line in a shell of its own, with the variables of the document, where `npx unsession` is this tool: it is not published yet.
 * @returns why the line does not run as printed, or `''`
 */
export async function runPrinted(line: string, folder: string, variables: Readonly<Record<string, string>>, home: string): Promise<string> {
  const shim = join(home, 'bin');
  mkdirSync(shim, { recursive: true });
  writeFileSync(
    join(shim, 'npx'),
    `#!/bin/sh\n[ "$1" = unsession ] || exec "${process.execPath}" -e 'process.exit(127)'\nshift\nexec "${process.execPath}" "${ROOT}bin/unsession.js" "$@"\n`,
  );
  chmodSync(join(shim, 'npx'), 0o755);
  const settings = Object.entries({ ...variables, PATH: `${shim}:${process.env['PATH'] ?? ''}` }).map(([name, value]) => `${name}=${value}`);
  const outcome: Outcome = await runCommand('env', [...settings, 'bash', '-euc', line], folder);
  // A check that needs the server's cooperation, and did not get it, ends with 3: nothing was tested.
  if (outcome.code === 3 && line.includes('needs-control')) return '';
  // So does a check of what this server does not have, or for which the reader must name a tool: it was understood, and says what it needs.
  if (outcome.code === 3 && line.startsWith('npx unsession verify') && outcome.stdout.includes(', 0 unclear, ')) return '';
  return NOT_UNDERSTOOD.has(outcome.code) || (outcome.code !== 0 && !line.includes('unsession'))
    ? `exit code ${outcome.code}: ${outcome.stderr.trim().split('\n').at(-1) ?? ''}`
    : '';
}
