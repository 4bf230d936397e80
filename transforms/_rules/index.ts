import type { Rule } from '../../src/core/index.js';
import { modernFallback, postRedirect, serverRequest, sessionAsModern, sharedCapabilities, streamResume } from './hard-rejects.js';
import { blindRetry, hiddenAffinity, publicExposure } from './refusals.js';

/** The six hard rejects, then the three refusals. Each can be accepted, for one endpoint or file or for the whole rule, with a reason that the runbook records. */
export const rules: readonly Rule[] = [
  sessionAsModern,
  sharedCapabilities,
  serverRequest,
  streamResume,
  modernFallback,
  postRedirect,
  publicExposure,
  hiddenAffinity,
  blindRetry,
];
