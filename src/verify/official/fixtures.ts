import type { Peer } from '../discover/peer.js';
import { LEGACY_REVISION } from '../protocol.js';
import { valueAt, valuesAt } from '../evaluate/path.js';

/** What a scenario of the official suite calls by name: it says nothing about a server that does not have it. */
interface Fixture {
  readonly tool?: string;
  readonly prompt?: string;
  readonly resource?: string;
  /** Server capability, as a path. */
  readonly capability?: string;
  /** Any tool with a mirrored parameter. */
  readonly mirrored?: true;
  /** A legacy lane that keeps sessions, over which the server can ask and push. */
  readonly sessions?: true;
}

const tool = (name: string, more: Fixture = {}): Fixture => ({ tool: name, ...more });
const prompt = (name: string): Fixture => ({ prompt: name });
const resource = (uri: string): Fixture => ({ resource: uri });
const round = (name: string): Fixture => tool(`test_input_required_result_${name}`);

/** Scenario -> fixture. Source: the names that the suite 0.2.0-alpha.12 sends; a scenario without a row needs none. */
const FIXTURES: Readonly<Record<string, Fixture>> = {
  'tools-list': { capability: 'tools' },
  'tools-call-simple-text': tool('test_simple_text'),
  'tools-call-image': tool('test_image_content'),
  'tools-call-audio': tool('test_audio_content'),
  'tools-call-embedded-resource': tool('test_embedded_resource'),
  'tools-call-mixed-content': tool('test_multiple_content_types'),
  'tools-call-error': tool('test_error_handling'),
  'tools-call-with-progress': tool('test_tool_with_progress'),
  'tools-call-with-logging': tool('test_tool_with_logging'),
  'tools-call-sampling': tool('test_sampling', { sessions: true }),
  'tools-call-elicitation': tool('test_elicitation', { sessions: true }),
  'elicitation-sep1034-defaults': tool('test_elicitation_sep1034_defaults', { sessions: true }),
  'elicitation-sep1330-enums': tool('test_elicitation_sep1330_enums', { sessions: true }),
  'server-sse-polling': tool('test_reconnection', { sessions: true }),
  'server-session-lifecycle': { sessions: true },
  'json-schema-2020-12': tool('json_schema_2020_12_tool'),
  'http-custom-header-server-validation': { mirrored: true },
  'logging-set-level': { capability: 'logging' },
  'completion-complete': { capability: 'completions', prompt: 'test_prompt_with_arguments' },
  'resources-list': { capability: 'resources' },
  'resources-read-text': resource('test://static-text'),
  'resources-read-binary': resource('test://static-binary'),
  'resources-templates-read': resource('test://static-text'),
  'resources-subscribe': { capability: 'resources.subscribe', sessions: true },
  'resources-unsubscribe': { capability: 'resources.subscribe', sessions: true },
  'sep-2164-resource-not-found': { capability: 'resources' },
  'prompts-list': { capability: 'prompts' },
  'prompts-get-simple': prompt('test_simple_prompt'),
  'prompts-get-with-args': prompt('test_prompt_with_arguments'),
  'prompts-get-embedded-resource': prompt('test_prompt_with_embedded_resource'),
  'prompts-get-with-image': prompt('test_prompt_with_image'),
  'input-required-result-basic-elicitation': round('elicitation'),
  'input-required-result-basic-sampling': round('sampling'),
  'input-required-result-basic-list-roots': round('list_roots'),
  'input-required-result-request-state': round('request_state'),
  'input-required-result-multiple-input-requests': round('multiple_inputs'),
  'input-required-result-multi-round': round('multi_round'),
  'input-required-result-missing-input-response': round('elicitation'),
  'input-required-result-non-tool-request': prompt('test_input_required_result_prompt'),
  'input-required-result-result-type': round('elicitation'),
  'input-required-result-tampered-state': round('tampered_state'),
  'input-required-result-capability-check': round('capabilities'),
  'input-required-result-ignore-extra-params': round('elicitation'),
  'input-required-result-validate-input': round('elicitation'),
};

/** Rows of a scenario that need something of their own. */
const ROW_FIXTURES: Readonly<Record<string, Fixture>> = {
  'sep-2549-tools-list-caching-hints': { capability: 'tools' },
  'sep-2549-prompts-list-caching-hints': { capability: 'prompts' },
  'sep-2549-resources-list-caching-hints': { capability: 'resources' },
  'sep-2549-resources-templates-list-caching-hints': { capability: 'resources' },
  'sep-2549-resources-read-caching-hints': resource('test://static-text'),
  'sep-2575-server-rejects-undeclared-capability': tool('test_missing_capability'),
  'sep-2575-server-sends-tools-list-changed-on-subscription': tool('test_trigger_tool_change'),
  'sep-2575-server-sends-prompts-list-changed-on-subscription': tool('test_trigger_prompt_change'),
  'sep-2575-server-no-log-without-loglevel': tool('test_logging_tool'),
  'sep-2575-missing-capability-http-400': tool('test_missing_capability'),
};

const TASKS = 'extensions["io.modelcontextprotocol/tasks"]';

/** What the server does not have although the row is about it, in words; nothing when the row applies. */
export function missingFor(scenario: string, row: string, revision: string, server: Peer): string | undefined {
  const peer = revision === LEGACY_REVISION ? { ...server, capabilities: server.legacyCapabilities } : server;
  if (scenario.startsWith('tasks-'))
    return valueAt(peer.capabilities, TASKS) === undefined ? 'the tasks extension' : 'the fixture tools of the tasks scenarios';
  return lacking(FIXTURES[scenario], peer) ?? lacking(ROW_FIXTURES[row], peer);
}

function lacking(fixture: Fixture | undefined, peer: Peer): string | undefined {
  if (!fixture) return undefined;
  if (fixture.capability !== undefined && valueAt(peer.capabilities, fixture.capability) === undefined) return `the capability ${fixture.capability}`;
  if (fixture.sessions && !peer.sessions) return 'a legacy lane with sessions';
  if (fixture.tool !== undefined && !peer.tools.some((known) => known.name === fixture.tool)) return `the tool ${fixture.tool}`;
  if (fixture.mirrored && !peer.tools.some((known) => valuesAt(known.inputSchema, 'properties[x-mcp-header]').values.length > 0))
    return 'a tool with x-mcp-header';
  if (fixture.prompt !== undefined && !peer.promptNames.includes(fixture.prompt)) return `the prompt ${fixture.prompt}`;
  if (fixture.resource !== undefined && !peer.resources.includes(fixture.resource)) return `the resource ${fixture.resource}`;
  return undefined;
}
