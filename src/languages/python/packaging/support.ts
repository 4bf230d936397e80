import { lineStarts, siteOf, type Site, type Span } from '../../../core/index.js';
import type { LanguageSupport, Parsed } from '../../support.js';
import { requirementsOf } from './index.js';
import type { Requirement } from './requirement.js';

/** A packaging file of Python that is no program: `pyproject.toml`, `Pipfile`, `setup.cfg`, requirement and constraint files. */
export interface RequirementsFile {
  readonly path: string;
  readonly text: string;
  readonly requirements: readonly Requirement[];
  site(span: Span, label?: string): Site;
}

/** What a listener can name. */
export interface RequirementsVisitors {
  readonly Requirement?: (requirement: Requirement) => void;
}

declare module '../../../core/concern.js' {
  interface Languages {
    requirements: { readonly file: RequirementsFile; readonly visitors: RequirementsVisitors };
  }
}

function parse(path: string, text: string): Parsed<RequirementsFile> {
  const starts = lineStarts(text);
  try {
    return { file: { path, text, requirements: requirementsOf(path, text), site: (span, label) => siteOf(path, starts, span, label) } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = /\(line (\d+)\)/.exec(error.message)?.[1];
    return { problem: { why: 'syntax', reason: error.message, ...(line === undefined ? {} : { line: Number(line) }) } };
  }
}

/** What Python packages say that they need. Edited through needs, never by a rewriter. */
export const requirements: LanguageSupport<'requirements'> = {
  id: 'requirements',
  extensions: [],
  parse,
  walk(file, listeners) {
    for (const requirement of file.requirements) for (const listener of listeners) listener.Requirement?.(requirement);
  },
  dependencies: () => [],
  importEdits: () => [],
  importCleanup: () => [],
  syntaxProblem(path, text) {
    const { problem } = parse(path, text);
    return problem && { line: problem.line ?? 1, message: problem.reason };
  },
  unresolvedNames: () => new Set(),
  namesPackage: () => false,
};
