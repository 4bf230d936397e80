import type { Span } from '../../../src/core/index.js';
import type { DataFile } from '../../../src/languages/data/file.js';
import type { Setting } from '../setting.js';
import { readerOf } from '../text/index.js';
import { record, type Manifest } from './entries.js';

/** Settings of a proxy that a ConfigMap carries as text: `nginx.conf: |`. */
export function embedded(file: DataFile, { document, object, kind }: Manifest): readonly { readonly setting: Setting; readonly at: Span }[] {
  if (kind !== 'ConfigMap') return [];
  return Object.entries(record(object.data)).flatMap(([name, text]) => {
    const around = document.spanOf(['data', name]);
    const reader = readerOf(name);
    if (reader === undefined || around === undefined || typeof text !== 'string') return [];
    return reader(text).map((setting) => ({ setting, at: placeOf(setting, text, file.text, around) }));
  });
}

/** A block of text stands in the file line by line, each further in: the line of the setting is looked for, as often as it is written before. */
function placeOf(setting: Setting, text: string, whole: string, around: Span): Span {
  const line = /^[^\r\n]*/.exec(text.slice(setting.start, setting.end))?.[0] ?? '';
  let start = around.start;
  for (let before = text.indexOf(line); before >= 0 && before < setting.start; before = text.indexOf(line, before + 1))
    start = Math.max(start, whole.indexOf(line, start) + 1);
  const found = whole.indexOf(line, start);
  return line === '' || found < 0 || found >= around.end ? around : { start: found, end: found + line.length };
}
