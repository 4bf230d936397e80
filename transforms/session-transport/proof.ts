import type { MessageData } from '../../src/core/index.js';
import type { TypeScriptFile } from '../../src/languages/typescript/index.js';
import { sessionCode } from '../_mcp/typescript/sessions.js';
import { guardsIn, storeLeaks, straysIn } from './obstacles.js';

/**
 * What one file proves or disproves for the rewrite of a lane that it is a part of. Travels with its findings, so that the plan
 * knows the remedy without reading a text again.
 * - `guards`: lines of checks inside of handlers: neither lane can be written without losing them;
 * - `strays`: lines of other effects inside of handlers: the handler cannot be replaced;
 * - `leaks`: lines of other uses of a session store: the store cannot be removed.
 */
export function fileProof(file: TypeScriptFile, has: (path: string) => boolean): MessageData {
  const code = sessionCode(file);
  if (code.dispatches.length === 0 && code.connects.length === 0 && code.transports.length === 0) return {};
  const lines = (nodes: readonly { getStart: () => number; readonly end: number }[]): string => [...new Set(nodes.map((node) => String(file.site({ start: node.getStart(), end: node.end }).line)))].join(', ');
  const guards = lines(guardsIn(file, has));
  const strays = lines(straysIn(file, has));
  const leaks = lines(storeLeaks(file, has));
  return { ...(guards === '' ? {} : { guards }), ...(strays === '' ? {} : { strays }), ...(leaks === '' ? {} : { leaks }) };
}
