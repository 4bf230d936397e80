import type { Inventory, Reason, WorkItem, ScanResult } from '../core/index.js';

/** Where the repository stands; `done` needs something that could have been ahead. */
export function milestoneState(inventory: Inventory): ScanResult['milestone'] {
  const ahead = (milestone: 'sdk' | 'entry'): boolean => inventory.packages.some((entry) => entry.ahead.includes(milestone));
  const present = inventory.endpoints.length + inventory.servers.length + inventory.clients.length > 0;
  return {
    sdk: ahead('sdk') ? 'ahead' : inventory.packages.some((entry) => entry.sdk.length > 0) ? 'done' : 'none',
    entry: ahead('entry') ? 'ahead' : present ? 'done' : 'none',
  };
}

/**
 * Why an item of the entry milestone has to wait: its package still runs on the first SDK line alone. Code without an SDK, and
 * packages that already import the second line, need not wait.
 */
export function entryHasToWait(inventory: Inventory): (item: WorkItem) => Reason | undefined {
  const waiting = new Set(inventory.packages.filter((entry) => entry.sdk.includes(1) && !entry.sdk.includes(2)).map((entry) => entry.folder));
  return (item) =>
    item.milestone === 'entry' && waiting.has(item.package)
      ? {
          why: `The package ${item.package === '.' ? 'at the root' : item.package} still runs on SDK v1, and the entry is written for v2.`,
          next: 'Run `unsession migrate --milestone sdk` first.',
          sites: item.sites.slice(0, 1),
        }
      : undefined;
}
