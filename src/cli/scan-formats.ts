import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScanResult } from '../core/index.js';
import { githubScan, json, junitScan, lineHashes, markdownScan, PLAIN, prettyScan, sarif } from '../report/index.js';
import { guideOf } from './catalogue.js';
import type { Threshold } from './exit-code.js';
import type { ScanFormat } from './options.js';
import type { Repository } from './repository.js';

/** The result of a scan in one form. `toFile`: it is not for the terminal, so text for people is without colours and whole. */
export function renderScan(format: ScanFormat, result: ScanResult, repository: Repository, threshold: Threshold, toFile = false): string {
  switch (format) {
    case 'pretty':
      return prettyScan(result, toFile ? { ...PLAIN, verbose: true, target: repository.pretty.target } : repository.pretty);
    case 'json':
      return json(result);
    case 'github':
      return githubScan(result, repository.prefix);
    case 'markdown':
      return markdownScan(result);
    case 'junit':
      return junitScan(result, threshold);
    case 'sarif':
      return sarif(result, {
        prefix: repository.prefix,
        part: repository.options.package ?? repository.prefix,
        guide: guideOf,
        lineHash: hashesBelow(repository.root),
      });
  }
}

/** Hashes of the lines of files below a root, each file read once. */
function hashesBelow(root: string): (file: string, line: number) => string | undefined {
  const known = new Map<string, readonly string[]>();
  return (file, line) => {
    let hashes = known.get(file);
    if (!hashes) {
      try {
        hashes = lineHashes(readFileSync(join(root, file), 'utf8'));
      } catch {
        // The file went while the scan ran: our own fingerprint stands in.
        hashes = [];
      }
      known.set(file, hashes);
    }
    return hashes[line - 1];
  };
}
