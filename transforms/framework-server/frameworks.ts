/** What is known of a framework. Versions are not: the advice names what to look for, so that it stays true. */
interface Framework {
  readonly pattern: RegExp;
  readonly name: string;
  readonly advice: string;
}

const REPLACE = 'Look in its release notes for revision 2026-07-28; until it speaks that, its clients get the old revisions.';

const FRAMEWORKS: readonly Framework[] = [
  { pattern: /^fastmcp(?:\/|$)/, name: 'fastmcp', advice: `${REPLACE} Its tools take a context of their own.` },
  { pattern: /^@?fastmcp\/|^@prefecthq\/fastmcp/, name: 'fastmcp', advice: REPLACE },
  { pattern: /^mcp-framework(?:\/|$)/, name: 'mcp-framework', advice: `${REPLACE} Its HTTP stream transport keeps sessions unless it is told not to.` },
  {
    pattern: /^(?:mcp-handler|@vercel\/mcp-adapter)(?:\/|$)/,
    name: 'mcp-handler',
    advice: 'Replace its handler by `createMcpHandler` of SDK v2, which takes the same web-standard request; drop `redisUrl` once no client uses HTTP+SSE.',
  },
  {
    pattern: /^agents\/mcp(?:\/|$)|^agents$/,
    name: 'agents',
    advice: 'Use the stateless handler for modern clients and keep `McpAgent` on its own path for legacy ones; state needs an explicit handle.',
  },
  { pattern: /^xmcp(?:\/|$)/, name: 'xmcp', advice: REPLACE },
  { pattern: /^@rekog\/mcp-nest(?:\/|$)/, name: '@rekog/mcp-nest', advice: `${REPLACE} Choose its stateless transport in the meantime.` },
  { pattern: /^mcp-use(?:\/|$)/, name: 'mcp-use', advice: REPLACE },
  { pattern: /^mcp-lite(?:\/|$)/, name: 'mcp-lite', advice: `${REPLACE} Without a session adapter it keeps no sessions, which is the smaller step.` },
  { pattern: /^tmcp(?:\/|$)|^@tmcp\//, name: 'tmcp', advice: REPLACE },
  { pattern: /^@hono\/mcp(?:\/|$)/, name: '@hono/mcp', advice: 'Replace its transport by `createMcpHandler` of SDK v2, which Hono serves as it is.' },
  { pattern: /^elysia-mcp(?:\/|$)/, name: 'elysia-mcp', advice: REPLACE },
  { pattern: /^@platformatic\/mcp(?:\/|$)/, name: '@platformatic/mcp', advice: REPLACE },
];

/** The framework that a module belongs to. */
export const frameworkOf = (module: string): string | undefined => FRAMEWORKS.find(({ pattern }) => pattern.test(module))?.name;

/** What to do about servers of a framework; `.` is one of the same repository. */
export const adviceFor = (framework: string): string =>
  framework === '.'
    ? 'The framework is part of this repository: migrate its transport first, then the servers built on it.'
    : (FRAMEWORKS.find(({ name }) => name === framework)?.advice ?? REPLACE);
