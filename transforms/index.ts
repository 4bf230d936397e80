import type { Check, Concern, FactSource, Host, RevisionChange, Rule } from '../src/core/index.js';
import { hosts } from './_hosts/index.js';
import { changes } from './_mcp/changelog.js';
import { sources } from './_mcp/sources.js';
import { rules } from './_rules/index.js';
import { concern as clientIdentity } from './client-identity/concern.js';
import { concern as clientRecovery } from './client-recovery/concern.js';
import { concern as clientSession } from './client-session/concern.js';
import { concern as drainedBody } from './drained-body/concern.js';
import { concern as eraMistakes } from './era-mistakes/concern.js';
import { concern as eventReplay } from './event-replay/concern.js';
import { concern as frameworkServer } from './framework-server/concern.js';
import { concern as legacyLane } from './legacy-lane/concern.js';
import { concern as legacyTasks } from './legacy-tasks/concern.js';
import { concern as removalPromise } from './removal-promise/concern.js';
import { concern as resourceNotFoundCode } from './resource-not-found-code/concern.js';
import { concern as sdkV1Python } from './sdk-v1-python/concern.js';
import { concern as sdkV1Typescript } from './sdk-v1-typescript/concern.js';
import { concern as serverPush } from './server-push/concern.js';
import { concern as sessionErrorStatus } from './session-error-status/concern.js';
import { concern as sessionHeaders } from './session-headers/concern.js';
import { concern as sessionHolders } from './session-holders/concern.js';
import { concern as sessionPlumbing } from './session-plumbing/concern.js';
import { concern as sessionState } from './session-state/concern.js';
import { concern as sessionTransport } from './session-transport/concern.js';
import { concern as sharedServer } from './shared-server/concern.js';
import { concern as sseTransport } from './sse-transport/concern.js';
import { concern as staleInstructions } from './stale-instructions/concern.js';
import { concern as stdioEntry } from './stdio-entry/concern.js';
import { concern as stickyRouting } from './sticky-routing/concern.js';
import { concern as unknownNameError } from './unknown-name-error/concern.js';
import { concern as wireMessages } from './wire-messages/concern.js';

export { checks } from './_checks/index.js';
export type { Check };

/**
 * Everything that the engine is told: explicit and alphabetical, so that a concern is part of the tool when it is listed here and
 * not before. Loads the compiler; commands that only print texts read `catalogue.ts` instead.
 */
export const knowledge: {
  readonly concerns: readonly Concern[];
  readonly hosts: readonly Host[];
  readonly sources: readonly FactSource[];
  readonly rules: readonly Rule[];
  readonly changes: readonly RevisionChange[];
} = {
  concerns: [
    clientIdentity,
    clientRecovery,
    clientSession,
    drainedBody,
    eraMistakes,
    eventReplay,
    frameworkServer,
    legacyLane,
    legacyTasks,
    removalPromise,
    resourceNotFoundCode,
    sdkV1Python,
    sdkV1Typescript,
    serverPush,
    sessionErrorStatus,
    sessionHeaders,
    sessionHolders,
    sessionPlumbing,
    sessionState,
    sessionTransport,
    sharedServer,
    sseTransport,
    staleInstructions,
    stdioEntry,
    stickyRouting,
    unknownNameError,
    wireMessages,
  ],
  hosts,
  sources,
  rules,
  changes,
};
