import type { Need, TextEdit } from '../../../src/core/index.js';
import { shareHandlers } from './adapter.js';
import { writeAppended } from './appended.js';
import { moveContexts } from './context.js';
import { moveEmbedded } from './embedded.js';
import { moveErrors } from './errors.js';
import { type FieldUse, moveDoubles, moveFields } from './fields.js';
import { moveHttpClients } from './http.js';
import { moveLowLevel } from './lowlevel.js';
import { moveMemoryHelper } from './memory.js';
import { moveNames } from './names.js';
import { nameSchemas } from './schemas.js';
import { moveServers } from './servers.js';
import { moveSessions } from './sessions.js';
import { noteToolErrors } from './toolerrors.js';
import { moveTimeouts } from './timeouts.js';
import { Pass, type Mark, type Project, type Wanted } from './pass.js';

/** What became of one file. */
export interface Migrated {
  readonly edits: readonly TextEdit[];
  readonly marks: readonly Mark[];
  readonly wanted: readonly Wanted[];
  readonly notes: readonly string[];
  readonly needs: readonly Need[];
}

/** Takes the files of an item from SDK 1.x to SDK 2.x. Files that need no change are not in the answer. */
export function migrateFiles(project: Project): ReadonlyMap<string, Migrated> {
  const found = new Map<string, Migrated>();
  const passes = [...project.files.values()].map((file) => new Pass(file, project));
  moveServers(passes);
  const use: FieldUse = { moved: new Set(), left: new Set() };
  for (const pass of passes) {
    moveMemoryHelper(pass);
    moveLowLevel(pass);
    moveContexts(pass);
    moveTimeouts(pass);
    moveHttpClients(pass);
    moveSessions(pass);
    moveErrors(pass);
    noteToolErrors(pass);
    moveFields(pass, use);
    nameSchemas(pass);
  }
  shareHandlers(passes);
  for (const pass of passes) moveDoubles(pass, use);
  for (const pass of passes) {
    for (const [call, added] of pass.appended) writeAppended(pass, call, added);
    moveNames(pass);
    moveEmbedded(pass, migrateFiles);
  }
  for (const pass of passes) {
    if (pass.edits.isEmpty && pass.marks.length === 0 && pass.wanted.length === 0) continue;
    found.set(pass.file.path, { edits: pass.edits.list(), marks: pass.marks, wanted: pass.wanted, notes: [...pass.notes], needs: pass.needs });
  }
  return found;
}
