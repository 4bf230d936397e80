import type { NotAnalysed, Role } from '../core/index.js';

/** What a file is written in, decided from its name alone; the front ends decide for themselves what they parse. */
export type Syntax =
  | 'typescript'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'kotlin'
  | 'csharp'
  | 'php'
  | 'ruby'
  | 'json'
  | 'yaml'
  | 'toml'
  | 'markdown'
  | 'html'
  | 'sql'
  | 'shell'
  | 'dockerfile'
  | 'env'
  | 'conf'
  | 'text';

/** A file that the scan may read. */
export interface WorkspaceFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly role: Role;
  readonly language: Syntax;
}

/** A folder with a manifest; files belong to the nearest one above them. */
export interface PackageFolder {
  /** Relative to the root, `.` for the root itself. */
  readonly folder: string;
  /** The manifest that names the package, e.g. `package.json`; `undefined` for a root without one. */
  readonly manifest: string | undefined;
  /** All manifests of the folder, e.g. `pyproject.toml` and `package.json`. */
  readonly manifests: readonly string[];
  readonly name: string | undefined;
  /** `module` only when `package.json` says so. */
  readonly moduleType: 'module' | 'commonjs';
  /** Names of all that its `package.json` depends on, in any section. */
  readonly dependencies?: readonly string[];
  /** Who can import it, by the entries and the `private` of its `package.json`; `unknown` when that names neither an entry nor a command. */
  readonly importedBy?: 'anybody' | 'repository' | 'nobody' | 'unknown';
}

/** State of the work tree that holds the root. */
export interface GitState {
  /** Absolute path of the top of the work tree. */
  readonly top: string;
  /** Path of the scan root below the top, `''` when they are the same; ends with `/` otherwise. */
  readonly prefix: string;
  /** Absolute path of the git directory of this work tree (a linked work tree has its own). */
  readonly directory: string;
  /** Full hash; `undefined` before the first commit. */
  readonly commit: string | undefined;
  readonly branch: string | undefined;
  /** Tracked files below the root that differ from the last commit, relative to the root. Untracked files are not counted. */
  readonly changed: readonly string[];
  readonly dirty: boolean;
  /** True for a linked work tree (`git worktree add`). */
  readonly linked: boolean;
}

export interface DiscoverOptions {
  /** Globs in `.gitignore` syntax; when given, only matching files are listed, and they count as named by the user. */
  readonly include?: readonly string[];
  /** Globs in `.gitignore` syntax. */
  readonly exclude?: readonly string[];
  /** Name or folder of one package; only its files are listed. */
  readonly package?: string;
  /** Path to look at below the root, when the user named a file; default: everything. */
  readonly only?: string;
}

/** What exists below a root, before anything is read. */
export interface Discovery {
  /** Absolute path. */
  readonly root: string;
  readonly files: readonly WorkspaceFile[];
  /** Files and folders that are left out by policy or could not be listed. */
  readonly skipped: readonly NotAnalysed[];
  /** Sorted by folder; the root is always the first. */
  readonly packages: readonly PackageFolder[];
  readonly git: GitState | undefined;
}

/** Decoded text of one file. */
export interface TextFile {
  readonly path: string;
  /** Without the byte order mark: offsets and columns start at the first visible character. */
  readonly text: string;
  /** The file began with a UTF-8 byte order mark; writers put it back. */
  readonly bom: boolean;
  /** The line end that occurs most; `\n` for a text of one line. */
  readonly eol: '\n' | '\r\n' | '\r';
  /** What the file declares to be encoded in, when that is not UTF-8 (PEP 263); writers keep it. */
  readonly encoding?: string;
}

/** Texts by path: the disk, or a state on top of it. */
export interface TextSource {
  /** `undefined` when the file does not exist or is not text. */
  text(path: string): string | undefined;
  exists(path: string): boolean;
  /** True when the file on disk begins with a byte order mark. */
  bom(path: string): boolean;
  /** Encoding of the file on disk, as `encodeAs` takes it; `undefined` for UTF-8. */
  encoding(path: string): string | undefined;
}
