import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../src/core/index.js';
import { requirementsOf, settlePackaging } from '../../../src/languages/python/packaging/index.js';
import { allowsMajor, relate } from '../../../src/languages/python/packaging/versions.js';

const NEED = { kind: 'dependency', manifest: '-', name: 'mcp', range: '>=2.2,<3' } as const;
const HTTPX = { kind: 'dependency', manifest: '-', name: 'httpx2', range: '>=2.10' } as const;
const PYTHON = { kind: 'engine', manifest: '-', name: 'python', range: '>=3.10' } as const;

const after = (path: string, text: string, ...needs: Parameters<typeof settlePackaging>[2]): string =>
  applyEdits(text, settlePackaging(path, text, needs.length > 0 ? needs : [NEED]).edits);

describe('versions', () => {
  test.each([
    ['>=1.9', 'below'],
    ['', 'below'],
    ['>=1.17,<2', 'below'],
    ['==1.28.1', 'below'],
    ['~=1.9', 'below'],
    ['^1.9', 'below'],
    ['>=2', 'below'],
    ['>=2.2,<3', 'within'],
    ['==2.3.0', 'within'],
    ['==2.*', 'below'],
    ['~=2.3', 'within'],
    ['^2.3', 'within'],
    ['>=2.3,<2.9,!=2.5', 'within'],
    ['>=3', 'above'],
    ['whatever', 'unknown'],
  ])('%s is %s', (specifier, relation) => {
    expect(relate(specifier, '>=2.2,<3')).toBe(relation);
  });

  test('which majors a specifier admits', () => {
    expect([allowsMajor('>=1.2', 2), allowsMajor('<2', 2), allowsMajor('<2.0.1', 2), allowsMajor('~=1.9', 2), allowsMajor('', 1)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('pyproject.toml', () => {
  const TEXT = `[project]
name = "tide-tables"
requires-python = ">=3.9,<4"
dependencies = [
    "httpx>=0.27",
    "mcp[cli] >= 1.9 ; python_version >= '3.10'",  # the protocol
    'starlette',
]

[project.optional-dependencies]
serve = ["mcp>=1.2,<2", "uvicorn"]

[dependency-groups]
dev = [{ include-group = "lint" }, "mcp==1.28.1"]

[tool.uv]
override-dependencies = ["mcp~=1.9"]
`;

  test('every list that names it, with extras, markers, quotes and comments as they were', () => {
    expect(after('pyproject.toml', TEXT)).toBe(
      TEXT.replace('mcp[cli] >= 1.9 ;', 'mcp[cli] >=2.2,<3 ;')
        .replace('mcp>=1.2,<2', 'mcp>=2.2,<3')
        .replace('mcp==1.28.1', 'mcp>=2.2,<3')
        .replace('mcp~=1.9', 'mcp>=2.2,<3'),
    );
  });

  test('a new requirement stands behind mcp, and a comment stays with what it speaks of', () => {
    expect(after('pyproject.toml', TEXT, HTTPX)).toBe(TEXT.replace('# the protocol\n', '# the protocol\n    "httpx2>=2.10",\n'));
    const short = '[project]\ndependencies = ["mcp"]\n';
    expect(after('pyproject.toml', short, NEED, HTTPX)).toBe('[project]\ndependencies = ["mcp>=2.2,<3", "httpx2>=2.10"]\n');
    const last = '[project]\ndependencies = [\n  "a",\n  "mcp>=1" # why\n]\n';
    expect(after('pyproject.toml', last, NEED, HTTPX)).toBe('[project]\ndependencies = [\n  "a",\n  "mcp>=2.2,<3", # why\n  "httpx2>=2.10"\n]\n');
  });

  test('Python itself is raised, its upper end stays', () => {
    expect(after('pyproject.toml', TEXT, PYTHON)).toBe(TEXT.replace('>=3.9,<4', '>=3.10,<4'));
    expect(after('pyproject.toml', '[tool.poetry.dependencies]\npython = "^3.8"\n', PYTHON)).toContain('python = "^3.10"');
    expect(after('pyproject.toml', '[project]\nrequires-python = ">=3.11"\n', PYTHON)).toContain('">=3.11"');
  });

  test('poetry, pixi and hatch', () => {
    const text = `[tool.poetry.dependencies]
mcp = "^1.9"
[tool.poetry.group.dev.dependencies]
mcp = { version = "~1.9", extras = ["cli"] } # dev
[tool.poetry.group.docs.dependencies.mcp]
version = "1.9.*"
[tool.hatch.envs.test]
dependencies = ["mcp<2"]
[tool.pixi.pypi-dependencies]
mcp = "*"
`;
    expect(after('pyproject.toml', text)).toBe(
      text
        .replace('"^1.9"', '">=2.2,<3"')
        .replace('"~1.9"', '">=2.2,<3"')
        .replace('"1.9.*"', '">=2.2,<3"')
        .replace('mcp<2', 'mcp>=2.2,<3')
        .replace('"*"', '">=2.2,<3"'),
    );
    expect(after('pyproject.toml', '[tool.poetry.dependencies]\nmcp = "^1.9"\n', HTTPX)).toBe('[tool.poetry.dependencies]\nmcp = "^1.9"\nhttpx2 = ">=2.10"\n');
  });

  test('what has a source of its own is left to a person', () => {
    const text = '[project]\ndependencies = ["mcp"]\n[tool.uv.sources]\nmcp = { git = "https://example.org/mcp" }\n';
    const { edits, unmet } = settlePackaging('pyproject.toml', text, [NEED]);
    expect(edits).toEqual([]);
    expect(unmet.map((entry) => entry.reason)).toEqual(['project.dependencies mcp: tool.uv.sources says where it comes from; raise it to >=2.2,<3 there']);
    expect(settlePackaging('requirements.txt', 'mcp @ git+https://example.org/mcp\n', [NEED]).unmet).toHaveLength(1);
  });

  test('a broken file is said to be one', () => {
    expect(() => settlePackaging('pyproject.toml', '[project\n', [NEED])).toThrow(/not valid TOML/);
  });
});

describe('other files', () => {
  test('requirements, with comments, markers, options and a missing last line end', () => {
    const text = '# base\n-r other.txt\nmcp[cli]>=1.2 # sdk\r\nmcp-types==1\nMCP ; python_version < "4"\nmcp';
    expect(after('requirements-dev.txt', text)).toBe(
      '# base\n-r other.txt\nmcp[cli]>=2.2,<3 # sdk\r\nmcp-types==1\nMCP>=2.2,<3 ; python_version < "4"\nmcp>=2.2,<3',
    );
    expect(after('requirements.txt', 'mcp>=1\r\nx\r\n', HTTPX)).toBe('mcp>=1\r\nhttpx2>=2.10\r\nx\r\n');
    expect(settlePackaging('requirements.txt', 'mcp==1.9 \\\n    --hash=sha256:00\n', [NEED]).unmet).toHaveLength(1);
  });

  test('setup.cfg', () => {
    const text = '[options]\npython_requires = >=3.8\ninstall_requires =\n    mcp>=1.2\n    # note\n    x\n[options.extras_require]\nserve = mcp\n';
    expect(after('setup.cfg', text, NEED, HTTPX, PYTHON)).toBe(
      '[options]\npython_requires = >=3.10\ninstall_requires =\n    mcp>=2.2,<3\n    httpx2>=2.10\n    # note\n    x\n[options.extras_require]\nserve = mcp>=2.2,<3\n',
    );
  });

  test('setup.py', () => {
    const text = `from setuptools import setup
setup(
    name="x",  # install_requires=["mcp"]
    python_requires=">=3.8",
    install_requires=[
        'mcp>=1.2',  # sdk
        "x",
    ],
    extras_require={"mcp": ["mcp==1.9"], "dev": ["pytest"]},
    data=["mcp>=1"],
)
`;
    expect(after('setup.py', text, NEED, HTTPX, PYTHON)).toBe(
      text.replace('>=3.8', '>=3.10').replace("'mcp>=1.2',  # sdk", "'mcp>=2.2,<3',  # sdk\n        'httpx2>=2.10',").replace('mcp==1.9', 'mcp>=2.2,<3'),
    );
  });

  test('Pipfile', () => {
    expect(after('Pipfile', '[packages]\nmcp = "*"\n[dev-packages]\nmcp = {version = "==1.9", extras = ["cli"]}\n')).toBe(
      '[packages]\nmcp = ">=2.2,<3"\n[dev-packages]\nmcp = {version = ">=2.2,<3", extras = ["cli"]}\n',
    );
  });

  test('inline script metadata', () => {
    const text = '#!/usr/bin/env -S uv run\n# /// script\n# requires-python = ">=3.9"\n# dependencies = [\n#     "mcp>=1.2",  # sdk\n# ]\n# ///\nimport mcp\n';
    expect(after('tool.py', text, NEED, HTTPX, PYTHON)).toBe(
      text.replace('>=3.9', '>=3.10').replace('"mcp>=1.2",  # sdk\n', '"mcp>=2.2,<3",  # sdk\n#     "httpx2>=2.10",\n'),
    );
    expect(requirementsOf('tool.py', 'import mcp\n')).toEqual([]);
  });
});

describe('nothing else changes', () => {
  const eol = fc.constantFrom('\n', '\r\n');
  const specifier = fc.constantFrom('', '>=1.9', '==1.28.1', '~=1.2', '>=1.2,<2', ' >=1.0 , <2');
  const filler = fc.constantFrom('# a note', '', 'x>=1', 'other[extra]>=2 # why', "y ; python_version < '3.12'");

  test('requirements: lines around it, and their ends', () => {
    fc.assert(
      fc.property(fc.array(filler), fc.array(filler), specifier, eol, fc.boolean(), (above, below, spec, end, final) => {
        const text = [...above, `mcp${spec}  # keep`, ...below].join(end) + (final ? end : '');
        expect(after('requirements.txt', text)).toBe(
          [...above, text.includes(`mcp${spec}`) ? expected(`mcp${spec}  # keep`, spec) : '', ...below].join(end) + (final ? end : ''),
        );
        expect(settlePackaging('requirements.txt', after('requirements.txt', text), [NEED]).edits).toEqual([]);
      }),
    );
  });

  test('lists of a pyproject: comments, quotes and line ends', () => {
    const quote = fc.constantFrom('"', "'");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('x>=1', 'y', 'z[a]'), fc.boolean())), quote, specifier, eol, fc.boolean(), (items, q, spec, end, comma) => {
        const rows = items.map(([name, note]) => `  ${q}${name}${q},${note ? ' # note' : ''}`);
        const build = (value: string, more: string): string =>
          ['[project]', 'dependencies = [', ...rows, `  ${q}mcp${value}${q}${comma ? ',' : more === '' ? '' : ','} # keep${more}`, ']', '# end', ''].join(end);
        const text = build(spec, '');
        const wide = spec.trimStart() === spec ? '' : ' ';
        expect(after('pyproject.toml', text, NEED, HTTPX)).toBe(build(`${wide}>=2.2,<3`, `${end}  ${q}httpx2>=2.10${q}${comma ? ',' : ''}`));
        expect(settlePackaging('pyproject.toml', after('pyproject.toml', text, NEED, HTTPX), [NEED, HTTPX]).edits).toEqual([]);
      }),
    );
  });
});

const expected = (line: string, spec: string): string => (spec === '' ? line.replace('mcp', 'mcp>=2.2,<3') : line.replace(spec.trimStart(), '>=2.2,<3'));
