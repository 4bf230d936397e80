import type { Detector } from '../../../src/core/index.js';
import { reportInstances } from '../instances.js';
import { reportSetting, type Setting } from '../setting.js';
import type { Kind } from '../words.js';
import { workers } from '../workers.js';
import { bicep, terraform, terraformInstances } from './clouds.js';
import { caddy } from './caddy.js';
import { haproxy } from './haproxy.js';
import { nginx } from './nginx.js';

/** Readers by the name of the file, templates of it included. What is not of HAProxy among `.cfg` files has none of its sections. */
const READERS: readonly (readonly [RegExp, (text: string) => readonly Setting[]])[] = [
  [/\.cfg(?:\.\w+)?$/i, haproxy],
  [/(?:^|\/)Caddyfile(?:\.[\w-]+)?$/i, caddy],
  [/\.(?:conf|nginx)(?:\.\w+)?$/i, nginx],
  [/\.(?:tf|hcl)$/i, terraform],
  [/\.bicep$/i, bicep],
];

/** The reader of a settings file by its name; `undefined` for prose and everything else. */
export const readerOf = (path: string): ((text: string) => readonly Setting[]) | undefined => READERS.find(([name]) => name.test(path))?.[1];

/** Settings of proxies and clouds in languages of their own. Prose is not looked at. */
export const text: Detector<'text', Kind> = (file, report) => ({
  end() {
    for (const setting of readerOf(file.path)?.(file.text) ?? []) reportSetting(report, setting);
    if (/\.(?:tf|hcl)$/i.test(file.path)) for (const { start, end, ...found } of terraformInstances(file.text)) reportInstances(report, { start, end }, found);
    workers(file, report);
  },
});
