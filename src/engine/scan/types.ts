import type { Fact, Finding, LanguageId, NotAnalysed, Role } from '../../core/index.js';
import type { PackageFolder } from '../../workspace/index.js';
import type { SuppressionComment } from './suppressions.js';

/** What one file says. A pure function of its text, its path, and which paths exist; the tree is gone. */
export interface FileScan {
  readonly path: string;
  readonly role: Role;
  /** Folder of the package that owns it. */
  readonly package: string;
  readonly language: LanguageId;
  readonly facts: readonly Fact[];
  /** As the detectors saw them, before `judge`; fingerprints are filled in. */
  readonly findings: readonly Finding[];
  readonly suppressions: readonly SuppressionComment[];
  /** Repository paths that it imports. */
  readonly dependencies: readonly string[];
  /** Detectors that failed on it. */
  readonly problems: readonly NotAnalysed[];
}

/** A package as the prefilter leaves it. */
export interface ScannedPackage {
  readonly folder: string;
  readonly name: string | undefined;
  readonly manifest: string | undefined;
  readonly moduleType: 'module' | 'commonjs';
  readonly dependencies?: readonly string[];
  readonly importedBy?: NonNullable<PackageFolder['importedBy']>;
  readonly candidate: boolean;
}

/** All files that were analysed, and those that were not. */
export interface Scanned {
  /** By path, in path order. */
  readonly files: ReadonlyMap<string, FileScan>;
  readonly packages: readonly ScannedPackage[];
  readonly notAnalysed: readonly NotAnalysed[];
}
