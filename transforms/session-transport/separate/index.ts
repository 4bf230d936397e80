import type { Endpoint, Rewrite, RewriteContext } from '../../../src/core/index.js';
import { addBesideExpress } from './express.js';
import { addBesideHandlers } from './handlers.js';

/** `--legacy separate`: the modern endpoint on a path of its own, the old one as it is. */
export const addBeside = (endpoint: Endpoint, context: RewriteContext): Rewrite =>
  endpoint.host === 'express' ? addBesideExpress(endpoint, context) : addBesideHandlers(endpoint, context);
