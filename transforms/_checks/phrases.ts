import type { Assertion, CheckRequest, ExchangeStep, Expectation } from '../../src/core/check-step.js';

/** Words that many checks share. Plain data; loading this costs nothing. */

const say = (at: string, test: Omit<Assertion, 'at'>): Assertion => ({ at, ...test });

export const status = (...codes: number[]): Assertion => say('status', codes.length === 1 ? { is: codes[0] } : { oneOf: codes });
export const code = (...codes: number[]): Assertion => say('error.code', codes.length === 1 ? { is: codes[0] } : { oneOf: codes });
export const echoesId: Assertion = say('id', { is: '{id}' });
export const noResult: Assertion = say('result', { absent: true });
export const noError: Assertion = say('error', { absent: true, because: 'an answer is a result or an error' });
/** No id, or `null`: both are met where the request had none that could be read. Source: basic/index#error-responses; the schema omits it, JSON-RPC says null. */
export const namelessId: Assertion = say('message.id', { unlike: '^(?!null$)', because: 'no id was readable' });
export const noSession: Assertion = say('header.mcp-session-id', { absent: true, because: 'modern traffic has no session' });
export const refused4xx: Assertion = say('status', { atLeast: 400, below: 500 });

/** The same assertion as a warning. */
export const should = (assertion: Assertion): Assertion => ({ ...assertion, level: 'should' });

/** A JSON-RPC error with this status and code, id echoed, no result. */
export const errs = (http: number, rpc: number): readonly Assertion[] => [status(http), code(rpc), echoesId, noResult];
export const rejects = (http: number, rpc: number): Expectation => [errs(http, rpc)];

/** A result over stdio with the id of the request. */
export const resultLine: readonly Assertion[] = [say('result', { typeOf: 'object' }), echoesId];

/** The two media types that an answer may have. */
export const mediaType: Assertion = say('type', { oneOf: ['application/json', 'text/event-stream'] });

/** A result with status 200 and the id of the request. */
export const answered: readonly Assertion[] = [status(200), say('result', { typeOf: 'object' }), echoesId];
export const serves: Expectation = [answered];

/** An error of a handler: its HTTP status is not specified, both 200 and 400 occur. */
export const handlerErr = (rpc: number): readonly Assertion[] => [status(200, 400), code(rpc), echoesId, noResult];

export const step = (request: CheckRequest, expect: Expectation, more: Omit<ExchangeStep, 'request' | 'expect'> = {}): ExchangeStep => ({
  ...more,
  request,
  expect,
});

/** A call of the tool that plays this role, with its arguments; more parameters are added beside them. */
export const call = (role: string, more: CheckRequest = {}): CheckRequest => ({
  method: 'tools/call',
  ...more,
  params: { name: `{${role}.name}`, arguments: `{${role}.args}`, ...(typeof more.params === 'object' ? more.params : {}) },
});

export const SERVER_INFO = 'result._meta["io.modelcontextprotocol/serverInfo"].name';
export const SUBSCRIPTION = '_meta["io.modelcontextprotocol/subscriptionId"]';
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';
export const LOG_KEY = 'io.modelcontextprotocol/logLevel';
export const TASKS = 'io.modelcontextprotocol/tasks';

export const HTTP = 'basic/transports/streamable-http';
export const STDIO = 'basic/transports/stdio';
