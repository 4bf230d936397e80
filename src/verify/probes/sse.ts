import type { Answer, StreamEvent } from '../answer.js';
import { valuesAt } from '../evaluate/path.js';
import { LEGACY_REVISION } from '../protocol.js';
import type { Probe, ProbeOutcome } from './index.js';

const must = (text: string): ProbeOutcome => ({ deviations: [{ level: 'must', text }] });

/** Opens the HTTP+SSE stream, posts a handshake to the address of its first event, and reads the answer from the stream. */
export const sseBridge: Probe = async ({ wire, variables }) => {
  const stream = new URL(String(variables['sse']), String(variables['url']));
  const post = (events: readonly StreamEvent[]): URL | undefined => (events[0]?.event === 'endpoint' ? new URL(events[0].data, stream) : undefined);
  const answer = await wire.exchange(
    { era: 'raw', to: 'sse', verb: 'GET', headers: { Accept: 'text/event-stream' }, readFor: 1500, until: 'messages[result]' },
    (events) => {
      const address = post(events);
      if (address?.origin !== stream.origin) return [];
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 6,
        method: 'initialize',
        params: { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo: { name: 'old', version: '1' } },
      });
      return [{ era: 'raw', to: address.href, headers: { 'Content-Type': 'application/json' }, body }];
    },
  );
  if (answer.status !== 200 || answer.type !== 'text/event-stream')
    return must(`GET must open a stream; saw HTTP ${String(answer.status)} ${answer.type ?? ''}`);
  const address = post(answer.events);
  if (!address) return must(`the first event must be "endpoint"; saw ${JSON.stringify(answer.events[0]?.event)}`);
  if (address.origin !== stream.origin) return must(`the announced address must be on the same origin; saw ${address.origin}`);
  return judge(answer, address.pathname === new URL(String(variables['url'])).pathname);
};

function judge(answer: Answer, merged: boolean): ProbeOutcome {
  const [posted] = answer.during;
  if (posted?.status !== 202 && posted?.status !== 200) return must(`a POST to the announced address must be accepted; saw HTTP ${String(posted?.status)}`);
  if (valuesAt(answer, 'messages[id="6"].result.protocolVersion').values.length === 0)
    return must('the answer to initialize must arrive on the stream; it did not');
  return { deviations: merged ? [{ level: 'should', text: 'the announced address is the modern endpoint; keep the old POST route apart' }] : [] };
}
