import { existsSync, readFileSync } from 'node:fs';
import { lexer } from 'marked';
import { SPEC_ROOT } from '../../core/index.js';
import { literalsOf } from '../../engine/index.js';
import { knowledge } from '../../../transforms/index.js';

/** Code of the fenced blocks, or text of the section, under each second-level heading of a README. */
function sectionsOf(readme: string): ReadonlyMap<string, { readonly code: string; readonly text: string }> {
  const sections = new Map<string, { code: string; text: string }>();
  let heading = '';
  for (const token of lexer(readme)) {
    if (token.type === 'heading') heading = String(token.text);
    else {
      const section = sections.get(heading) ?? { code: '', text: '' };
      if (token.type === 'code') section.code += `${section.code === '' ? '' : '\n\n'}${String(token.text)}`;
      else if (token.type !== 'html') section.text += token.raw;
      sections.set(heading, section);
    }
  }
  return sections;
}

/** What `rules` and `explain` print, so that they load neither the concerns nor a parser. Its shape is checked by `src/cli/catalogue.ts`. */
export function renderCatalogue(): string {
  const concerns = knowledge.concerns.map((concern) => {
    const readme = new URL(`../../../transforms/${concern.id}/README.md`, import.meta.url);
    if (!existsSync(readme)) throw new Error(`transforms/${concern.id}/README.md is missing`);
    const sections = sectionsOf(readFileSync(readme, 'utf8'));
    return {
      id: concern.id,
      title: concern.title,
      category: concern.category,
      milestone: concern.milestone,
      rewrites: concern.rewrite !== undefined,
      spec: concern.spec.map((reference) => SPEC_ROOT + reference),
      kinds: Object.entries(concern.kinds).map(([kind, text]) => ({ kind, ...text })),
      before: sections.get('Before')?.code,
      after: sections.get('After')?.code,
      byHand: sections.get('By hand')?.text.trim(),
    };
  });
  return `${JSON.stringify({ concerns, literals: literalsOf(knowledge), changes: knowledge.changes }, null, 2)}\n`;
}
