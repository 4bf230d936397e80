import type { ts } from 'ts-morph';
import type { TypeScriptFile } from '../../../src/languages/typescript/index.js';
import { markerText as textOf } from '../../_mcp/typescript/markers.js';

/** A step that stays for a person, and the place of its marker. */
export interface Todo {
  readonly file: TypeScriptFile;
  readonly node: ts.Node;
  readonly kind: string;
  /** What to do, in one sentence, without the rule id. */
  readonly text: string;
}

/** The concern that these markers name. */
export const CONCERN = 'sdk-v1-typescript';

/** The text of a marker, as searched for by people and by the next run. */
export const markerText = (todo: Pick<Todo, 'kind' | 'text'>): string => textOf(CONCERN, todo);
