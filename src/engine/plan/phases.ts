import type { Inventory, LaneDecision, Phase, WorkItem } from '../../core/index.js';

/** Categories whose items must be ready before a modern client is let in: what they keep has no session to live in any more. */
const BEFORE_ENTRY: ReadonlySet<WorkItem['category']> = new Set(['state', 'resource', 'policy', 'auth']);
const INFRA: ReadonlySet<WorkItem['category']> = new Set(['infra', 'gateway']);
/** What clients are handed and bring back: code that does not know it cannot serve them any more. */
const HANDED_OUT: ReadonlySet<WorkItem['category']> = new Set(['state', 'resource']);

interface Known {
  readonly items: readonly WorkItem[];
  readonly lanes: readonly LaneDecision[];
  readonly inventory: Inventory;
  readonly sunset: string | undefined;
  readonly owner: string | undefined;
}

/**
 * Phases in the order of a roll-out; empty ones are left out, except the first. Each is entered when the one before has met its
 * exit criteria. Nothing here is guessed: a phase exists because items, lanes or a kept legacy lane ask for it.
 */
export function phasesOf(known: Known): readonly Phase[] {
  const { items, lanes, inventory } = known;
  const sdk = items.filter((item) => item.milestone === 'sdk');
  const entry = items.filter((item) => item.milestone === 'entry');
  const oneWay = entry.filter((item) => typeof item.data.oneWay === 'string');
  const state = entry.filter((item) => BEFORE_ENTRY.has(item.category) && !oneWay.includes(item));
  const infra = entry.filter((item) => INFRA.has(item.category) && !oneWay.includes(item));
  const code = entry.filter((item) => !state.includes(item) && !infra.includes(item) && !oneWay.includes(item));
  const handed = state.filter((item) => HANDED_OUT.has(item.category));
  const kept = lanes.filter((lane) => lane.choice !== 'none' && serves(inventory, lane.endpoint));
  const dropped = lanes.filter((lane) => lane.choice === 'none' && serves(inventory, lane.endpoint));

  const phases: readonly (Phase | undefined)[] = [
    phase(
      'prepare',
      'Record the state before',
      [],
      ['The plan is approved.'],
      [
        'Legacy clients, session counts and error rates are measured for each endpoint.',
        'The checks of the legacy era are recorded against the deployed build.',
      ],
      'Nothing was changed.',
    ),
    sdk.length > 0
      ? {
          ...phase(
            'sdk',
            'Raise the SDK',
            sdk,
            ['All tests pass on the present code.'],
            [
              'Types and tests pass.',
              'The checks of the legacy era give the results recorded before: the wire has not changed.',
              ...(inventory.endpoints.some((endpoint) => endpoint.bothEras === true && endpoint.era === 'legacy')
                ? ['Modern clients are answered where the SDK serves both eras by itself.']
                : []),
            ],
            'Revert the patch of the milestone "sdk", reinstall, redeploy.',
          ),
          milestone: 'sdk',
        }
      : undefined,
    state.length > 0
      ? {
          ...phase(
            'state',
            'Give session state explicit handles and keys',
            state,
            ['Every owner of a state item has agreed to its plan.'],
            ['No code of the modern lane reads a session id.', 'Handles are bound to the authenticated principal.'],
            'Revert the change and redeploy: no client holds a handle yet.',
          ),
          milestone: 'entry',
        }
      : undefined,
    code.length > 0
      ? {
          ...phase(
            'entry',
            'Serve both eras',
            code,
            ['The items of the phases before are done or recorded as exceptions.'],
            ['Types and tests pass.', 'The checks of both eras pass against one replica.'],
            'Revert the patch of the milestone "entry" and redeploy; legacy clients initialize again.',
          ),
          milestone: 'entry',
        }
      : undefined,
    infra.length > 0
      ? {
          ...phase(
            'infra',
            'Change gateways, balancers and probes',
            infra,
            ['Every replica runs the dual-era build.'],
            [
              'The checks of the modern era pass against two replicas in turn.',
              'Requests of a legacy session still reach the replica that holds it, as long as such a lane is kept.',
            ],
            'Apply the configuration before; keep it in version control.',
          ),
          milestone: 'entry',
        }
      : undefined,
    handed.length > 0 || dropped.length > 0
      ? phase(
          'traffic',
          'Let modern clients in',
          [],
          ['All phases before have met their exit criteria on every replica.'],
          ['Error rates of both eras stay at the recorded level for the period that the team has chosen.'],
          'Forward only: see the one-way steps.',
          [
            ...(handed.length > 0
              ? [`Handles that clients hold are unknown to the build before: ${listed(handed.map((item) => `${nameOf(item)} (${place(item)})`))}.`]
              : []),
            ...(dropped.length > 0
              ? [
                  `Clients of the earlier revisions are turned away, and those that update cannot be asked to go back: ${listed(dropped.map((lane) => lane.endpoint))}.`,
                ]
              : []),
          ],
        )
      : undefined,
    kept.length > 0
      ? phase(
          'retire',
          known.sunset === undefined ? 'Remove the legacy lane (date not set)' : `Remove the legacy lane on ${known.sunset}`,
          [],
          [
            `The owner (${known.owner ?? 'not named'}) confirms that the legacy lane has no traffic.`,
            known.sunset === undefined ? 'A removal date is set and announced.' : `The day is ${known.sunset} or later.`,
          ],
          ['The checks for a modern-only server pass.', 'No marker of the legacy lane is left in the code.'],
          'Redeploy the build before. Clients that were turned away have to connect again.',
          [`Clients that speak only the earlier revisions can no longer connect: ${listed(kept.map((lane) => lane.endpoint))}.`],
        )
      : undefined,
    oneWay.length > 0
      ? phase(
          'clean',
          'Take away what only sessions needed',
          oneWay,
          ['The phases before have met their exit criteria.', 'What is worth keeping was exported.'],
          ['No build that is still running, or kept for a roll-back, needs what is taken away.'],
          'Forward only: see the one-way steps.',
          oneWay.map((item) => `${String(item.data.oneWay)} (${place(item)}).`),
        )
      : undefined,
  ];
  return phases.filter((entry): entry is Phase => entry !== undefined);
}

