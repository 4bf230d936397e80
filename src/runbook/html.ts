import { Marked, type Tokens } from 'marked';
import { openCatalogue, type Catalogue } from './messages.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** Letters and rules only: the page fetches nothing, runs nothing, and is legible on paper. */
const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1.5rem; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2rem 0 .75rem; }
h2 { border-top: 1px solid #8888; padding-top: 1rem; }
nav { border: 1px solid #8888; border-radius: .4rem; padding: .5rem 1rem; }
nav ol { columns: 2; list-style: none; margin: .5rem 0; padding: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: .75rem 0; width: 100%; }
th, td { border: 1px solid #8888; min-width: 5.5rem; padding: .35rem .5rem; text-align: left; vertical-align: top; }
th { background: #8882; }
code, a { overflow-wrap: anywhere; }
code, pre { font: .875em/1.4 ui-monospace, monospace; }
code { background: #8882; border-radius: .2rem; padding: 0 .2rem; }
pre { background: #8882; border-radius: .4rem; overflow-x: auto; padding: .75rem; }
pre code { background: none; padding: 0; }
@media print {
  body { font-size: 10pt; max-width: none; padding: 0; }
  a { color: inherit; text-decoration: none; }
  pre { white-space: pre-wrap; }
  h1, h2, h3, h4 { break-after: avoid; }
  tr, pre { break-inside: avoid; }
  th, td { min-width: 3.5rem; }
  thead { display: table-header-group; }
}
`;

/**
 * A document as one HTML page: self-contained (no script, no font, no image, nothing fetched), with a list of its parts, and printable. HTML in the
 * Markdown is shown as text, and a link leads to a place in the page, to a file beside it or over https: nothing of a repository can become markup.
 * @param document with its file header, as `renderRunbook` returns it; the header stays the first line, so that the next run may overwrite the file
 */
export function renderPage(document: string, catalogue: Catalogue): string {
  const messages = openCatalogue(catalogue);
  const contentsTitle = escape(messages.raw('html.contents'));
  const [, header = '', markdown = ''] = /^(<!-- [^\n]* -->\n)?([\s\S]*)$/.exec(document) ?? [];
  const parts: { readonly id: string; readonly html: string }[] = [];
  let title = '';
  const converter = new Marked({ gfm: true, async: false });
  converter.use({
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escape(text),
      image: ({ text }: Tokens.Image) => escape(text),
      link(this: { parser: { parseInline: (tokens: Tokens.Link['tokens']) => string } }, { href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        return /^(?:https:\/\/|#|(?![a-z][a-z0-9+.-]*:|\/\/))/i.test(href) ? `<a href="${escape(href)}">${inner}</a>` : inner;
      },
      code: ({ text, lang }: Tokens.Code) =>
        lang === 'mermaid'
          ? `<details><summary>${escape(messages.raw('html.diagram'))}</summary><pre><code>${escape(text)}</code></pre></details>\n`
          : `<pre><code>${escape(text)}</code></pre>\n`,
      heading(this: { parser: { parseInline: (tokens: Tokens.Heading['tokens']) => string } }, { tokens, depth, text }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        if (depth === 1 && title === '') title = text.replace(/[\\`*]/g, '');
        if (depth !== 2) return `<h${String(depth)}>${html}</h${String(depth)}>\n`;
        const id = `part-${String(parts.length + 1)}`;
        parts.push({ id, html: html.replace(/<\/?a\b[^>]*>/g, '') });
        return `<h2 id="${id}">${html}</h2>\n`;
      },
    },
  });
  const body = (converter.parse(markdown) as string).replace(/<table>/g, '<div class="table"><table>').replace(/<\/table>/g, '</table></div>');
  const contents =
    parts.length < 2
      ? ''
      : `<nav aria-label="${contentsTitle}"><strong>${contentsTitle}</strong><ol>${parts.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join('')}</ol></nav>\n`;
  // The list stands behind the title, where a reader looks for it.
  const split = !body.includes('</h1>') ? 0 : body.indexOf('</h1>') + '</h1>\n'.length;
  return `${header}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body.slice(0, split)}${contents}${body.slice(split)}</body>
</html>
`;
}
