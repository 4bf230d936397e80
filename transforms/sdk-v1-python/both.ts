import { above, isFunction, statementOf, type PyNode, type PythonFile } from '../../src/languages/python/index.js';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * True when the function around a read asks the same object for the other spelling too: such code reads both majors, and renaming
 * one arm would leave the other major without an answer.
 * @param object what is read from
 * @param snake the name of the field in SDK 2.x
 */
export function readsBoth(node: PyNode, object: PyNode, snake: string, file: PythonFile): boolean {
  const around = above(node, isFunction) ?? statementOf(node);
  const name = escaped(file.textOf(object));
  return new RegExp(`\\b${name}\\s*(?:\\.\\s*${snake}\\b|,\\s*['"]${snake}['"])`).test(file.textOf(around));
}
