import { describe, expect, it } from 'vitest';
import { buildRunbook, fileHeader, refusesOverwrite, renderPage, renderRunbook } from '../../src/runbook/index.js';
import { shippedTemplates } from './port.js';
import { at, checks, finding, shop } from './shop.js';

const options = { sunset: '2027-05-31', owner: 'Team Checkout', now: '2026-11-30' };
const port = shippedTemplates();
const page = (markdown: string): string => renderPage(`${fileHeader('runbook', '0.1.0')}\n\n${markdown}`, port.messages);
const bodyOf = (html: string): string => html.slice(html.indexOf('<body>'));

/** Elements and attributes that a page of ours has; whatever else appears came from somewhere else. */
const KNOWN = new Set(
  'body h1 h2 h3 h4 nav strong ol ul li a p div table thead tbody tr th td code pre details summary em del br hr blockquote input'.split(' '),
);
function foreign(html: string): readonly string[] {
  return [...bodyOf(html).matchAll(/<\/?([a-z0-9]+)([^>]*)>/gi)].flatMap(([whole, name = '', attributes = '']) => {
    const names = [...attributes.matchAll(/([\w-]+)="/g)].map(([, attribute = '']) => attribute);
    const odd = names.filter((attribute) => !['href', 'id', 'class', 'aria-label', 'start', 'align', 'checked', 'disabled', 'type'].includes(attribute));
    return name === 'html' || (KNOWN.has(name) && odd.length === 0) ? [] : [whole];
  });
}

describe('renderPage', () => {
  const runbook = renderRunbook('runbook', buildRunbook(shop(), checks, options), port);
  const html = renderPage(runbook, port.messages);

  it('holds the whole runbook: every part in the list, every table, every command', () => {
    const parts = runbook.match(/^## /gm)?.length ?? 0;
    expect(parts).toBeGreaterThan(12);
    expect(html.match(/<h2 id="part-\d+">/g)).toHaveLength(parts);
    for (let part = 1; part <= parts; part++) expect(html).toContain(`<li><a href="#part-${String(part)}">`);
    expect(html.match(/<table>/g)).toHaveLength(runbook.match(/^\| --- /gm)?.length ?? 0);
    expect(html.match(/<pre>/g)).toHaveLength((runbook.match(/^```/gm)?.length ?? 0) / 2);
    expect(html).toMatch(/<title>[^<]*MCP 2026-07-28[^<]*<\/title>/);
  });

  it('fetches nothing and runs nothing', () => {
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
    expect(html).not.toMatch(/<(?:script|link|img|iframe|object|embed|form|base)\b|@import|url\(|\son\w+=/i);
    expect(foreign(html)).toEqual([]);
  });

  it('keeps its header in front, so that the next run may overwrite it', () => {
    expect(html.split('\n', 2)).toEqual([fileHeader('runbook', shop().tool.version), '<!doctype html>']);
    expect(refusesOverwrite(html, 'runbook.html')).toBeUndefined();
  });

  it('lets nothing of a repository become markup, not even Markdown that was meant to be', () => {
    const evil = 'src/<script>alert(1)</script>"onload="x`<img src=x onerror=y>`[a](javascript:alert(1)) ![i](https://x/y.png).ts';
    const scan = shop({
      findings: [...shop().findings, finding({ id: 'session-state/cart', site: at(evil, 3), evidence: [evil] })],
      notAnalysed: [{ file: evil, why: 'syntax', reason: evil }],
    });
    const hostile = renderPage(renderRunbook('runbook', buildRunbook(scan, checks, { ...options, owner: evil }), port), port.messages);
    expect(hostile).toContain('&lt;script&gt;');
    expect(foreign(hostile)).toEqual([]);
    expect(hostile).not.toMatch(/href="javascript|src=x onerror=y>/);
    const raw = page(
      `# T <b>\n\n<script>alert(1)</script>\n\n<img src=x onerror=y> [a](javascript:alert(1)) [b](//x) [c](data:text/html,x) ![i](https://x/y.png) [ok](src/a.ts#L3)\n`,
    );
    expect(foreign(raw)).toEqual([]);
    expect([...bodyOf(raw).matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['src/a.ts#L3']);
  });

  it('shows the source of a diagram, which needs a script to be drawn', () => {
    expect(page('# T\n\n```mermaid\nflowchart LR\n  a["<b>"]\n```\n')).toContain(
      '<details><summary>Source of the diagram (Mermaid)</summary><pre><code>flowchart LR\n  a[&quot;&lt;b&gt;&quot;]</code></pre></details>',
    );
  });
});
