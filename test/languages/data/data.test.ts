import { describe, expect, it } from 'vitest';
import { data } from '../../../src/languages/data/support.js';

const parsed = (text: string) => {
  const { file } = data.parse('deploy/service.yaml', text);
  if (file === undefined) throw new Error('not parsed');
  return file;
};

describe('YAML', () => {
  const text = 'kind: Service\nspec:\n  sessionAffinity: ClientIP\n  ports: [{ port: 80 }]\n---\nkind: Ingress\n';

  it('gives exact ranges in every document of a file', () => {
    const file = parsed(text);
    const [first, second] = file.documents;
    const cut = (span: { start: number; end: number } | undefined) => (span === undefined ? undefined : text.slice(span.start, span.end));
    expect(file.documents).toHaveLength(2);
    expect(cut(first?.spanOf(['spec', 'sessionAffinity']))).toBe('sessionAffinity: ClientIP');
    expect(cut(first?.spanOf(['spec', 'ports', 0, 'port']))).toBe('port: 80');
    expect(cut(second?.spanOf(['kind']))).toBe('kind: Ingress');
    expect(first?.spanOf(['spec', 'type'])).toBeUndefined();
  });

  it('keeps its offsets behind a byte order mark', () => {
    const marked = `\uFEFF${text}`;
    const span = parsed(marked).documents[0]?.spanOf(['spec', 'sessionAffinity']);
    expect(span && marked.slice(span.start, span.end)).toBe('sessionAffinity: ClientIP');
  });

  it('visits every entry in source order', () => {
    const paths: string[] = [];
    parsed(text).documents[0]?.each((path) => paths.push(path.join('.')));
    expect(paths).toEqual(['kind', 'spec', 'spec.sessionAffinity', 'spec.ports', 'spec.ports.0', 'spec.ports.0.port']);
  });

  it('takes bytes for one value, however many', () => {
    const visited: string[] = [];
    parsed(`image: !!binary ${'QUJD'.repeat(20_000)}\nkind: Service\n`).documents[0]?.each((path) => visited.push(path.join('.')));
    expect(visited).toEqual(['image', 'kind']);
  });

  it('reports what is not YAML with its line', () => {
    expect(data.parse('a.yaml', 'kind: Service\n  spec: [').problem).toMatchObject({ why: 'syntax', line: 1 });
  });

  it('reads a chart template as far as it is YAML, with what its expressions name', () => {
    const text =
      '{{- /* edge\n of the chart */ -}}\nmetadata:\n  name: {{ include "mcp.name" . }}\nspec:\n  {{- if .Values.sticky }}\n  sessionAffinity: ClientIP\n  {{- end }}\n';
    const [document] = parsed(text).documents;
    const span = document?.spanOf(['spec', 'sessionAffinity']);
    expect(span && text.slice(span.start, span.end)).toBe('sessionAffinity: ClientIP');
    expect(JSON.stringify(document?.value)).toContain('mcp_name');
    const beside = parsed('name: {{ include "mcp.name" . }}-postgres\n{{ if .Values.x }}\n{{ end }}\n').documents[0]?.value;
    expect(JSON.stringify(beside)).toMatch(/"_+-postgres"/);
    expect(data.parse('templates/a.yaml', 'kind: Service\n{{ if .Values.odd }} a: [\n').problem).toMatchObject({ why: 'unsupported' });
  });

  it('does not follow aliases without end', () => {
    const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
      .split(/(?:)/u)
      .map(
        (name, index) =>
          `${name}: &${name} [${Array(9)
            .fill(`*${'abcdefgh'[index] ?? ''}`)
            .join(', ')}]`,
      )
      .join('\n')}\n`;
    expect(data.parse('bomb.yaml', bomb).problem?.why).toBe('syntax');
  });

  it('has nothing to say about an empty file', () => {
    expect(parsed('').documents).toEqual([]);
  });
});

describe('TOML and JSON with comments', () => {
  const cut = (path: string, text: string, entry: readonly (string | number)[]) => {
    const span = data.parse(path, text).file?.documents[0]?.spanOf(entry);
    return span && text.slice(span.start, span.end);
  };

  it('gives the ranges of tables, keys and list entries', () => {
    const text = '\uFEFFname = "tides"\n\n[[migrations]]\ntag = "v1"\n\n[[migrations]]\ndeleted_classes = [\n  "Tides", # gone\n]\n';
    expect(cut('wrangler.toml', text, ['name'])).toBe('name = "tides"');
    expect(cut('wrangler.toml', text, ['migrations', 1, 'deleted_classes', 0])).toBe('"Tides"');
    expect(cut('wrangler.toml', text, ['migrations', 0])).toBe('[[migrations]]\ntag = "v1"');
    expect(data.parse('wrangler.toml', text).file?.documents[0]?.value).toEqual({
      name: 'tides',
      migrations: [{ tag: 'v1' }, { deleted_classes: ['Tides'] }],
    });
    expect(cut('wrangler.jsonc', '{ // tides\n  "migrations": [{ "tag": "v1" },],\n}\n', ['migrations', 0, 'tag'])).toBe('"tag": "v1"');
  });

  it('reports what is neither, with its line', () => {
    expect(data.parse('wrangler.toml', 'name = "tides"\nmain = ]\n').problem).toMatchObject({ why: 'syntax', line: 2 });
    expect(data.parse('wrangler.json', '{\n  "name" "tides"\n}\n').problem).toMatchObject({ why: 'syntax', line: 2 });
  });
});
