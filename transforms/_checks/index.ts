import type { Check } from '../../src/core/check.js';
import { answers } from './client/answers.js';
import { clientAuthorization } from './client/authorization.js';
import { fallback } from './client/fallback.js';
import { clientParameters } from './client/parameters.js';
import { sending } from './client/sending.js';
import { streams } from './client/streams.js';
import { bodies } from './http/bodies.js';
import { endpoint } from './http/endpoint.js';
import { errors } from './http/errors.js';
import { features } from './http/features.js';
import { headers } from './http/headers.js';
import { input } from './http/input.js';
import { interruptions } from './http/interruptions.js';
import { metadata } from './http/metadata.js';
import { parameters } from './http/parameters.js';
import { protection } from './http/protection.js';
import { results } from './http/results.js';
import { subscriptions } from './http/subscriptions.js';
import { border } from './legacy/border.js';
import { lane } from './legacy/lane.js';
import { windowOfTime } from './legacy/window.js';
import { eras } from './stdio/eras.js';
import { processes } from './stdio/process.js';
import { requests } from './stdio/requests.js';

const overHttp = [endpoint, bodies, metadata, headers, parameters, errors, results, subscriptions, interruptions, protection, input, features];
const overStdio = [requests, processes, eras];
const ofClients = [sending, fallback, clientParameters, answers, streams, clientAuthorization];
const legacyWindow = [lane, border, windowOfTime];

const byId = (groups: readonly (readonly Check[])[]): readonly Check[] => groups.flat().sort((a, b) => a.id.localeCompare(b.id));

/** All executable checks of the revision: servers over HTTP, over stdio, clients, the legacy window; each by id. */
export const checks: readonly Check[] = [overHttp, overStdio, ofClients, legacyWindow].flatMap(byId);
