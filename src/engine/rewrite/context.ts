import { posix } from 'node:path';
import type { Endpoint, FileOf, LanguageId, LaneDecision, RewriteContext } from '../../core/index.js';
import { languageFor, languageIdOf } from '../../languages/index.js';
import type { TextSource } from '../../workspace/index.js';
import type { ScanOptions } from '../knowledge.js';
import { isBearing } from '../scan/ring.js';
import type { Scanned } from '../scan/types.js';
import type { Understanding } from '../understand.js';

/** Trees that one round keeps at a time; an item rarely looks at more files. */
const MAX_TREES = 24;

/** What rewriters see: one state of the repository, the same for all items of a round. */
export function createContext(scanned: Scanned, known: Understanding, source: TextSource, options: ScanOptions): RewriteContext {
  const endpoints = new Map<string, Endpoint>(known.inventory.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const lanes = new Map<string, LaneDecision>(known.plan.lanes.map((lane) => [lane.endpoint, lane]));
  const trees = new Map<string, unknown>();
  return {
    options: { legacy: options.legacy ?? 'auto', sunset: options.sunset, owner: options.owner, retire: options.retire === true },
    inventory: known.inventory,
    facts: known.facts,
    findings: known.findings,
    endpoint: (id) => endpoints.get(id),
    lane: (endpoint) => lanes.get(endpoint),
    text: (path) => source.text(path),
    filesOf: (folder) => [...scanned.files.values()].filter((file) => file.package === posix.normalize(folder) && isBearing(file)).map((file) => file.path),
    importersOf: (path) => [...scanned.files.values()].filter((file) => file.dependencies.includes(path)).map((file) => file.path),
    file<L extends LanguageId>(language: L, path: string): FileOf<L> | undefined {
      if (languageIdOf(path) !== language) return undefined;
      if (!trees.has(path)) {
        const text = source.text(path);
        const support = text === undefined ? undefined : languageFor(path);
        if (text === undefined || !support) return undefined;
        const oldest = trees.keys().next();
        if (trees.size >= MAX_TREES && oldest.done !== true) trees.delete(oldest.value);
        trees.set(path, support.parse(path, text).file);
      }
      return trees.get(path) as FileOf<L> | undefined;
    },
    manifest(path) {
      const text = source.text(path);
      if (text === undefined) return undefined;
      try {
        const value: unknown = JSON.parse(text);
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;
      } catch {
        return undefined;
      }
    },
    exists: (path) => source.exists(path),
  };
}
