import type { Check } from '../../src/core/check.js';
import { reacting } from './client/reacting.js';
import { sending } from './client/sending.js';
import { calls } from './http/calls.js';
import { endpoint } from './http/endpoint.js';
import { flows } from './http/flows.js';
import { metadata } from './http/metadata.js';
import { legacyWindow } from './legacy.js';
import { overStdio } from './stdio.js';

/** All executable checks of the revision, by id. */
export const checks: readonly Check[] = [...endpoint, ...metadata, ...calls, ...flows, ...overStdio, ...sending, ...reacting, ...legacyWindow];
