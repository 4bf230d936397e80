import { relative, resolve, sep } from 'node:path';
import { Project, ts } from 'ts-morph';
import { projectsOf, type TypeProject } from './projects.js';

/** An error of the compiler that the code had not before. */
export interface NewTypeError {
  /** Relative to the root. */
  readonly file: string;
  /** 1-based, in the text after the change. */
  readonly line: number;
  /** Number of the diagnostic, e.g. 2322. */
  readonly code: number;
  readonly message: string;
  /** Does a marker stand at the statement, so that a person looks at it anyway? */
  readonly marked: boolean;
}

/** What the compiler says of changed files. */
export interface TypeComparison {
  /** Changed files that were checked, relative to the root. */
  readonly checked: readonly string[];
  readonly errors: readonly NewTypeError[];
  /** Changed files that were not checked. `missing` names packages that must be installed for it. */
  readonly left: readonly { readonly file: string; readonly why: string; readonly missing: readonly string[] }[];
}

/** Is it a file that a compiler of TypeScript may check? */
export const hasTypes = (path: string): boolean => /\.[cm]?[jt]sx?$/i.test(path);

/**
 * Type-checks the projects of changed TypeScript files before and after, with their own `tsconfig.json` and installed packages, and answers
 * what is new in any of their files. Runs none of the repository's code, also not its compiler, and writes nothing.
 * @param root absolute path
 * @param after changed files by path relative to the root; `undefined` for one that is removed
 * @param marker text of the comments that mark a place for a person
 */
export function compareTypes(root: string, after: ReadonlyMap<string, string | undefined>, marker: string): TypeComparison {
  const absolute = (path: string): string => resolve(root, path).split(sep).join('/');
  const own = (path: string): string => relative(root, path).split(sep).join('/');
  const texts = new Map([...after].map(([path, text]) => [absolute(path), text]));
  const { projects, left } = projectsOf(resolve(root), [...texts.keys()].filter(hasTypes));
  const results = projects.map((project) => compareProject(project, texts, marker));
  return {
    checked: [...new Set(results.flatMap(({ checked }) => checked))].map(own).sort(),
    errors: unique(results.flatMap(({ errors }) => errors)).map((error) => ({ ...error, file: own(error.file) })),
    left: [
      ...left.map(({ file, why }) => ({ file: own(file), why, missing: [] })),
      ...results.flatMap(({ missing, asked }) =>
        missing.length === 0
          ? []
          : asked.map((file) => ({ file: own(file), why: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed`, missing })),
      ),
    ],
  };
}

function compareProject(project: TypeProject, texts: ReadonlyMap<string, string | undefined>, marker: string) {
  const program = new Project({ compilerOptions: project.options, skipAddingFilesFromTsConfig: true });
  program.addSourceFilesAtPaths([...project.files]);
  const before = counted(errorsOf(program, marker));
  for (const path of project.asked) {
    const text = texts.get(path);
    if (text === undefined) program.getSourceFile(path)?.delete();
    else program.createSourceFile(path, text, { overwrite: true });
  }
  const found = errorsOf(program, marker);
  const asked = new Set(project.asked);
  const missing = [...new Set(found.flatMap((error) => (asked.has(error.file) ? packageOf(error) : [])))].sort();
  // Without its packages a project is full of values of any type, and nothing is proved about it.
  if (missing.length > 0) return { checked: [], errors: [], missing, asked: project.asked };
  const errors = found.filter((error) => {
    const known = before.get(keyOf(error)) ?? 0;
    before.set(keyOf(error), known - 1);
    return known <= 0;
  });
  return { checked: project.asked.filter((path) => texts.get(path) !== undefined), errors, missing, asked: project.asked };
}

/** Errors in the repository's own files, declarations and installed packages left out. */
function errorsOf(project: Project, marker: string): readonly NewTypeError[] {
  const program = project.getProgram().compilerObject;
  return program
    .getSourceFiles()
    .filter((source) => !source.isDeclarationFile && !source.fileName.includes('/node_modules/'))
    .flatMap((source) =>
      program.getSemanticDiagnostics(source).map(({ start = 0, code, messageText }) => ({
        file: source.fileName,
        line: source.getLineAndCharacterOfPosition(start).line + 1,
        code,
        message: ts.flattenDiagnosticMessageText(messageText, ' '),
        marked: isMarked(source, start, marker),
      })),
    );
}

const keyOf = ({ file, code, message }: NewTypeError): string => `${file}\0${String(code)}\0${message}`;

const unique = (errors: readonly NewTypeError[]): readonly NewTypeError[] => [
  ...new Map(errors.map((error) => [`${keyOf(error)}\0${String(error.line)}`, error])).values(),
];

function counted(errors: readonly NewTypeError[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const error of errors) counts.set(keyOf(error), (counts.get(keyOf(error)) ?? 0) + 1);
  return counts;
}

/** TS2307 for a name that is no path and none of Node's. */
function packageOf({ code, message }: NewTypeError): readonly string[] {
  const name = code === 2307 ? /'([^'./][^']*)'/.exec(message)?.[1] : undefined;
  if (name === undefined || name.startsWith('node:')) return [];
  return [
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  ];
}

/** Does a marker stand in front of a statement or member around a place, up to the next function? */
function isMarked(source: ts.SourceFile, start: number, marker: string): boolean {
  let inner: ts.Node = source;
  for (let next: ts.Node | undefined = source; next !== undefined;) {
    inner = next;
    next = ts.forEachChild(inner, (child) => (child.pos <= start && start < child.end ? child : undefined));
  }
  for (let node = inner; !ts.isSourceFile(node); node = node.parent) {
    if (source.text.slice(node.getFullStart(), node.getStart(source)).includes(marker)) return true;
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  }
  return false;
}
