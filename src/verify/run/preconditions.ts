import type { Check, Precondition } from '../../core/check.js';
import type { Verdict } from '../../core/verify-report.js';
import type { Peer } from '../discover/peer.js';
import { isSet, type Variables } from '../evaluate/fill.js';
import type { Settings } from '../options.js';

/** A check that cannot say anything, and why. */
export interface Unmet {
  readonly verdict: Extract<Verdict, 'not-applicable' | 'not-tested' | 'inconclusive'>;
  readonly reason: string;
}

const absent = (what: string): Unmet => ({ verdict: 'not-applicable', reason: `The server does not offer ${what}.` });
const tool = (what: string): Unmet => ({
  verdict: 'not-tested',
  reason: `No tool that may be called ${what}; allow one with --allow-tool name or --allow-tool 'name={"argument":"value"}'.`,
});

const UNMET: Readonly<Record<Precondition, Unmet>> = {
  modern: { verdict: 'not-tested', reason: 'The server does not serve the modern revision.' },
  legacy: absent('a legacy lane'),
  tools: absent('tools'),
  resources: absent('resources'),
  prompts: absent('prompts'),
  resource: { verdict: 'not-tested', reason: 'The server lists no resource.' },
  prompt: { verdict: 'not-tested', reason: 'The server lists no prompt without required arguments.' },
  subject: { verdict: 'not-tested', reason: 'Needs a tool that may be called, a prompt or a resource; allow a tool with --allow-tool name.' },
  'allowed-tool': tool('answers with a plain result'),
  'header-tool': tool('mirrors a parameter with x-mcp-header'),
  'progress-tool': tool('reports progress'),
  'eliciting-tool': tool('asks for input'),
  'state-tool': tool('uses requestState'),
  'capability-tool': tool('needs a client capability'),
  'log-tool': tool('sends log messages'),
  'slow-tool': { verdict: 'not-tested', reason: 'Needs a tool that runs for some seconds; name it: --tool slow=name.' },
  'observer-tool': { verdict: 'not-tested', reason: 'Needs a tool that shows how many calls are running; name it: --tool observer=name.' },
  'change-tool': { verdict: 'not-tested', reason: 'Needs a tool or a command that changes the tool list: --tool change=name or --control change="command".' },
  logging: absent('logging'),
  subscriptions: absent('change notifications (no listChanged or subscribe capability)'),
  'list-changes': absent('tools.listChanged'),
  tasks: absent('the tasks extension'),
  sessions: absent('sessions on its legacy lane'),
  replica: { verdict: 'not-tested', reason: 'Needs a second instance: --replica URL.' },
  token: { verdict: 'not-tested', reason: 'Needs a valid token: --token-env VARIABLE or --token-file FILE.' },
  origin: { verdict: 'not-tested', reason: 'Needs an origin that the server allows: --origin https://app.example.' },
  protected: { verdict: 'not-applicable', reason: 'The server answers without authorization.' },
  sse: { verdict: 'not-tested', reason: 'Needs the address of the HTTP+SSE stream: --sse-url.' },
  control: { verdict: 'not-tested', reason: 'Needs a command that stops or restarts the server: --control restart="command".' },
  health: { verdict: 'not-tested', reason: 'Needs the address that balancers ask: --health-url.' },
  retired: { verdict: 'not-applicable', reason: 'The removal date of the legacy routes is not said to have passed (--retired).' },
};

/** The first precondition that is not met. */
export function unmet(needs: readonly Precondition[], peer: Peer, variables: Variables, settings: Settings): Unmet | undefined {
  const missing = needs.find((need) => !isMet(need, peer, variables, settings));
  return missing === undefined ? undefined : UNMET[missing];
}

/** What the steps of a check would have needed, when none of them ran for want of a tool. */
export function unmetStep(check: Check, variables: Variables): Unmet | undefined {
  const missing = check.steps.flatMap((step) => step.when ?? []).filter((name) => !name.startsWith('!') && !isSet(name, variables));
  const needs = missing.map((name) => (name === 'tool' ? 'allowed-tool' : `${name.split('.')[0] ?? ''}-tool`));
  const need = needs.find((name): name is Precondition => name in UNMET);
  return need === undefined ? undefined : UNMET[need];
}

function isMet(need: Precondition, peer: Peer, variables: Variables, settings: Settings): boolean {
  switch (need) {
    case 'modern':
      return peer.modern;
    case 'legacy':
      return peer.legacy && !peer.sseOnly;
    case 'tools':
    case 'resources':
    case 'prompts':
    case 'logging':
      return need in peer.capabilities;
    case 'subscriptions':
      return isSet('changes', variables) || isSet('capabilities.resources.subscribe', variables);
    case 'list-changes':
      return isSet('capabilities.tools.listChanged', variables);
    case 'tasks':
      return isSet('capabilities.extensions["io.modelcontextprotocol/tasks"]', variables);
    case 'sessions':
    case 'token':
    case 'sse':
    case 'subject':
    case 'resource':
    case 'prompt':
    case 'origin':
    case 'replica':
    case 'health':
      return isSet(need, variables);
    case 'protected':
      return peer.wall?.kind === 'auth' || settings.token !== undefined;
    case 'control':
      return settings.control?.stop !== undefined || settings.control?.restart !== undefined;
    case 'retired':
      return settings.retired === true;
    case 'change-tool':
      return isSet('change', variables) || isSet('control.change', variables);
    case 'allowed-tool':
      return isSet('tool', variables);
    default:
      return isSet(need.replace('-tool', ''), variables);
  }
}
