import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../src/runbook/messages.js';
import type { TemplatePort } from '../../src/runbook/index.js';

const ROOT = join(import.meta.dirname, '../../templates');

/** The templates as they are shipped. */
export function shippedTemplates(): TemplatePort {
  const templates: Record<string, string> = {};
  for (const folder of ['runbook', 'adr', 'pull-request']) {
    for (const name of readdirSync(join(ROOT, folder)))
      if (name.endsWith('.hbs')) templates[`${folder}/${name.slice(0, -4)}`] = readFileSync(join(ROOT, folder, name), 'utf8');
  }
  return { templates, messages: JSON.parse(readFileSync(join(ROOT, 'runbook/messages.en.json'), 'utf8')) as Catalogue };
}
