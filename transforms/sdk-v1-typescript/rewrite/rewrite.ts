import type { Rewrite, RewriteContext, WorkItem } from '../../../src/core/index.js';
import { AND } from '../judge.js';
import { migratePackages } from './package.js';

/** Rewrites all packages of an item, tests included. Proves at the end that no import names what a v2 package does not export. */
export const rewrite = (item: WorkItem, context: RewriteContext): Rewrite => migratePackages(context, item.group.split(AND));
