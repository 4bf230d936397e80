import type { NotAnalysed } from '../../core/index.js';
import { languageIdOf } from '../../languages/index.js';
import {
  allLiterals,
  isNotAnalysed,
  isWorkspaceFile,
  prefilter,
  ReadBuffer,
  readBytes,
  readText,
  skipped,
  textPolicy,
  type Discovery,
  type PackageFolder,
  type PrefilterLiterals,
  type TextFile,
  type WorkspaceFile,
} from '../../workspace/index.js';
import type { Progress } from '../knowledge.js';
import type { WorkCounter } from '../stats.js';

/** Languages of programs that no front end reads, in words: a strong literal in such a file is a gap worth a notice. */
const UNREAD: Readonly<Partial<Record<WorkspaceFile['language'], string>>> = {
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  kotlin: 'Kotlin',
  csharp: 'C#',
  php: 'PHP',
  ruby: 'Ruby',
};

const isProgram = ({ language }: WorkspaceFile): boolean => language === 'typescript' || language === 'python' || UNREAD[language] !== undefined;

/** Is a file a program in a language that no front end reads? */
const isUnread = (file: WorkspaceFile): boolean => UNREAD[file.language] !== undefined && languageIdOf(file.path) === undefined;

const unreadLanguage = (file: WorkspaceFile): NotAnalysed => ({
  file: file.path,
  why: 'language',
  reason: `${UNREAD[file.language] ?? file.language} is not analysed: no rule looks into this file, so look at it by hand.`,
});

/** What the bytes of a repository say before anything is decoded. */
export interface Candidates {
  /** Files to read, in the order of the listing. */
  readonly files: readonly WorkspaceFile[];
  /** Folders of packages that hold a strong literal. */
  readonly packages: ReadonlySet<string>;
  readonly notAnalysed: readonly NotAnalysed[];
}

export interface CandidateOptions {
  /** The user named the files, so what a generator wrote is analysed too. */
  readonly named?: boolean;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The package of a path: the nearest folder above it that has a manifest. */
export function packageFinder(packages: readonly PackageFolder[]): (path: string) => PackageFolder {
  const byFolder = new Map(packages.map((entry) => [entry.folder, entry]));
  const root = byFolder.get('.') ?? { folder: '.', manifest: undefined, manifests: [], name: undefined, moduleType: 'commonjs' as const };
  return (path) => {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const entry = byFolder.get(path.slice(0, end));
      if (entry) return entry;
    }
    return root;
  };
}

/** Files of a tree without a manifest up to which it is taken for a part of a package, cut out by somebody who knows what it is. */
const EXCERPT = 50;

/** A few files without a manifest: no package can be decided by its strong literals, so the weak ones count. */
const isExcerpt = ({ packages, files }: Discovery): boolean => files.length <= EXCERPT && packages.every((entry) => entry.manifests.length === 0);

/** True when a folder lies below another one. */
const isBelow = (folder: string, above: string): boolean => above === '.' || folder.startsWith(`${above}/`);

/** True when one folder is the other or lies below it. */
const related = (a: string, b: string): boolean => a === '.' || b === '.' || a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

/**
 * Reads every file once and names those that can matter. A strong literal decides for the package; a weak one counts only in
 * such a package, in a few files without any manifest, in a deployment file whose package contains it or lies within it, or in the manifest or a document of a
 * workspace above it. Documentation never decides for a package. No text is kept: a repository may be larger than the memory.
 */
export function selectCandidates(
  discovery: Discovery,
  literals: PrefilterLiterals,
  packageOf: (path: string) => PackageFolder,
  work: WorkCounter,
  options: CandidateOptions = {},
): Candidates {
  const packages = new Set<string>();
  const marked: { readonly file: WorkspaceFile; readonly package: PackageFolder; readonly strong: boolean }[] = [];
  const unread: { readonly package: string; readonly notice: NotAnalysed }[] = [];
  const buffer = new ReadBuffer();

  discovery.files.forEach((file, index) => {
    if (index % 500 === 0) options.onProgress?.({ stage: 'read', done: index, total: discovery.files.length });
    const owner = packageOf(file.path);
    const bytes = readBytes(discovery.root, file.path, buffer);
    if (isNotAnalysed(bytes)) {
      unread.push({ package: owner.folder, notice: bytes });
      return;
    }
    work.read++;
    work.bytes += bytes.length;
    const answer = prefilter(bytes, file.language === 'typescript' ? literals : allLiterals(literals));
    if (answer.strong && file.role !== 'docs') packages.add(owner.folder);
    if (answer.strong || answer.weak) marked.push({ file, package: owner, strong: answer.strong });
  });

  const excerpt = isExcerpt(discovery);
  if (excerpt) packages.add('.');
  // Who points at a few files means them all, whatever they name.
  const named = excerpt || options.named === true;
  const notAnalysed: NotAnalysed[] = named ? discovery.files.filter(isUnread).map(unreadLanguage) : [];
  const files = marked.flatMap(({ file, package: owner, strong }): readonly WorkspaceFile[] => {
    const counts =
      strong ||
      packages.has(owner.folder) ||
      (file.role === 'deploy' && [...packages].some((folder) => related(folder, owner.folder))) ||
      ((isWorkspaceFile(file.path) || file.role === 'docs') && [...packages].some((folder) => isBelow(folder, owner.folder)));
    if (!counts) return [];
    if (languageIdOf(file.path) !== undefined) return [file];
    if (strong && !named && isUnread(file)) notAnalysed.push(unreadLanguage(file));
    return [];
  });
  // A file that could not be opened may hold anything; one that is only too large matters where a candidate was expected.
  for (const { package: folder, notice } of unread)
    if (notice.why === 'unreadable' || notice.why === 'changed' || packages.has(folder)) notAnalysed.push(notice);
  return { files, packages, notAnalysed };
}

/** Text of a candidate, or why it is not analysed: it cannot be decoded, or nobody wrote it by hand and the user did not name it. */
export function readCandidate(root: string, file: WorkspaceFile, work: WorkCounter, { named }: CandidateOptions = {}): TextFile | NotAnalysed {
  const text = readText(root, file.path);
  const policy = isNotAnalysed(text) || named === true || !isProgram(file) ? undefined : textPolicy(text.text);
  if (policy === undefined) {
    work.candidates++;
    return text;
  }
  work.skipped++;
  return skipped(file.path, policy);
}
