import type { Kind } from '../../src/core/index.js';
import { clients } from './kinds/clients.js';
import { models } from './kinds/models.js';
import { names } from './kinds/names.js';
import { servers } from './kinds/servers.js';

/** Every use of Python SDK v1 that has a cure of its own. */
export const kinds = { ...names, ...servers, ...models, ...clients } as const satisfies Record<string, Kind>;

export type PythonKind = keyof typeof kinds;
