import type { Report } from '../../src/core/index.js';
import type { TextFile } from '../../src/languages/text/support.js';
import { counted, reportInstances } from './instances.js';
import { leadsToMcp, type Kind } from './words.js';

/** Start commands of Python servers that fork: `uvicorn app:app --workers 4`, also as a list of arguments. */
const FORKS = /\b(?:uvicorn|gunicorn|hypercorn|granian|fastapi run)\b[^\n]*?(?:--workers|-w)[\s="',]+(\d+)/;

/** The number of worker processes that a command starts, with the words that say it. */
export function workersIn(command: string): { readonly count: string; readonly text: string } | undefined {
  const match = FORKS.exec(command);
  return match?.[1] === undefined ? undefined : { count: match[1], text: `--workers ${match[1]}` };
}

/** Worker processes of images and start files. */
export function workers(file: TextFile, report: Report<Kind>): void {
  if (!/(?:^|\/)(?:(?:[^/]*\.)?(?:Dockerfile|Containerfile)[^/]*|Procfile|[^/]+\.(?:sh|bash))$/i.test(file.path)) return;
  for (const line of file.lines) {
    const started = /^\s*#/.test(line.text) ? undefined : workersIn(line.text);
    const amount = counted(started?.count, 'worker processes');
    if (started === undefined || amount === undefined) continue;
    const indent = line.text.length - line.text.trimStart().length;
    reportInstances(
      report,
      { start: line.start + indent, end: line.start + line.text.trimEnd().length },
      { ...amount, holder: file.path.slice(file.path.lastIndexOf('/') + 1), setting: started.text, named: leadsToMcp(`${file.path} ${line.text}`) },
    );
  }
}
