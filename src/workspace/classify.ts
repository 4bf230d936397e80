import type { Role } from '../core/index.js';
import type { Syntax } from './types.js';

const BY_EXTENSION: Readonly<Record<string, Syntax>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'typescript',
  jsx: 'typescript',
  mjs: 'typescript',
  cjs: 'typescript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  cs: 'csharp',
  php: 'php',
  rb: 'ruby',
  json: 'json',
  jsonc: 'json',
  json5: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  md: 'markdown',
  mdx: 'markdown',
  mdc: 'markdown',
  markdown: 'markdown',
  rst: 'markdown',
  html: 'html',
  htm: 'html',
  sql: 'sql',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  ps1: 'shell',
  dockerfile: 'dockerfile',
  env: 'env',
  conf: 'conf',
  cfg: 'conf',
  ini: 'conf',
  properties: 'conf',
  nginx: 'conf',
  vcl: 'conf',
  hcl: 'conf',
  tf: 'conf',
  bicep: 'conf',
  tpl: 'text',
  tmpl: 'text',
  j2: 'text',
  txt: 'text',
};

const BY_NAME: Readonly<Record<string, Syntax>> = {
  Dockerfile: 'dockerfile',
  Containerfile: 'dockerfile',
  Caddyfile: 'conf',
  Procfile: 'conf',
  Makefile: 'shell',
  Gemfile: 'ruby',
  Pipfile: 'toml',
  '.unsessionrc': 'json',
  '.cursorrules': 'markdown',
  '.windsurfrules': 'markdown',
};

/** Language of a file by its name; `undefined` for what is never read (images, archives, unknown data). */
export function languageOf(path: string): Syntax | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = BY_NAME[name];
  if (known) return known;
  if (/^(Dockerfile|Containerfile)\b/.test(name)) return 'dockerfile';
  if (/^\.env(\.|$)/.test(name)) return 'env';
  if (/^Caddyfile\b|\.(?:conf|cfg)\.(?:template|tpl|tmpl|j2|erb)$/i.test(name)) return 'conf';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : BY_EXTENSION[name.slice(dot + 1).toLowerCase()];
}

const TEST_FOLDER =
  /(^|\/)(tests?|__tests__|__mocks__|spec|e2e|cypress|playwright|integration[-_]tests?|test[-_]?(?:utils|helpers|fixtures|data)|testing|testdata)\//i;
const TEST_FILE =
  /(^|\/)(test_[^/]+\.py|conftest\.py|[^/]+_tests?\.(?:py|go|rb|rs)|(?:test|e2e)[-_][^/]*\.(?:sh|bash)|[^/]+[.\-_](?:test|tests|e2e)\.(?:sh|bash)|[^/]+[.\-_](?:test|tests|spec|e2e|cy|stories)\.[cm]?[jt]sx?|[^/]+Tests?\.(?:java|kt|cs|php)|[^/]+_spec\.rb)$/;
const EXAMPLE_FOLDER = /(^|\/)(examples?|samples?|demos?|fixtures?|__fixtures__|tutorials?|cookbook|playground|quickstarts?|snippets)\//i;
const DOCS_FOLDER = /(^|\/)(docs?|documentation|website|\.changeset)\//i;
const DEPLOY_FOLDER =
  /(^|\/)(k8s|kubernetes|helm|charts?|deploy(?:ments?)?|infra(?:structure)?|terraform|manifests|nginx|\.github|\.circleci|\.gitlab|ansible|kustomize|envoy)\//i;
const DEPLOY_FILE =
  /(^|\/)((?:docker-)?compose[^/]*\.ya?ml|(?:Dockerfile|Containerfile)[^/]*|[^/]+\.dockerfile|Caddyfile[^/]*|Procfile|nginx[^/]*\.conf|haproxy[^/]*\.cfg|[^/]+\.(?:conf|cfg)\.(?:template|tpl|tmpl|j2|erb)|fly[^/]*\.toml|render\.ya?ml|vercel\.json|netlify\.toml|wrangler[^/]*\.(?:toml|jsonc?)|railway\.(?:toml|json)|serverless\.ya?ml|cloudbuild\.ya?ml|app\.ya?ml|\.gitlab-ci\.yml|envoy[^/]*\.ya?ml|traefik[^/]*\.(?:ya?ml|toml)|[^/]+\.(?:tf|hcl|vcl|nginx|bicep))$/i;
const DATA: ReadonlySet<Syntax> = new Set(['yaml', 'json', 'toml', 'conf', 'env', 'dockerfile', 'text', 'shell']);

/** What a file is there for, from the conventions of its path and name. Data in a deployment folder deploys; code in it is source. */
export function roleOf(path: string, language: Syntax): Role {
  if (TEST_FOLDER.test(path) || TEST_FILE.test(path)) return 'test';
  if (language === 'markdown' || language === 'html') return 'docs';
  if (DEPLOY_FILE.test(path) || language === 'dockerfile' || (DATA.has(language) && DEPLOY_FOLDER.test(path))) return 'deploy';
  if (EXAMPLE_FOLDER.test(path)) return 'example';
  if (DOCS_FOLDER.test(path)) return 'docs';
  return 'source';
}
