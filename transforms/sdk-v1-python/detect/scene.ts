import type { Fact, FindingDetails, MessageData, Span, Surroundings } from '../../../src/core/index.js';
import type { PythonFile } from '../../../src/languages/python/index.js';
import type { Relation } from '../../_mcp/python/paths.js';
import type { PythonKind } from '../kinds.js';

/** What the parts of the detector look at and report with; every finding of a package is one work item. */
export interface Scene {
  readonly file: PythonFile;
  readonly relation: Relation;
  readonly around: Surroundings;
  readonly fact: (fact: Fact) => void;
  readonly say: (kind: PythonKind, at: Span, data?: MessageData, details?: Omit<FindingDetails, 'data'>) => void;
}
