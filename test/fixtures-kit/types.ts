import { join } from 'node:path';
import ts from 'typescript';
import type { Story } from './story.js';

// The compiler that users have: the one in the parsers carries no library files on disk.
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  esModuleInterop: true,
  types: ['node'],
};

/**
 * Type-checks the `after/` trees of all stories in one Program, where they lie, so that packages resolve to the pinned ones of this project.
 * Answers the errors by `concern/story`.
 */
export function typeErrors(stories: readonly Story[]): ReadonlyMap<string, readonly string[]> {
  const owner = new Map<string, string>();
  for (const story of stories) {
    if (!story.after || !story.options.types) continue;
    for (const path of story.after.keys())
      if (/\.[cm]?tsx?$/.test(path)) owner.set(join(story.folder, 'after', path).replaceAll('\\', '/'), `${story.concern}/${story.name}`);
  }
  const program = ts.createProgram([...owner.keys()], OPTIONS);
  const errors = new Map<string, string[]>();
  for (const [file, name] of owner) {
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`${file} is not part of the Program`);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((fault) => {
      const { line } = source.getLineAndCharacterOfPosition(fault.start ?? 0);
      return `${file.slice(file.indexOf('/after/') + 7)}:${line + 1} ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`;
    });
    errors.set(name, [...(errors.get(name) ?? []), ...found]);
  }
  return errors;
}
