import type { FileOf, LanguageId, NotAnalysed, Surroundings } from '../../core/index.js';
import { languageFor, languageIdOf, loadLanguage } from '../../languages/index.js';
import { isNotAnalysed, languageOf, readText, roleOf, type Discovery, type TextFile, type TextSource, type WorkspaceFile } from '../../workspace/index.js';
import type { DormantKnowledge, Knowledge } from '../knowledge.js';
import { byText } from '../order.js';
import type { WorkCounter } from '../stats.js';
import { packageFinder, readCandidate, selectCandidates, type CandidateOptions } from './candidates.js';
import { detectFile, listenersFor } from './detect.js';
import { Detacher } from './detach.js';
import { bearingFiles, mentions } from './ring.js';
import type { FileScan, Scanned } from './types.js';

/** Files that only hand on names are followed so far. */
const MAX_BARRELS = 4;
const REEXPORT = /\bexport\s*(?:\*|\{[^}]*\})\s*from\b/;

/** A file of one state of the repository. */
interface Ground {
  readonly file: Pick<WorkspaceFile, 'path' | 'role'>;
  readonly text: string;
}

/**
 * Scans a repository once, then again only where it changed. A file's scan depends on its text and on which paths exist,
 * so a change is followed to the files that name a created or removed path, and no further.
 */
export class Scanner {
  readonly #packageOf;
  readonly #listeners = new Map<LanguageId, ReturnType<typeof listenersFor>>();
  readonly #files = new Map<string, FileScan>();
  readonly #faults = new Map<string, NotAnalysed>();
  readonly #paths: Set<string>;
  readonly #roles: Map<string, WorkspaceFile['role']>;
  #candidatePackages: ReadonlySet<string> = new Set();
  #knowledge: Knowledge;
  readonly #handsOn = new Set<string>();
  readonly #detacher = new Detacher();

  constructor(
    readonly discovery: Discovery,
    readonly dormant: DormantKnowledge,
    readonly work: WorkCounter,
    /** Takes every text that was analysed, so that a rewrite is planned on the same state. */
    readonly remember?: (file: TextFile) => void,
  ) {
    this.#knowledge = dormant.texts;
    this.#packageOf = packageFinder(discovery.packages);
    this.#paths = new Set(discovery.files.map((file) => file.path));
    this.#roles = new Map(discovery.files.map((file) => [file.path, file.role]));
    work.discovered = discovery.files.length;
    work.skipped = discovery.skipped.length;
  }