/** The last phase before the first one with a one-way step. The first phase changes nothing, so there always is one. */
export function rollbackBoundary(phases: readonly Phase[]): string {
  const oneWay = phases.findIndex((entry) => entry.oneWay.length > 0);
  return phases[oneWay === -1 ? phases.length - 1 : Math.max(0, oneWay - 1)]?.id ?? 'prepare';
}

const serves = (inventory: Inventory, id: string): boolean =>
  inventory.endpoints.some((endpoint) => endpoint.id === id && endpoint.era !== 'modern' && endpoint.transport !== 'stdio');

/** What an item is about: the name of its state, else its title. */
const nameOf = (item: WorkItem): string => (typeof item.data.name === 'string' && item.data.name !== '' ? item.data.name : item.title);
const listed = (texts: readonly string[]): string => [...new Set(texts)].join(', ');
const place = (item: WorkItem): string => (item.sites[0] ? `${item.sites[0].file}:${item.sites[0].line}` : item.package);

function phase(
  id: string,
  title: string,
  items: readonly WorkItem[],
  entry: readonly string[],
  exit: readonly string[],
  rollback: string,
  oneWay: readonly string[] = [],
): Phase {
  const closes = [...new Set(items.flatMap((item) => item.closes))].sort();
  return {
    id,
    title,
    items: items.map((item) => item.id),
    entry,
    exit: closes.length > 0 ? [...exit, `Checks ${closes.join(', ')} pass.`] : exit,
    reversible: oneWay.length === 0,
    oneWay,
    rollback,
  };
}
