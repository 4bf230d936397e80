import {
  shellWord,
  type Assertion,
  type Check,
  type ChecklistEntry,
  type LaneMode,
  type MessageData,
  type Phrase,
  type RunbookModel,
} from '../../core/index.js';
import { modernAddresses, pathOf } from '../addresses.js';
import type { Context } from '../context.js';
import { say, words } from '../messages.js';
import { commandVariable, stdioEntries, urlVariable } from './variables.js';

type Seen = Map<string, Set<string>>;

function note(seen: Seen, assertion: Assertion, should: boolean): void {
  const label = assertion.at === 'status' ? 'status' : assertion.at === 'error.code' ? 'error' : assertion.at === 'type' ? 'type' : undefined;
  if (label === undefined || (assertion.level === 'should') !== should) return;
  const values: readonly unknown[] =
    assertion.is !== undefined ? [assertion.is] : Array.isArray(assertion.oneOf) ? (assertion.oneOf as readonly unknown[]) : [];
  for (const value of values) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const known = seen.get(label);
    if (known) known.add(String(value));
    else seen.set(label, new Set([String(value)]));
  }
}

/** The expected answer of a check in short, read from its assertions: statuses, error codes and media types of all steps. */
export function expectedOf(check: Check): Phrase {
  const must = answersOf(check, false);
  const seen = must.size > 0 ? must : answersOf(check, true);
  const parts = ['status', 'error', 'type'].flatMap((label) => {
    const values = seen.get(label);
    return values === undefined ? [] : [`${label} ${[...values].map((value) => `\`${value}\``).join(' / ')}`];
  });
  return parts.length === 0 ? say('checklist.as-titled') : words(parts.join('; '));
}

/** Values that the assertions of one level name. */
function answersOf(check: Check, should: boolean): Seen {
  const seen: Seen = new Map();
  for (const step of check.steps) {
    if (!('expect' in step)) continue;
    for (const alternative of step.expect) for (const assertion of alternative) note(seen, assertion, should);
  }
  return seen;
}

/** Lane modes of the addresses that modern clients will be served at. */
const modesOf = (context: Context): ReadonlySet<LaneMode> => new Set(modernAddresses(context).map(({ lane }) => lane));

/** Does the check say anything about this repository? Feature preconditions are left to the run, which answers "not applicable". */
function applies(context: Context, check: Check, modes: ReadonlySet<LaneMode>): boolean {
  if (check.class === 'attest') return false;
  // Where no old client is served, only the end of their lane is left to check.
  if (check.era === 'legacy' && modes.size > 0 && [...modes].every((mode) => mode === 'none') && !check.needs.includes('retired')) return false;
  if (check.lanes !== undefined && modes.size > 0 && !check.lanes.some((lane) => modes.has(lane))) return false;
  switch (check.transport) {
    case 'http':
      return modes.size > 0 || (context.kind === 'elsewhere' && context.legacyExists);
    case 'sse':
      return modes.size > 0 && context.http.some((endpoint) => endpoint.transport === 'sse');
    case 'stdio':
      return context.stdio.length > 0;
    // Clients of others are asked for in the open questions.
    case 'client':
      return context.scan.inventory.clients.length > 0;
  }
}

/** What a command needs to know beside the check: the lane mode, and whether old clients have an address of their own. */
interface CommandOptions {
  readonly lane?: LaneMode | undefined;
  readonly separate?: boolean;
}

/** The command of a line, as it is typed after the variables were set. */
export function commandOf(check: Pick<Check, 'id' | 'transport' | 'class' | 'era' | 'needs'>, options: CommandOptions = {}): string {
  const flags = [
    `--only ${check.id}`,
    ...(check.class === 'quick' ? [] : [`--class ${check.class}`]),
    ...(options.lane === undefined ? [] : [`--lane ${options.lane}`]),
    ...(options.separate === true && check.era !== 'modern' ? ['--legacy-url "$MCP_LEGACY_URL"'] : []),
    ...(check.transport === 'sse' || check.needs.includes('sse') ? ['--sse-url "$MCP_SSE_URL"'] : []),
    ...(check.needs.includes('replica') ? ['--replica "$MCP_REPLICA"'] : []),
    ...(check.needs.includes('retired') ? ['--retired'] : []),
  ].join(' ');
  if (check.transport === 'client') return `npx unsession verify --client ${flags} -- $MCP_CLIENT`;
  return check.transport === 'stdio' ? `npx unsession verify --stdio ${flags} -- $MCP_COMMAND` : `npx unsession verify "$MCP_URL" ${flags}`;
}

const SHOWN: Readonly<Record<string, ChecklistEntry['evidence']>> = {
  pass: 'pass',
  fail: 'fail',
  warn: 'warn',
  'not-applicable': 'not-applicable',
  'not-tested': 'not-tested',
  inconclusive: 'inconclusive',
};

/** Part 14: one line per check, with the evidence of a verify run where there is one; anything else is "not tested". */
export function checklist(context: Context): readonly ChecklistEntry[] {
  const modes = modesOf(context);
  const evidence = new Map(context.options.evidence?.results.map((result) => [result.id, result]));
  const one = modes.size === 1 ? [...modes][0] : undefined;
  return context.checks
    .filter((check) => applies(context, check, modes))
    .map((check) => {
      const result = evidence.get(check.id);
      const items = context.scan.plan.items.filter((item) => item.closes.includes(check.id));
      const rules = new Set(items.map((item) => item.concern));
      const verdict = result === undefined ? 'not-tested' : (SHOWN[result.verdict] ?? 'not-tested');
      const showNote = result !== undefined && verdict !== 'pass';
      return {
        id: check.id,
        title: check.title,
        command: commandOf(check, { lane: check.era === 'modern' || check.transport === 'client' ? undefined : one, separate: modes.has('separate') }),
        expected: expectedOf(check),
        era: check.era,
        level: check.level,
        closes: [...rules],
        evidence: verdict,
        ...(showNote ? { note: words(result.reason) } : {}),
      };
    });
}

/** Checks that no tool can run: a person attests them. */
export const attested = (context: Context): readonly Check[] => {
  const modes = modesOf(context);
  return context.checks.filter((check) => check.class === 'attest' && applies(context, { ...check, class: 'quick' }, modes));
};

/** Completion criteria that span checks: nothing left to migrate, both eras answer, two replicas, parallel calls, no session assertions lost. */
export function completion(context: Context): RunbookModel['completion'] {
  if (context.kind === 'none') return [];
  const row = (key: string, command: string, data?: MessageData) => ({ criterion: say(`completion.${key}`, data), command });
  const scans = [
    row('scan', 'npx unsession scan --fail-on warning'),
    row('idempotent', 'npx unsession migrate --check'),
    row('docs', 'npx unsession scan --only stale-instructions --fail-on note'),
  ];
  const addresses = modernAddresses(context);
  const live = addresses.map(({ endpoint, path }, index) =>
    row('both-eras', `npx unsession verify "$${urlVariable(index)}"`, { path: path ?? pathOf(endpoint) }),
  );
  if (context.kind === 'elsewhere' && context.legacyExists) live.push(row('elsewhere', 'npx unsession verify "$MCP_URL"'));
  const replicas = live.length > 0 ? [row('replicas', 'npx unsession verify "$MCP_URL" --replica "$MCP_REPLICA"')] : [];
  const stdio =
    context.stdio.length > 0
      ? stdioEntries(context).map(({ place }, index) => row('stdio', `npx unsession verify --stdio -- $${commandVariable(index)}`, { place }))
      : [];
  const client = context.scan.inventory.clients.length > 0 ? [row('client', 'npx unsession verify --client -- $MCP_CLIENT')] : [];
  const { sunset, owner } = context.options;
  const evidence =
    live.length > 0
      ? [
          row('evidence', 'npx unsession verify "$MCP_URL" --format json --output verify.json'),
          row('filled', `npx unsession runbook --evidence verify.json --sunset ${sunset} --owner ${shellWord(owner)}`),
        ]
      : [];
  return [...scans, ...live, ...replicas, ...stdio, ...client, ...evidence];
}