  /** Reads, filters, parses, detects, and lets the neighbours of what was found join. */
  async scan(options: CandidateOptions = {}): Promise<Scanned> {
    const { files, packages, notAnalysed } = selectCandidates(this.discovery, this.dormant.literals, this.#packageOf, this.work, options);
    this.#candidatePackages = packages;
    for (const notice of notAnalysed) this.#faults.set(notice.file, notice);
    this.work.rounds++;
    for (const [index, file] of files.entries()) {
      if (index % 25 === 0) options.onProgress?.({ stage: 'parse', done: index, total: files.length });
      const source = readCandidate(this.discovery.root, file, this.work, options);
      if (isNotAnalysed(source)) {
        this.#faults.set(source.file, source);
        continue;
      }
      // A repository in which nothing is analysed loads no parser.
      this.#knowledge = await this.dormant.wake();
      await this.#load(file.path);
      this.remember?.(source);
      this.#analyse({ file, text: source.text });
    }
    this.#joinNeighbours();
    return this.result();
  }

  /**
   * Scans again what differs between two states.
   * @param source texts of the new state
   * @param changed paths that were edited, created or removed since the last scan
   */
  async rescan(source: TextSource, changed: readonly string[]): Promise<Scanned> {
    this.work.rounds++;
    const moved = changed.filter((path) => source.exists(path) !== this.#paths.has(path));
    for (const path of changed) {
      if (source.exists(path)) this.#paths.add(path);
      else this.#paths.delete(path);
    }
    const namesMoved = mentions(moved);
    const again = new Set(changed);
    if (moved.length > 0) for (const path of this.#files.keys()) if (namesMoved(source.text(path) ?? '')) again.add(path);
    for (const path of [...again].sort(byText)) {
      this.#files.delete(path);
      this.#faults.delete(path);
      const text = source.text(path);
      if (languageIdOf(path) === undefined || text === undefined) continue;
      await this.#load(path);
      this.#analyse({ file: { path, role: this.#roles.get(path) ?? roleOf(path, languageOf(path) ?? 'text') }, text });
    }
    return this.result();
  }

  async #load(path: string): Promise<void> {
    const id = languageIdOf(path);
    if (id !== undefined) await loadLanguage(id);
  }

  /** What the files were looked at with; without detectors when none of them could matter. */
  get knowledge(): Knowledge {
    return this.#knowledge;
  }

  /** True when the path exists in the state that was scanned last. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** What is known now, in path order. */
  result(): Scanned {
    const files = new Map([...this.#files].sort(([a], [b]) => byText(a, b)));
    const notAnalysed = [...this.discovery.skipped, ...this.#faults.values(), ...[...files.values()].flatMap((file) => file.problems)];
    return {
      files,
      packages: this.discovery.packages.map(({ folder, name, manifest, moduleType, dependencies, importedBy }) => ({
        folder,
        name,
        manifest,
        moduleType,
        ...(dependencies === undefined ? {} : { dependencies }),
        ...(importedBy === undefined ? {} : { importedBy }),
        candidate: this.#candidatePackages.has(folder),
      })),
      notAnalysed: notAnalysed.sort((a, b) => byText(a.file, b.file) || byText(a.why, b.why)),
    };
  }

  #around(path: string): Surroundings {
    const { folder, moduleType } = this.#packageOf(path);
    return { has: (other) => this.#paths.has(other), package: { folder, moduleType } };
  }

  #parse(path: string, text: string): FileOf<LanguageId> | undefined {
    const support = languageFor(path);
    if (!support) return undefined;
    this.work.parsed++;
    const { file, problem } = support.parse(path, text);
    if (file) return file;
    this.#faults.set(path, { file: path, ...problem });
    return undefined;
  }

  #analyse({ file, text }: Ground, parsed = this.#parse(file.path, text)): void {
    if (REEXPORT.test(text)) this.#handsOn.add(file.path);
    const support = languageFor(file.path);
    if (!support || !parsed) return;
    let listeners = this.#listeners.get(support.id);
    if (!listeners) this.#listeners.set(support.id, (listeners = listenersFor(this.#knowledge, support.id)));
    this.work.walks++;
    const around = this.#around(file.path);
    this.#files.set(
      file.path,
      this.#detacher.copy(
        detectFile(
          { path: file.path, text, role: file.role, package: around.package.folder, file: parsed, support, around, prefix: this.discovery.git?.prefix ?? '' },
          listeners,
        ),
      ),
    );
  }

  /** One round, both directions: files that the bearing files import, and files that import them. */
  #joinNeighbours(): void {
    const own = new Set(bearingFiles(this.#files.values()));
    const barrels = [...this.#handsOn].filter((path) => this.#files.get(path)?.dependencies.some((other) => own.has(other)));
    let bearing: readonly string[] = [...new Set([...own, ...barrels])];
    // Who imports from a file that only hands on names imports from the file behind it.
    for (let round = 0; bearing.length > 0 && round < MAX_BARRELS; round++) bearing = this.#join(bearing).filter((path) => this.#handsOn.has(path));
  }

  /** @returns the files that joined */
  #join(bearing: readonly string[]): readonly string[] {
    const imported = new Set(bearing.flatMap((path) => this.#files.get(path)?.dependencies ?? []));
    const wanted = new Set(bearing);
    // Only a file of the same syntax can import another; a document that mentions one is no neighbour.
    const syntaxes: ReadonlySet<LanguageId | undefined> = new Set(bearing.map((path) => languageIdOf(path)));
    const canImport = mentions(bearing);
    const joined: string[] = [];
    for (const file of this.discovery.files) {
      if (this.#files.has(file.path) || this.#faults.has(file.path) || !syntaxes.has(languageIdOf(file.path))) continue;
      const named = imported.has(file.path);
      if (!named && !this.#candidatePackages.has(this.#packageOf(file.path).folder)) continue;
      const source = readText(this.discovery.root, file.path);
      if (isNotAnalysed(source) || (!named && !canImport(source.text))) continue;
      const support = languageFor(file.path);
      const parsed = support && this.#parse(file.path, source.text);
      if (!parsed) continue;
      if (!named && !support.dependencies(parsed, (other) => this.#paths.has(other)).some((path) => wanted.has(path))) continue;
      joined.push(file.path);
      this.remember?.(source);
      this.#analyse({ file, text: source.text }, parsed);
    }
    if (joined.length > 0) this.work.rounds++;
    return joined;
  }
}
