import type { Assessment, Finding, Remedy, WorkItem } from '../../src/core/index.js';

interface Answer {
  readonly remedy: Remedy;
  readonly reason: string;
  readonly todo: readonly string[];
}

const place = (finding: Finding): string => `${finding.site.file}:${finding.site.line}`;

/** Questions to the client: one round is a return and a second run of the handler. */
function questions(findings: readonly Finding[]): Answer {
  const blocked = findings.filter((finding) => finding.data.handler !== true);
  const repeated = findings.filter((finding) => Number(finding.data.before ?? 0) > 0);
  const todo = findings.map(
    (finding) =>
      `${place(finding)}: return \`input_required\`, keep the branch for a refusal${Number(finding.data.before ?? 0) > 0 ? ', and make sure that what stands before the question happens once' : ''}`,
  );
  if (blocked.length > 0)
    return {
      remedy: 'manual',
      reason: `${blocked.map(place).join(', ')}: the question is not a plain statement of a registered handler (it stands in a helper, a branch, a loop or a \`try\`), and only a handler can return it`,
      todo,
    };
  if (repeated.length > 0)
    return {
      remedy: 'manual',
      reason: `${repeated.map(place).join(', ')}: something awaited runs before the question and would run again with every round`,
      todo,
    };
  return {
    remedy: 'guided',
    reason: 'each question is a plain statement of a registered handler and nothing awaited runs before it, so the handler may run again',
    todo,
  };
}

const BY_GROUP: Readonly<Record<string, readonly [remedy: Remedy, reason: string, todo: string]>> = {
  ping: ['manual', 'what a failed ping does (close, restart, count) decides the cure', 'run the heartbeat for the legacy lane only, or delete it'],
  logging: [
    'guided',
    'each call has one successor on the context of its request; calls outside of a request have none',
    'log through `ctx.mcpReq.log`; log to stderr outside of requests',
  ],
  'list-changed': [
    'manual',
    'what is enabled must live where every instance and every request sees it, and only its owner knows where that is',
    'keep the toggle outside of the server object and notify listeners with `handler.notify`',
  ],
  'resource-updated': [
    'guided',
    'each notification has one successor, `handler.notify`; several instances need a common bus',
    'notify listeners; connect instances with a notification bus',
  ],
  progress: ['guided', 'the handler has or can get the context of its request', 'send progress with `ctx.mcpReq.notify`'],
};

/** Decides how far a group of pushes can be helped, from what was seen at each place. */
export function assess(item: WorkItem, known: Assessment): Answer {
  const own = new Set(item.findings);
  const findings = known.findings.filter((finding) => own.has(finding.fingerprint));
  const [remedy, reason, todo] = BY_GROUP[item.group] ?? [];
  if (remedy === undefined || reason === undefined || todo === undefined) return questions(findings);
  return { remedy, reason, todo: [`${findings.map(place).join(', ')}: ${todo}`] };
}
