import { defineConcern } from '../../src/core/index.js';
import { data } from './data/index.js';
import { judgeInstances } from './instances.js';
import { python } from './python.js';
import { text } from './text/index.js';
import { typescript } from './typescript.js';

/** The moment of each stage, in words. */
const WHEN: Readonly<Record<string, string>> = {
  observe: 'change it before the server changes',
  dual: 'change it before modern clients come',
  clean: 'change it after the legacy lane is gone',
};

/** Settings around the server that exist because of sessions, or that stop working without them. */
export const concern = defineConcern({
  id: 'sticky-routing',
  title: 'Routing, probes and proxies that count on sessions',
  spec: ['basic#statelessness', 'basic/transports/streamable-http#sending-messages', 'basic/transports/streamable-http#receiving-messages'],
  category: 'infra',
  milestone: 'entry',
  effort: { base: 15, each: 5 },
  kinds: {
    'client-affinity': {
      what: '{holder} pins a client to one instance (`{setting}`).',
      why: 'The legacy lane needs it while it holds sessions; modern requests do not, and behind one address all of them land on one instance.',
      next: 'Keep it until the legacy lane is empty, then remove it (`{setting}`) and raise the number of instances. Restoring the lines takes it back.',
      impact: 'none',
    },
    'address-hash': {
      what: '{holder} chooses the instance by the address of the client (`{setting}`).',
      why: 'The legacy lane needs it while it holds sessions; modern requests from one network or gateway all land on one instance.',
      next: 'Keep it until the legacy lane is empty, then remove `{setting}`.',
      impact: 'tidies',
    },
    'session-header-hash': {
      what: '{holder} chooses the instance by the session id of the request (`{setting}`).',
      why: 'Modern requests carry none: {fate}.',
      next: '{remedy}; remove `{setting}` with the legacy lane.',
      impact: 'degrades',
    },
    'single-instance': {
      what: '{holder} runs one instance and stops it before it starts the next (`{setting}`).',
      why: 'That may be there because sessions live in memory; without them it is an interruption at every deploy.',
      next: 'Ask why it is so; when sessions were the reason, roll without interruption and raise the replicas after the legacy lane is gone.',
      impact: 'tidies',
    },
    'instances-beside-sessions': {
      what: '{holder} runs {amount} (`{setting}`), nothing here pins a client to one of them, and sessions live in the memory of one.',
      why: 'A request whose session is on another instance is answered 400 or 404: clients of the earlier revisions fail at random. Modern requests do not mind.',
      next: 'Serve the legacy lane without sessions where nothing needs them; else run one instance, or pin clients by what an answer gave them (a cookie, a table learned from answers), until that lane is empty.',
      impact: 'degrades',
    },
    'probe-on-endpoint': {
      what: '{holder} has a health check that asks GET `{path}`, the MCP endpoint.',
      why: 'GET on the endpoint answers 405 once the modern entry serves it: the check fails and the instance is restarted in a loop.',
      next: 'Add a health route of its own and point the check there before the server changes.',
      impact: 'breaks',
    },
    'probe-by-ping': {
      what: '{holder} has a health check that seems to speak MCP (`{command}`).',
      why: 'A check by `ping` or `initialize` fails when these methods are gone.',
      next: 'Point the check to a health route of its own before the server changes.',
      impact: 'breaks',
    },
    'probe-in-code': {
      what: 'A health check in the code asks {method} `{path}`, a route of the MCP server.',
      why: 'A stream that is opened to see whether somebody is there is closed again at once, and the route is gone or answers 405 after the change: the check then calls a healthy server dead.',
      next: 'Ask a health route of the server instead, before the server changes.',
      impact: 'degrades',
    },
    'response-buffering': {
      what: 'The proxy buffers responses of `{path}`.',
      why: 'Answers that are streams arrive when they end, or not before the time-out of the client.',
      next: 'Turn buffering off for this path (`proxy_buffering off`), and leave the read time-out long: listen streams are silent for minutes.',
      impact: 'degrades',
      category: 'gateway',
    },
    redirect: {
      what: 'Requests to `{path}` are answered with a redirect (`{setting}`).',
      why: 'A redirect can turn a POST into a GET, drop its body, or send credentials to another place.',
      next: 'Pass the request on inside of the proxy instead.',
      impact: 'breaks',
      category: 'gateway',
    },
  },
  literals: {
    strong: ['mcp_session_id', 'mcp-session-id', 'path: /mcp', 'app: mcp', 'name: mcp', 'location /mcp', 'location = /mcp'],
    weak: [
      'sessionAffinity',
      'affinity',
      'stickiness',
      'sticky',
      'stickinessCookie',
      'ip_hash',
      'hash $',
      'livenessProbe',
      'readinessProbe',
      'startupProbe',
      'Recreate',
      'proxy_pass',
      'consistentHash',
      'session_affinity',
      '/sse',
    ],
    // Settings of proxies and clouds.
    python: {
      strong: [],
      weak: [
        'balance source',
        'balance hdr',
        'stick ',
        'httpchk',
        'lb_policy',
        'health_uri',
        'redir /',
        'hash_policy',
        'hashPolicy',
        'session_state',
        'sessionPersistence',
        'loadBalancerPolicy',
        'hash_on',
        'hashOn',
        'health_check',
        'healthCheck',
        'healthcheck',
        'HealthCheckPath',
        'clientAffinity',
        'client_affinity',
        'SourceIP',
        'proxy-buffering',
        'lb-method',
        'replicas:',
        'replicaCount',
        'maxReplica',
        'kind: Deployment',
        'kind: StatefulSet',
        'serving.knative.dev',
        'DesiredCount',
        'desired_count',
        '::Function',
        'functions',
        'numInstances',
        'maxInstances',
        'numReplicas',
        'min_machines_running',
        '--workers',
        'workers=',
        'prefix: /mcp',
        'prefix: "/mcp"',
      ],
    },
  },
  detect: { data, python, text, typescript },
  judge: (finding, inventory, facts) => (finding.id.endsWith('/instances-beside-sessions') ? judgeInstances(finding, inventory, facts) : finding),
  assess(item, known) {
    const own = new Set(item.findings);
    const findings = known.findings.filter((finding) => own.has(finding.fingerprint));
    return {
      remedy: 'manual',
      reason: 'what runs in front of the server is changed in the order of the phases, by those who operate it',
      todo: findings.map((finding) => `${finding.site.file}:${finding.site.line}: ${WHEN[String(finding.data.stage)] ?? 'change it with the server'}`),
    };
  },
});
