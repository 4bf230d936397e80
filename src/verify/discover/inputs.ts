import { isRecord } from '../answer.js';
import { valueAt } from '../evaluate/path.js';

/** All client capabilities of the revision. Source: schema `ClientCapabilities`. */
export const EVERYTHING: Readonly<Record<string, unknown>> = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };

/** Plausible answers to the input requests of a result, by key: accepted forms filled after their schema, a canned completion, one root. */
export function answerInputs(requests: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(requests).map(([key, request]) => [key, answerOf(request)]));
}

function answerOf(request: unknown): unknown {
  switch (valueAt(request, 'method')) {
    case 'sampling/createMessage':
      return { role: 'assistant', content: { type: 'text', text: 'Oslo' }, model: 'unsession', stopReason: 'endTurn' };
    case 'roots/list':
      return { roots: [{ uri: 'file:///srv/project', name: 'project' }] };
    default:
      return valueAt(request, 'params.mode') === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: contentOf(valueAt(request, 'params.requestedSchema')) };
  }
}

function contentOf(schema: unknown): Record<string, unknown> {
  const properties = valueAt(schema, 'properties');
  if (!isRecord(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, sample(property)]));
}

function sample(property: unknown): unknown {
  const fixed = valueAt(property, 'default') ?? valueAt(property, 'enum[0]') ?? valueAt(property, 'oneOf[0].const');
  if (fixed !== undefined) return fixed;
  switch (valueAt(property, 'type')) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return valueAt(property, 'minimum') ?? 1;
    case 'array':
      return [sample(valueAt(property, 'items'))];
    default:
      return textFor(valueAt(property, 'format'));
  }
}

function textFor(format: unknown): string {
  if (format === 'email') return 'ada@example.com';
  if (format === 'uri') return 'https://example.com/';
  if (format === 'date') return '2026-07-28';
  return format === 'date-time' ? '2026-07-28T00:00:00Z' : 'Ada';
}
