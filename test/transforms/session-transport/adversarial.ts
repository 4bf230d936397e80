import type { Tree } from '../../fixtures-kit/tree.js';
import { APP, HEAD, LISTEN, RECORD, TYPES, WITH_APP, deeper, handlers, imports, inline, map, post, record, routes, stream, tree } from './spellings.js';

/** A server that invites a wrong edit, and what must come of it. */
export interface Trap {
  readonly name: string;
  /** `stateless` and `sessionful`: rewritten so; `left`: no file may change. */
  readonly becomes: 'stateless' | 'sessionful' | 'left';
  readonly tree: Tree;
  /** Must still be in the code, in this form. */
  readonly keeps?: readonly string[];
  /** Must be in the reason of the refusal or of the manual item. */
  readonly says?: string;
}

export const server = (text: string): Readonly<Record<string, string>> => ({ 'server.ts': text });
export const POST = post(record('transports'));
const STREAM = stream(record('transports'));

export const trap = (name: string, becomes: Trap['becomes'], files: Readonly<Record<string, string>>, more: Pick<Trap, 'keeps' | 'says'> = {}): Trap => ({
  name,
  becomes,
  tree: tree(files),
  ...more,
});

export const TRAPS: readonly Trap[] = [
  trap(
    'a parameter shadows the map',
    'stateless',
    server(`${imports(WITH_APP)}${RECORD}${APP}
app.get('/buses', (_req, res) => {
  const list = (transports: readonly string[]) => transports.map((line) => line.toUpperCase());
  res.json(list(['12', '27']));
});

${inline()}${LISTEN}`),
    { keeps: ['const list = (transports: readonly string[]) => transports.map((line) => line.toUpperCase());'] },
  ),
  trap('another object is called app', 'left', {
    'phone.ts': `${imports(TYPES)}${RECORD}
interface Phone {
  post(path: string, handler: (req: Request, res: Response) => unknown): void;
}

export function install(app: Phone): void {
  app.post('/mcp', async (req: Request, res: Response) => {
${deeper(POST)}
  });
}
`,
  }),
  trap(
    'the map serves an admin page too',
    'sessionful',
    server(`${imports(WITH_APP)}${RECORD}${APP}
app.get('/admin/sessions', (_req, res) => {
  res.json({ open: Object.keys(transports).length });
});

${inline()}${LISTEN}`),
    { keeps: ['Object.keys(transports).length', 'mcp(async (req: Request, res: Response) => {'] },
  ),
  trap(
    'the transport leaks to a global',
    'sessionful',
    server(`${imports(WITH_APP)}${RECORD}${APP}
app.post('/mcp', async (req: Request, res: Response) => {
${POST.replace('  await transport.handleRequest', '  Object.assign(globalThis, { lastTransport: transport });\n  await transport.handleRequest')}
});
${LISTEN}`),
    { keeps: ['Object.assign(globalThis, { lastTransport: transport });'] },
  ),
  trap(
    'the factory starts a timer each time',
    'left',
    {
      ...server(`${imports(WITH_APP)}${RECORD}${APP}\n${inline()}${LISTEN}`),
      'factory.ts': `import { McpServer } from '@modelcontextprotocol/server';

export function createServer(): McpServer {
  const server = new McpServer({ name: 'tide-tables', version: '1.0.0' });
  setInterval(() => server.server.sendLoggingMessage({ level: 'info', data: 'tick' }), 60_000);
  return server;
}
`,
    },
    { says: 'does more than build a server' },
  ),
  trap(
    'the body is read by hand, and looked at first',
    'left',
    server(`${imports(WITH_APP)}${RECORD}
const app = express();

app.post('/mcp', async (req: Request, res: Response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (text.includes('forbidden')) {
    res.status(403).end();
    return;
  }
  req.body = JSON.parse(text);
${POST}
});
${LISTEN}`),
    { says: 'modern request' },
  ),
  trap(
    'a wrapper checks the caller',
    'left',
    {
      ...server(`${HEAD}import { postMcp, streamMcp } from './handlers.js';
import { withMembers } from './members.js';
${APP}${routes('withMembers(postMcp)', 'withMembers(streamMcp)')}${LISTEN}`),
      'handlers.ts': handlers(),
      'members.ts': `import type { Request, RequestHandler, Response } from 'express';

export const withMembers =
  (handler: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  (req, res, next) => {
    if (req.get('x-member') !== '7') {
      res.status(401).end();
      return;
    }
    handler(req, res).catch(next);
  };
`,
    },
    { says: 'withMembers' },
  ),
  trap(
    'the handler checks, then calls the handler of another file',
    'left',
    {
      ...server(`${WITH_APP}\nimport { postMcp, streamMcp } from './handlers.js';\n${APP}
app.post('/mcp', async (req: Request, res: Response) => {
  if (req.get('x-member') !== '7') {
    res.status(401).end();
    return;
  }
  await postMcp(req, res);
});
app.get('/mcp', streamMcp);
${LISTEN}`),
      'handlers.ts': handlers(),
    },
    { says: "req.get('x-member')" },
  ),
  trap(
    'the handler checks in the middle',
    'left',
    server(`${imports(WITH_APP)}${RECORD}${APP}
app.post('/mcp', async (req: Request, res: Response) => {
${POST.replace('  await transport.handleRequest', "  if (req.get('x-member') !== '7') {\n    res.status(401).end();\n    return;\n  }\n  await transport.handleRequest")}
});
${LISTEN}`),
    { says: 'modern request' },
  ),
  trap('methods behind decorators', 'left', {
    'controller.ts': `${imports(TYPES)}
const Post = (path: string) => (_target: unknown, key: string): void => console.log(path, key);

export class McpController {
  private readonly transports = new Map<string, NodeStreamableHTTPServerTransport>();

  @Post('/mcp')
  async handle(req: Request, res: Response): Promise<void> {
${deeper(post(map('this.transports')))}
  }
}
`,
  }),
  trap(
    'one router under two paths',
    'stateless',
    {
      'router.ts': `${handlers('', "import { Router, type Request, type Response } from 'express';")}
export const router = Router();
${routes('postMcp', 'streamMcp', 'router', '/mcp')}`,
      ...server(`${HEAD}import { router } from './router.js';\n${APP}app.use('/v1', router);\napp.use('/v2', router);\n${LISTEN}`),
    },
    { keeps: ["app.use('/v1', router);", "app.use('/v2', router);"] },
  ),
  trap(
    'routes under a condition',
    'sessionful',
    {
      'handlers.ts': handlers(),
      ...server(`${HEAD}import { postMcp, streamMcp } from './handlers.js';
${APP}
if (process.env.SLOW_LANE === 'yes') {
  app.post('/mcp', (_req, _res, next) => setTimeout(next, 100), postMcp);
} else {
  app.post('/mcp', postMcp);
}
app.get('/mcp', streamMcp);
${LISTEN}`),
    },
    { keeps: ["app.post('/mcp', (_req, _res, next) => setTimeout(next, 100), mcp(postMcp));", "app.post('/mcp', mcp(postMcp));"] },
  ),
  trap(
    'middleware that ends the response',
    'stateless',
    server(`${imports(WITH_APP)}${RECORD}${APP}
app.use('/mcp', async (req: Request, res: Response, next: () => void) => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  if (req.get('x-closed') === 'yes') {
    res.status(503).end();
    return;
  }
  next();
});

${inline()}${LISTEN}`),
    { keeps: ["if (req.get('x-closed') === 'yes') {"] },
  ),
  trap(
    'two servers of different kinds on one path',
    'left',
    server(`${imports(WITH_APP)}import { McpServer } from '@modelcontextprotocol/server';${RECORD}${APP}
app.post('/mcp', async (req: Request, res: Response) => {
${POST.replace('await createServer().connect(transport);', "if (req.query.kind === 'plain') {\n      await new McpServer({ name: 'plain', version: '1.0.0' }).connect(transport);\n    } else {\n      await createServer().connect(transport);\n    }")}
});

app.get('/mcp', async (req: Request, res: Response) => {
${STREAM}
});
${LISTEN}`),
  ),
  trap(
    'the imported handlers are used elsewhere too',
    'sessionful',
    {
      'handlers.ts': handlers(),
      'desk.ts': "import { streamMcp } from './handlers.js';\n\nexport const names = [streamMcp.name];\n",
      ...server(
        `${HEAD}import { postMcp, streamMcp } from './handlers.js';\nimport { names } from './desk.js';\n${APP}${routes('postMcp', 'streamMcp')}\nconsole.log(names);\n${LISTEN}`,
      ),
    },
    { keeps: ['export const names = [streamMcp.name];', 'export async function streamMcp'] },
  ),
];
