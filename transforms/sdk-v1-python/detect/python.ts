import type { Detector } from '../../../src/core/index.js';
import { hasOwnPackage } from '../../_mcp/python/nodes.js';
import { relationOf } from '../../_mcp/python/paths.js';
import type { PythonKind } from '../kinds.js';
import { detectBehaviours } from './behaviours.js';
import { detectClients } from './clients.js';
import { detectContexts } from './contexts.js';
import { detectEmbedded } from './embedded.js';
import { detectErrors } from './errors.js';
import { detectExpectations } from './expectations.js';
import { detectFields } from './fields.js';
import { detectImports } from './imports.js';
import { detectKeywords } from './keywords.js';
import { detectLowLevel } from './lowlevel.js';
import { detectMessages } from './messages.js';
import { detectNotes } from './notes.js';
import { detectOAuth } from './oauth.js';
import { detectServers } from './servers.js';
import { detectStrings } from './strings.js';
import { detectTimeouts } from './timeouts.js';
import type { Scene } from './scene.js';

/**
 * Sees SDK v1 by the provenance of names and by local types. A file without an SDK import is looked at too: it may be handed SDK
 * objects, which its package decides (`judge`).
 */
export const detectPython: Detector<'python', PythonKind> = (file, report, around) => ({
  end() {
    // A repository that has `mcp` itself is an SDK, or happens to use the name.
    if (hasOwnPackage(file, around)) return;
    const scene: Scene = {
      file,
      relation: relationOf(file),
      around,
      fact: (fact) => {
        report.fact(fact);
      },
      say: (kind, at, data = {}, details = {}) => {
        report.finding(kind, { start: at.start, end: at.end }, { group: around.package.folder, data, ...details });
      },
    };
    detectImports(scene);
    detectStrings(scene);
    detectEmbedded(scene);
    detectServers(scene);
    detectContexts(scene);
    detectLowLevel(scene);
    detectFields(scene);
    detectKeywords(scene);
    detectMessages(scene);
    detectErrors(scene);
    detectClients(scene);
    detectTimeouts(scene);
    detectExpectations(scene);
    detectOAuth(scene);
    detectBehaviours(scene);
    detectNotes(scene);
  },
});
