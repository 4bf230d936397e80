import type { Coverage, Finding, Inventory, RevisionChange } from '../core/index.js';

const ABSENT: Readonly<Record<Exclude<RevisionChange['concerns'], 'any'>, string>> = {
  server: 'no server was found',
  client: 'no client was found',
  http: 'nothing here speaks MCP over HTTP',
  stdio: 'nothing here speaks MCP over stdio',
};

/** What exists here that a change can be about. Findings count too: hand-made code leaves no server object behind. */
function present(inventory: Inventory, findings: readonly Finding[]): Readonly<Record<RevisionChange['concerns'], boolean>> {
  const stdio = inventory.endpoints.some((endpoint) => endpoint.transport === 'stdio') || findings.some((finding) => finding.id.startsWith('stdio-'));
  const http =
    inventory.endpoints.some((endpoint) => endpoint.transport !== 'stdio') ||
    findings.some((finding) => finding.category === 'transport' && !finding.id.startsWith('stdio-'));
  return {
    server: inventory.endpoints.length > 0 || inventory.servers.length > 0 || http || stdio,
    client: inventory.clients.length > 0 || findings.some((finding) => finding.id.startsWith('client-')),
    http,
    stdio,
    any: true,
  };
}

const looksFor = (rule: string, id: string): boolean => rule === id || id.startsWith(`${rule}/`);

/** The coverage statement: which changes of the revision were looked for, which have no place here, and which code cannot tell. Pure. */
export function coverageOf(changes: readonly RevisionChange[], findings: readonly Finding[], inventory: Inventory): readonly Coverage[] {
  const exists = present(inventory, findings);
  return changes.map((change): Coverage => {
    const own = findings.filter((finding) => change.rules.some((rule) => looksFor(rule, finding.id)));
    const base = { change: change.id, title: change.title, spec: change.spec, findings: own.length, rules: change.rules };
    if (change.rules.length === 0) return { ...base, state: 'not-static', ...(change.instead === undefined ? {} : { reason: change.instead }) };
    if (own.length === 0 && change.concerns !== 'any' && !exists[change.concerns]) return { ...base, state: 'not-applicable', reason: ABSENT[change.concerns] };
    return { ...base, state: 'checked' };
  });
}
