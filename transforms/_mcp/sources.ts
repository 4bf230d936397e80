import type { FactSource } from '../../src/core/index.js';
import { otherLanguages } from './other-languages.js';
import { pythonHandMade } from './python/facts/handmade.js';
import { pythonSdkImports } from './python/facts/imports.js';
import { pythonPushes } from './python/facts/pushes.js';
import { pythonServers } from './python/facts/servers.js';
import { clients } from './typescript/facts/clients.js';
import { eras } from './typescript/facts/eras.js';
import { functionsAndCalls } from './typescript/facts/functions.js';
import { handMadeStdio } from './typescript/facts/handmade.js';
import { sdkImports } from './typescript/facts/imports.js';
import { rememberingClasses } from './typescript/facts/objects.js';
import { pushes } from './typescript/facts/push.js';
import { serversAndFactories } from './typescript/facts/servers.js';
import { sessionsAndState } from './typescript/facts/sessions.js';
import { transportsAndDispatches } from './typescript/facts/transports.js';

/** Detectors whose facts more than one concern reasons about. Loads the compiler. */
export const sources: readonly FactSource[] = [
  clients,
  eras,
  functionsAndCalls,
  handMadeStdio,
  otherLanguages,
  pushes,
  pythonHandMade,
  pythonPushes,
  pythonSdkImports,
  pythonServers,
  rememberingClasses,
  sdkImports,
  serversAndFactories,
  sessionsAndState,
  transportsAndDispatches,
];
