import type { ScanStats } from '../core/index.js';

/** Counts the work of one run. Every stage adds to it; nothing reads it to decide. */
export class WorkCounter {
  discovered = 0;
  skipped = 0;
  /** Files whose bytes were looked at; a file counts once. */
  read = 0;
  bytes = 0;
  /** Files that passed the prefilter. */
  candidates = 0;
  /** Texts parsed by a scan: once per file and state of the file. */
  parsed = 0;
  walks = 0;
  programs = 0;
  /** Passes over the repository: the first one, the ring of neighbours, and one for each round of a migration. */
  rounds = 0;

  snapshot(): ScanStats {
    return {
      discovered: this.discovered,
      skipped: this.skipped,
      read: this.read,
      bytes: this.bytes,
      candidates: this.candidates,
      parsed: this.parsed,
      walks: this.walks,
      programs: this.programs,
      rounds: this.rounds,
    };
  }
}
