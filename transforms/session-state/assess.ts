import type { Assessment, Remedy, WorkItem } from '../../src/core/index.js';

/** Why each kind stays with a person, and what that person does. No use is rewritten: who owns the state is not in the code. */
const ANSWERS: Readonly<Record<string, { readonly remedy: Remedy; readonly reason: string; readonly todo: string }>> = {
  'keyed-store': {
    remedy: 'guided',
    reason: 'the store and its uses are known; who owns an entry, how long it lives and where it is shared is not in the code',
    todo: 'decide owner, lifetime and quota of the handle, then pass it as a tool argument',
  },
  'lifespan-state': {
    remedy: 'manual',
    reason: 'whether it belongs to a caller or to the process is not in the code',
    todo: 'look at what the lifespan makes, and move what belongs to one caller',
  },
  'weak-store': {
    remedy: 'guided',
    reason: 'the store is known; what the caller names instead of the object is not in the code',
    todo: 'replace the object key by an explicit handle',
  },
  'closure-variable': {
    remedy: 'manual',
    reason: 'whether it belongs to the request, the caller or the process is a decision: each gives another result',
    todo: 'decide where it lives, then move it',
  },
  'live-resource': {
    remedy: 'guided',
    reason: 'a live resource cannot move between instances; handle, owner, lifetime and cleanup must be designed together',
    todo: 'design handle, owner, lifetime, cleanup and the answer of an instance that does not hold it',
  },
  'policy-key': {
    remedy: 'manual',
    reason: 'another key changes who is limited; a wrong one fails open or refuses everybody',
    todo: 'key it by principal, keep the refusal without one, test two callers and an anonymous one',
  },
  'required-session': {
    remedy: 'manual',
    reason: 'removing the check would let everybody in, keeping it refuses every modern caller',
    todo: 'resolve an identity before the check and keep the refusal',
  },
  'unchecked-caller': {
    remedy: 'manual',
    reason: 'who the caller is instead is not in the code; refusing everybody without a session id would stop every modern caller',
    todo: 'check the principal of the caller and refuse a caller without one; test two callers and an anonymous one',
  },
  'shared-key': {
    remedy: 'manual',
    reason: 'another key changes who shares what; which one is meant is not in the code',
    todo: 'key it by principal or handle, and refuse a caller without either',
  },
  'credential-cache': {
    remedy: 'refused',
    reason: 'credentials are never rewritten by a tool: a wrong edit gives access',
    todo: 'verify the credential of every request, in both lanes, before the session code goes',
  },
  'capability-cache': {
    remedy: 'manual',
    reason: 'each reader of the shared value must get it from its own request instead',
    todo: 'read capabilities and identity from the context of the request',
  },
  'telemetry-label': {
    remedy: 'guided',
    reason: 'the place is known; which label the dashboards need is not in the code',
    todo: 'label modern requests by request id, trace or principal; tell the owner of the dashboards',
  },
  'required-in-schema': {
    remedy: 'guided',
    reason: 'the field is known; consumers of the event must agree to its absence',
    todo: 'make the field optional and log refused events, before the switch',
  },
};

/** Decides the remedy of an item by its worst kind. */
export function assess(item: WorkItem, known: Assessment): { readonly remedy: Remedy; readonly reason: string; readonly todo: readonly string[] } {
  const own = new Set(item.findings);
  const findings = known.findings.filter((finding) => own.has(finding.fingerprint));
  const rank: readonly Remedy[] = ['refused', 'manual', 'guided'];
  const answers = [...new Set(findings.map((finding) => finding.id.slice(finding.id.indexOf('/') + 1)))].flatMap((kind) => ANSWERS[kind] ?? []);
  const inPython = item.group.endsWith(' in Python');
  const worst = inPython ? 'manual' : (rank.find((remedy) => answers.some((answer) => answer.remedy === remedy)) ?? 'manual');
  const first = answers.find((answer) => answer.remedy === worst) ?? answers[0];
  const names = [...new Set(findings.map((finding) => String(finding.data.name ?? '')).filter((name) => name !== ''))].join(', ');
  return {
    remedy: worst,
    reason: first?.reason ?? 'what it is for is not in the code',
    todo: answers.map((answer) => (names === '' ? answer.todo : `${names}: ${answer.todo}`)),
  };
}
