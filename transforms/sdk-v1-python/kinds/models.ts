import type { Kind } from '../../../src/core/index.js';
import { SILENT } from './silent.js';

/** Objects of `mcp.types`: fields, dumps, wrappers. */
export const models = {
  'camel-read': {
    what: 'Reads the field `{name}` of an SDK object.',
    why: 'The fields of SDK v2 are in snake case: the read raises `AttributeError`.',
    next: 'Read `{target}`.',
    impact: 'breaks',
  },
  'camel-default': {
    what: 'Asks for the field `{name}` by a string ({form}).',
    why: `In SDK v2 the field is \`{target}\`: the default is taken, failed calls count as good ones, lists end after a page, and schemas are empty. ${SILENT}`,
    next: 'Ask for `{target}`, and give no default that hides a missing field.',
    impact: 'breaks',
  },
  'both-spellings': {
    what: 'Asks for the field `{name}` beside `{target}`, its name in SDK v2.',
    why: 'It reads objects of both majors, so nothing breaks with either of them.',
    next: 'Leave it while both majors are supported; then read `{target}` alone.',
    impact: 'none',
  },
  'camel-write': {
    what: 'Sets the field `{name}` of an SDK object.',
    why: 'SDK v2 raises `ValueError` for a field that it does not know; on a mock the new field stays unset.',
    next: 'Set the field `{target}`.',
    impact: 'breaks',
  },
  'camel-keyword': {
    what: 'Passes `{name}=` to `{callee}`.',
    why: 'SDK v2 spells it in snake case. The old spelling still runs as an alias, and type checkers reject it.',
    next: 'Write `{target}` when v1 is no longer supported; v1 ignores or rejects the new spelling.',
    impact: 'degrades',
  },
  'empty-schema': {
    what: 'Gives a tool a schema without a type (`{name}`).',
    why: 'SDK v2 checks what it sends and what it receives: a schema that does not say `"type": "object"` is refused, and with it the whole list of tools.',
    next: 'Write `{"type": "object"}`, which both majors take.',
    impact: 'breaks',
  },
  'field-key': {
    what: 'Names the field `{name}` in {form}.',
    why: `The keys are those of the model, in snake case since SDK v2: the entry is ignored. ${SILENT}`,
    next: 'Write `{target}`.',
    impact: 'breaks',
  },
  'redeclared-field': {
    what: 'Declares the field `{name}` again in a subclass of an SDK model.',
    why: 'In SDK v2 it would be a second field next to `{target}`.',
    next: 'Declare `{target}`.',
    impact: 'breaks',
  },
  'model-dump': {
    what: 'Turns an SDK object into data with `{call}`.',
    why: `SDK v2 dumps snake case unless it is told otherwise: what reads the data finds other keys. ${SILENT}`,
    next: 'Pass `by_alias=True`; v1 gives the same with it.',
    impact: 'breaks',
  },
  'uri-type': {
    what: 'Treats a URI of the SDK as a pydantic URL: {form}.',
    why: 'URIs are plain strings in SDK v2: a URL object is rejected, and its attributes do not exist.',
    next: 'Pass and read a string; use `urllib.parse` for its parts. v1 takes strings too.',
    impact: 'breaks',
  },
  'request-meta': {
    what: 'Reads `{name}` of the request metadata as an attribute.',
    why: 'The metadata is a dictionary in SDK v2.',
    next: 'Write `.get("{target}")`.',
    impact: 'breaks',
  },
  'union-wrapper': {
    what: 'Uses the wrapper around a union of messages: {form}.',
    why: 'The unions of SDK v2 are plain types: there is nothing to call and no `.root`.',
    next: 'Use the message itself.',
    impact: 'breaks',
  },
} as const satisfies Record<string, Kind>;
