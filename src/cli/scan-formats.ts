import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScanResult } from '../core/index.js';
import { json, lineHashes, prettyScan, sarif } from '../report/index.js';
import { guideOf } from './catalogue.js';
import type { Repository } from './repository.js';

/** Forms of the result of `scan`. */
export const SCAN_FORMATS = ['pretty', 'json', 'sarif'] as const;
export type ScanFormat = (typeof SCAN_FORMATS)[number];

/** The result of a scan in one form. */
export function renderScan(format: ScanFormat, result: ScanResult, repository: Repository): string {
  switch (format) {
    case 'pretty':
      return prettyScan(result, repository.pretty);
    case 'json':
      return json(result);
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
