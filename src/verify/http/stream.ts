import { createParser } from 'eventsource-parser';
import { parseJson, type StreamEvent } from '../answer.js';

/** What an event stream has brought so far. Text is never kept beyond the event that is being read. */
export interface StreamRecord {
  readonly events: StreamEvent[];
  readonly comments: string[];
  readonly retries: number[];
  readonly messages: unknown[];
}

/** Reads server-sent events piece by piece; `elapsed` gives milliseconds since the request. */
export function readStream(elapsed: () => number): { readonly record: StreamRecord; feed(text: string): void } {
  const record: StreamRecord = { events: [], comments: [], retries: [], messages: [] };
  const parser = createParser({
    onEvent: (event) => {
      record.events.push({
        ...(event.id === undefined ? {} : { id: event.id }),
        ...(event.event === undefined ? {} : { event: event.event }),
        data: event.data,
        at: elapsed(),
      });
      const parsed = event.event === undefined || event.event === 'message' ? parseJson(event.data) : undefined;
      if (parsed) record.messages.push(parsed.value);
    },
    onComment: (comment) => record.comments.push(comment),
    onRetry: (retry) => record.retries.push(retry),
  });
  return { record, feed: (text) => parser.feed(text) };
}
