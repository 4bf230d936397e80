import { compareVersions, parseRange, parseVersion } from '../../src/languages/python/packaging/index.js';

/** Packages that SDK 1.x brought along and SDK 2.x does not, by the module that code imports. Source: metadata of 1.28.1 and 2.3.0. */
export const BROUGHT: Readonly<Record<string, string>> = {
  httpx: 'httpx',
  httpx_sse: 'httpx-sse',
  pydantic_settings: 'pydantic-settings',
  websockets: 'websockets',
};

/** Releases of a package that bring another one: all (`*`), or those below a version. */
type Bringers = Readonly<Record<string, string>>;

/**
 * Packages that go on to bring them. Source: metadata of the releases of November 2026; `openai` 3, `anthropic` 2, `mistralai` 3, `google-genai` 3
 * and `huggingface-hub` 2 moved to `httpx2`.
 */
const BRINGERS: Readonly<Record<string, Bringers>> = {
  httpx: {
    ...Object.fromEntries(
      'cohere gradio gradio-client groq langchain langchain-core langchain-openai langgraph langgraph-sdk litellm ollama python-telegram-bot qdrant-client supabase'
        .split(' ')
        .map((name) => [name, '*']),
    ),
    openai: '3',
    anthropic: '2',
    mistralai: '3',
    'google-genai': '3',
    'huggingface-hub': '2',
  },
  'pydantic-settings': { litellm: '*' },
  websockets: { 'google-genai': '*', 'langgraph-sdk': '*', langgraph: '*', langsmith: '*', 'openai-agents': '*' },
};

/** Names of all packages that one of them asks for. */
export const BRINGER_NAMES: ReadonlySet<string> = new Set(Object.values(BRINGERS).flatMap((each) => Object.keys(each)));

/** True when every version that a specifier lets in is lower than the floor. */
export function endsBelow(specifier: string, floor: string): boolean {
  const upper = parseRange(specifier)?.upper;
  const lowest = parseVersion(floor);
  if (!upper || !lowest) return false;
  const order = compareVersions(upper.version, lowest);
  return order < 0 || (order === 0 && !upper.inclusive);
}

/** True when a requirement brings a package that SDK 2.x no longer does. */
export function brings({ name, range }: { readonly name: string; readonly range: string }, wanted: string): boolean {
  const until = BRINGERS[wanted]?.[name];
  return until !== undefined && (until === '*' || endsBelow(range, until));
}
