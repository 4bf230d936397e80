export { InternalFault, literalsOf, UsageError, type DormantKnowledge, type Knowledge, type Progress, type ScanOptions } from './knowledge.js';
export { migrateRepository, scanRepository } from './pipeline.js';
export { suggestRepository, type SuggestOptions } from './suggest/suggest.js';
export type { MigrateOptions } from './migrate.js';
export type { RenderShim } from './rewrite/compose.js';
export type { Proposal } from './rewrite/proposal.js';
