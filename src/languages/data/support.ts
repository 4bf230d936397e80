import { parseAllDocuments, type Document, type YAMLError } from 'yaml';
import { lineStarts, positionAt } from '../../core/index.js';
import type { LanguageSupport, Parsed } from '../support.js';
import { dataDocument, dataFile, type DataDocument, type DataFile } from './file.js';
import { jsoncDocument } from './jsonc.js';
import { isTemplate, unrendered } from './template.js';
import { tomlDocument } from './toml.js';

/** Readers of what is not YAML, by the name of the file. */
const READERS: readonly (readonly [RegExp, (text: string, shift: number) => DataDocument])[] = [
  [/\.toml$/i, tomlDocument],
  [/\.jsonc$|(?:^|\/)wrangler\.json$/i, jsoncDocument],
];

function parse(path: string, text: string): Parsed<DataFile> {
  const shift = text.startsWith('\uFEFF') ? 1 : 0;
  const reader = READERS.find(([name]) => name.test(path))?.[1];
  return reader === undefined ? parseYaml(path, text, shift) : parseWith(reader, path, text, shift);
}

function parseWith(reader: (text: string, shift: number) => DataDocument, path: string, text: string, shift: number): Parsed<DataFile> {
  try {
    return { file: dataFile(path, text, [reader(text.slice(shift), shift)]) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = /\(line (\d+)\)/.exec(error.message)?.[1];
    return { problem: { why: 'syntax', reason: error.message, ...(line === undefined ? {} : { line: Number(line) }) } };
  }
}

function parseYaml(path: string, text: string, shift: number): Parsed<DataFile> {
  const written = documentsOf(text.slice(shift));
  const template = written.error !== undefined && isTemplate(text);
  const { documents, error } = template ? documentsOf(unrendered(text.slice(shift))) : written;
  if (error !== undefined) {
    if (template)
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

function documentsOf(text: string): { readonly documents: readonly Document[]; readonly error: YAMLError | undefined } {
  const parsed = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' });
  const documents = 'empty' in parsed ? [] : parsed;
  return { documents, error: documents.flatMap((document) => document.errors)[0] };
}

/** Data, read only: detectors look at it, no rewrite touches it. */
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
