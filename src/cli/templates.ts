import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderShim } from '../engine/index.js';
import type { TemplatePort } from '../runbook/index.js';
import { UsageProblem } from './errors.js';
import { packageFolder } from './version.js';

const SHIPPED = join(packageFolder, 'templates');

/** Templates of some folders, by `folder/name`; the user's own lie over ours, name by name. */
function readTemplates(folders: readonly string[], own: string | undefined): Record<string, string> {
  if (own !== undefined && !existsSync(own)) throw new UsageProblem(`${own} does not exist; --templates takes a folder`);
  const templates: Record<string, string> = {};
  for (const base of own === undefined ? [SHIPPED] : [SHIPPED, own]) {
    for (const folder of folders) {
      const path = join(base, folder);
      if (!existsSync(path)) continue;
      for (const name of readdirSync(path)) if (name.endsWith('.hbs')) templates[`${folder}/${name.slice(0, -4)}`] = readFileSync(join(path, name), 'utf8');
    }
  }
  return templates;
}

/** Renders shims with Handlebars: strict, so that a value that is missing is an error and not an empty place in somebody's code. */
export async function shimRenderer(own?: string): Promise<RenderShim> {
  const { default: Handlebars } = await import('handlebars');
  const templates = readTemplates(['shims'], own);
  const engine = Handlebars.create();
  for (const [name, text] of Object.entries(templates)) engine.registerPartial(name, text);
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  return (name, model) => {
    let render = compiled.get(name);
    if (!render) {
      const text = templates[`shims/${name}`];
      if (text === undefined) throw new Error(`there is no template shims/${name}.hbs`);
      render = engine.compile(text, { noEscape: true, strict: true, knownHelpersOnly: true });
      compiled.set(name, render);
    }
    return render(model);
  };
}

/** The voice of the runbook and its sister documents. `root` leads from the document to the repository, for links. */
export function runbookPort(own: string | undefined, root: string): TemplatePort {
  const messages = [own === undefined ? '' : join(own, 'runbook/messages.en.json'), join(SHIPPED, 'runbook/messages.en.json')].find(
    (path) => path !== '' && existsSync(path),
  );
  if (messages === undefined) throw new Error('templates/runbook/messages.en.json is missing: install the package again');
  return {
    templates: readTemplates(['runbook', 'adr', 'pull-request'], own),
    messages: JSON.parse(readFileSync(messages, 'utf8')) as TemplatePort['messages'],
    root,
  };
}
