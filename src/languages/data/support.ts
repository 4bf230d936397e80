import { parseAllDocuments } from 'yaml';
import { lineStarts, positionAt } from '../../core/index.js';
import type { LanguageSupport, Parsed } from '../support.js';
import { dataDocument, dataFile, type DataFile } from './file.js';

/** Values such as `{{ .Values.port }}` where YAML wants a node: a chart template, which is YAML only after it was rendered. */
const TEMPLATE = /\{\{-?[^}]*\}\}/;

function parse(path: string, text: string): Parsed<DataFile> {
  const shift = text.startsWith('\uFEFF') ? 1 : 0;
  const body = text.slice(shift);
  const parsed = parseAllDocuments(body, { uniqueKeys: false, logLevel: 'silent' });
  const documents = 'empty' in parsed ? [] : parsed;
  const error = documents.flatMap((document) => document.errors)[0];
  if (error !== undefined) {
    if (TEMPLATE.test(text))
      return {
        problem: {
          why: 'unsupported',
          reason: 'a template that becomes YAML only when it is rendered; render it (for a chart: helm template) and scan the result',
        },
      };
    const { line } = positionAt(lineStarts(text), error.pos[0] + shift);
    return { problem: { why: 'syntax', reason: `not valid YAML: ${error.message.split('\n')[0] ?? error.code}`, line } };
  }
  try {
    return {
      file: dataFile(
        path,
        text,
        documents.map((document) => dataDocument(document, shift)),
      ),
    };
  } catch (problem) {
    return { problem: { why: 'syntax', reason: `its anchors cannot be resolved: ${problem instanceof Error ? problem.message : String(problem)}` } };
  }
}

/** YAML, read only: detectors look at it, no rewrite touches it. */
export const data: LanguageSupport<'data'> = {
  id: 'data',
  extensions: ['.yaml', '.yml'],
  parse,
  walk(file, listeners) {
    for (const document of file.documents) for (const listener of listeners) listener.Document?.(document);
  },
  dependencies: () => [],
  importEdits: () => [],
  importCleanup: () => [],
  syntaxProblem(path, text) {
    const { problem } = parse(path, text);
    return problem?.why === 'syntax' ? { line: problem.line ?? 1, message: problem.reason } : undefined;
  },
  unresolvedNames: () => new Set(),
  namesPackage: () => false,
};
