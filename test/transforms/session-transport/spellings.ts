import type { Tree } from '../../fixtures-kit/tree.js';

/** One legacy server, its handlers and routes spelled in many ways. */

const MANIFEST = `${JSON.stringify(
  {
    name: 'tide-tables',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: { '@modelcontextprotocol/node': '^2.1.2', '@modelcontextprotocol/server': '^2.4.0', express: '^5.0.0', zod: '^4.2.0' },
  },
  null,
  2,
)}\n`;

const FACTORY = `import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export function createServer(): McpServer {
  const server = new McpServer({ name: 'tide-tables', version: '1.0.0' });
  server.registerTool('tide', { description: 'High water at a port', inputSchema: z.object({ port: z.string() }) }, async ({ port }) => ({
    content: [{ type: 'text', text: \`\${port}: 04:12 and 16:40\` }],
  }));
  return server;
}
`;

/** How a handler reaches the transports. */
interface Store {
  readonly get: (id: string) => string;
  readonly set: (id: string, value: string) => string;
  readonly drop: (id: string) => string;
}

export const record = (name: string): Store => ({
  get: (id) => `${name}[${id}]`,
  set: (id, value) => `${name}[${id}] = ${value}`,
  drop: (id) => `delete ${name}[${id}]`,
});
export const map = (name: string): Store => ({
  get: (id) => `${name}.get(${id})`,
  set: (id, value) => `${name}.set(${id}, ${value})`,
  drop: (id) => `${name}.delete(${id})`,
});

export const post = ({ get, set, drop }: Store): string => `  const sessionId = req.headers['mcp-session-id'] as string | undefined;
  const known = sessionId ? ${get('sessionId')} : undefined;
  let transport: NodeStreamableHTTPServerTransport;
  if (known) {
    transport = known;
  } else if (!sessionId && isInitializeRequest(req.body)) {
    transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        ${set('id', 'transport')};
      },
    });
    transport.onclose = () => {
      if (transport.sessionId) ${drop('transport.sessionId')};
    };
    await createServer().connect(transport);
  } else {
    res.status(400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: No valid session ID provided' }, id: null });
    return;
  }
  await transport.handleRequest(req, res, req.body);`;

export const stream = ({ get }: Store): string => `  const sessionId = req.headers['mcp-session-id'] as string | undefined;
  const open = sessionId ? ${get('sessionId')} : undefined;
  if (!open) {
    res.status(400).send('Invalid or missing session ID');
    return;
  }
  await open.handleRequest(req, res);`;

export const deeper = (text: string): string => text.replace(/^(?=.)/gm, '  ');

export const imports = (express: string, up = '.'): string => `import { randomUUID } from 'node:crypto';
${express}
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { createServer } from '${up}/factory.js';
`;
export const TYPES = "import type { Request, Response } from 'express';";
export const WITH_APP = "import express, { type Request, type Response } from 'express';";
const WITH_ROUTER = "import { Router, type Request, type Response } from 'express';";
export const RECORD = '\nconst transports: Record<string, NodeStreamableHTTPServerTransport> = {};\n';

export const handlers = (modifier = 'export ', express = TYPES, up = '.'): string => `${imports(express, up)}${RECORD}
${modifier}async function postMcp(req: Request, res: Response): Promise<void> {
${post(record('transports'))}
}

${modifier}async function streamMcp(req: Request, res: Response): Promise<void> {
${stream(record('transports'))}
}
`;

export const routes = (first: string, second: string, on = 'app', path = '/mcp'): string =>
  `${on}.post('${path}', ${first});\n${on}.get('${path}', ${second});\n${on}.delete('${path}', ${second});\n`;

export const HEAD = "import express from 'express';\n";
export const APP = '\nconst app = express();\napp.use(express.json());\n';
export const LISTEN = "\napp.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');\n";
export const inline = (on = 'app', store: Store = record('transports')): string =>
  `${on}.post('/mcp', async (req: Request, res: Response) => {\n${post(store)}\n});\n\n${on}.get('/mcp', async (req: Request, res: Response) => {\n${stream(store)}\n});\n`;

const member = (arrow: boolean, name: string, body: string): string =>
  arrow
    ? `  readonly ${name} = async (req: Request, res: Response): Promise<void> => {\n${deeper(body)}\n  };`
    : `  async ${name}(req: Request, res: Response): Promise<void> {\n${deeper(body)}\n  }`;

const controller = (arrow: boolean, extra = '', modifier = 'export '): string => `${modifier}class McpController {
  private readonly transports = new Map<string, NodeStreamableHTTPServerTransport>();
${extra}
${member(arrow, 'handlePost', post(map('this.transports')))}

${member(arrow, 'handleStream', stream(map('this.transports')))}
}
`;

const storeModule = `import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';\n\nexport const transports = new Map<string, NodeStreamableHTTPServerTransport>();\n`;
const storeFunctions = `import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';

const transports = new Map<string, NodeStreamableHTTPServerTransport>();

export const findTransport = (id: string): NodeStreamableHTTPServerTransport | undefined => transports.get(id);
export const keepTransport = (id: string, transport: NodeStreamableHTTPServerTransport): void => void transports.set(id, transport);
export const dropTransport = (id: string): void => void transports.delete(id);
`;
const functions: Store = { get: (id) => `findTransport(${id})`, set: (id, value) => `keepTransport(${id}, ${value})`, drop: (id) => `dropTransport(${id})` };

/** JavaScript of a TypeScript text of this file: annotations and casts cut off. */
export const untyped = (text: string): string =>
  text
    .replace(/^import type .*\n/gm, '')
    .replace(/, type \w+/g, '')
    .replace(/: (?:Request|Response|Promise<void>|NodeStreamableHTTPServerTransport|Record<[^>]*>)(?=[,)\s;])/g, '')
    .replaceAll(' as string | undefined', '');

const ASYNC_HANDLER = `import type { NextFunction, Request, RequestHandler, Response } from 'express';

export const asyncHandler =
  (fn: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  (req: Request, res: Response, next: NextFunction) => {
    fn(req, res).catch(next);
  };
`;

export const tree = (files: Readonly<Record<string, string>>): Tree => new Map(Object.entries({ 'package.json': MANIFEST, 'factory.ts': FACTORY, ...files }));

/** A spelling, and the lane that `--legacy auto` must reach with it without a hand edit. */
export interface Spelling {
  readonly name: string;
  readonly lane: 'stateless' | 'sessionful';
  readonly tree: Tree;
}

const spelling = (name: string, files: Readonly<Record<string, string>>, lane: Spelling['lane'] = 'stateless'): Spelling => ({ name, lane, tree: tree(files) });

export const SPELLINGS: readonly Spelling[] = [
  spelling('handlers imported by name', {
    'handlers.ts': handlers(),
    'server.ts': `${HEAD}import { postMcp, streamMcp } from './handlers.js';\n${APP}${routes('postMcp', 'streamMcp')}${LISTEN}`,
  }),
  spelling('default export', {
    'post.ts': handlers().replace('export async function postMcp', 'export default async function postMcp'),
    'server.ts': `${HEAD}import handlePost, { streamMcp } from './post.js';\n${APP}${routes('handlePost', 'streamMcp')}${LISTEN}`,
  }),
  spelling('namespace import', {
    'handlers.ts': handlers(),
    'server.ts': `${HEAD}import * as tides from './handlers.js';\n${APP}${routes('tides.postMcp', 'tides.streamMcp')}${LISTEN}`,
  }),
  spelling('handlers through a barrel', {
    'http/handlers.ts': handlers('export ', TYPES, '..'),
    'http/index.ts': "export { postMcp, streamMcp } from './handlers.js';\n",
    'server.ts': `${HEAD}import { postMcp, streamMcp } from './http/index.js';\n${APP}${routes('postMcp', 'streamMcp')}${LISTEN}`,
  }),
  spelling('object of handlers', {
    'handlers.ts': `${imports(TYPES)}${RECORD}
export const handlers = {
${member(false, 'post', post(record('transports')))},
  stream: async (req: Request, res: Response): Promise<void> => {
${deeper(stream(record('transports')))}
  },
};
`,
    'server.ts': `${HEAD}import { handlers } from './handlers.js';\n${APP}${routes('handlers.post', 'handlers.stream')}${LISTEN}`,
  }),
  spelling('bound methods of an imported class', {
    'controller.ts': `${imports(TYPES)}\n${controller(false)}`,
    'server.ts': `${HEAD}import { McpController } from './controller.js';\n${APP}\nconst controller = new McpController();\n${routes('controller.handlePost.bind(controller)', 'controller.handleStream.bind(controller)')}${LISTEN}`,
  }),
  spelling('arrow fields of an imported class', {
    'controller.ts': `${imports(TYPES)}\n${controller(true)}`,
    'server.ts': `${HEAD}import { McpController } from './controller.js';\n${APP}\nconst controller = new McpController();\n${routes('controller.handlePost', 'controller.handleStream')}${LISTEN}`,
  }),
  spelling('arrows that call methods', {
    'controller.ts': `${imports(TYPES)}\n${controller(false)}`,
    'server.ts': `${HEAD}import { McpController } from './controller.js';\n${APP}\nconst controller = new McpController();\n${routes('(req, res) => controller.handlePost(req, res)', 'async (req, res) => {\n  await controller.handleStream(req, res);\n}')}${LISTEN}`,
  }),
  spelling('exported instance of a class', {
    'controller.ts': `${imports(TYPES)}\n${controller(true)}\nexport const controller = new McpController();\n`,
    'server.ts': `${HEAD}import { controller } from './controller.js';\n${APP}\n${routes('controller.handlePost', 'controller.handleStream')}${LISTEN}`,
  }),
  spelling('class that registers its own routes', {
    'controller.ts': `${imports("import type { Express, Request, Response } from 'express';")}\n${controller(false, `\n  register(app: Express): void {\n${deeper(deeper(routes('this.handlePost.bind(this)', 'this.handleStream.bind(this)')))}  }\n`)}`,
    'server.ts': `${HEAD}import { McpController } from './controller.js';\n${APP}\nnew McpController().register(app);\n${LISTEN}`,
  }),
  spelling('class that owns the application', {
    'server.ts': `${imports("import express, { type Express, type Request, type Response } from 'express';")}\n${controller(true, `  private readonly app: Express;\n\n  constructor() {\n    this.app = express();\n    this.app.use(express.json());\n${deeper(deeper(routes('this.handlePost', 'this.handleStream', 'this.app')))}  }\n\n  start(): void {\n    this.app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');\n  }\n`, '')}\nnew McpController().start();\n`,
  }),
  spelling('class that owns a router', {
    'controller.ts': `${imports(WITH_ROUTER)}\n${controller(false, `  readonly router = Router();\n\n  constructor() {\n${deeper(deeper(routes('this.handlePost.bind(this)', 'this.handleStream.bind(this)', 'this.router', '/')))}  }\n`)}`,
    'server.ts': `${HEAD}import { McpController } from './controller.js';\n${APP}app.use('/mcp', new McpController().router);\n${LISTEN}`,
  }),
  spelling('handlers behind a wrapper that only catches', {
    'handlers.ts': handlers(),
    'async-handler.ts': ASYNC_HANDLER,
    'server.ts': `${HEAD}import { postMcp, streamMcp } from './handlers.js';\nimport { asyncHandler } from './async-handler.js';\n${APP}${routes('asyncHandler(postMcp)', 'asyncHandler(streamMcp)')}${LISTEN}`,
  }),
  spelling('arrows that call imported functions', {
    'handlers.ts': handlers(),
    'server.ts': `${HEAD}import { postMcp, streamMcp } from './handlers.js';\n${APP}${routes('(req, res) => postMcp(req, res)', 'async (req, res) => {\n  await streamMcp(req, res);\n}')}${LISTEN}`,
  }),
  spelling('application of another file', {
    'handlers.ts': handlers(),
    'app.ts': `${HEAD}\nexport const app = express();\napp.use(express.json());\n`,
    'server.ts': `import { app } from './app.js';\nimport { postMcp, streamMcp } from './handlers.js';\n\n${routes('postMcp', 'streamMcp')}${LISTEN}`,
  }),
  spelling('application of another file, handlers inline', {
    'app.ts': `${HEAD}\nexport const app = express();\napp.use(express.json());\n`,
    'server.ts': `${imports(TYPES)}import { app } from './app.js';\n${RECORD}\n${inline()}${LISTEN}`,
  }),
  spelling('application as default export', {
    'app.ts': `${HEAD}\nconst app = express();\napp.use(express.json());\n\nexport default app;\n`,
    'server.ts': `${imports(TYPES)}import web from './app.js';\n${RECORD}\n${inline('web')}${LISTEN.replace('app', 'web')}`,
  }),
  spelling('router of another file', {
    'routes/mcp.ts': `${handlers('', WITH_ROUTER, '..')}\nexport const mcpRouter = Router();\n${routes('postMcp', 'streamMcp', 'mcpRouter')}`,
    'server.ts': `${HEAD}import { mcpRouter } from './routes/mcp.js';\n${APP}app.use('/api', mcpRouter);\n${LISTEN}`,
  }),
  spelling('router and handlers of other files', {
    'handlers.ts': handlers(),
    'router.ts': `import { Router } from 'express';\nimport { postMcp, streamMcp } from './handlers.js';\n\nconst router = Router();\n${routes('postMcp', 'streamMcp', 'router', '/')}\nexport default router;\n`,
    'server.ts': `${HEAD}import mcpRouter from './router.js';\n${APP}app.use('/mcp', mcpRouter);\n${LISTEN}`,
  }),
  spelling('function that builds the router', {
    'router.ts': `${handlers('', WITH_ROUTER)}\nexport function createMcpRouter(): Router {\n  const router = Router();\n${deeper(routes('postMcp', 'streamMcp', 'router', '/'))}  return router;\n}\n`,
    'server.ts': `${HEAD}import { createMcpRouter } from './router.js';\n${APP}app.use('/mcp', createMcpRouter());\n${LISTEN}`,
  }),
  spelling('routes of one path in two files', {
    'transports.ts': storeModule,
    'post.ts': `${imports("import type { Express, Request, Response } from 'express';")}import { transports } from './transports.js';\n\nexport function registerPost(app: Express): void {\n  app.post('/mcp', async (req: Request, res: Response) => {\n${deeper(post(map('transports')))}\n  });\n}\n`,
    'stream.ts': `import type { Express, Request, Response } from 'express';\nimport { transports } from './transports.js';\n\nexport function registerStream(app: Express): void {\n  app.get('/mcp', async (req: Request, res: Response) => {\n${deeper(stream(map('transports')))}\n  });\n}\n`,
    'server.ts': `${HEAD}import { registerPost } from './post.js';\nimport { registerStream } from './stream.js';\n${APP}\nregisterPost(app);\nregisterStream(app);\n${LISTEN}`,
  }),
  spelling('map of another file', {
    'store.ts': storeModule,
    'server.ts': `${imports(WITH_APP)}import { transports } from './store.js';\n${APP}\n${inline('app', map('transports'))}${LISTEN}`,
  }),
  spelling('map behind functions of another file', {
    'store.ts': storeFunctions,
    'server.ts': `${imports(WITH_APP)}import { dropTransport, findTransport, keepTransport } from './store.js';\n${APP}\n${inline('app', functions)}${LISTEN}`,
  }),
  spelling('untyped parameter in JavaScript', {
    'routes.js': `${untyped(handlers(''))}\nexport function mountMcp(app) {\n${deeper(routes('postMcp', 'streamMcp'))}}\n`,
    'server.js': `${HEAD}import { mountMcp } from './routes.js';\n${APP}\nmountMcp(app);\n${LISTEN}`,
  }),
  spelling('map under a second name', {
    'server.ts': `${imports(WITH_APP)}${RECORD}const sessions = transports;\n${APP}\n${inline('app', record('sessions'))}${LISTEN}`,
  }),
  spelling('chain on one path', {
    'handlers.ts': handlers(),
    'server.ts': `${HEAD}import { postMcp, streamMcp } from './handlers.js';\n${APP}\napp.route('/mcp').post(postMcp).get(streamMcp).delete(streamMcp);\n${LISTEN}`,
  }),
  spelling('one handler that branches on the method', {
    'server.ts': `${imports(WITH_APP)}${RECORD}${APP}\napp.all('/mcp', async (req: Request, res: Response) => {\n  if (req.method === 'POST') {\n${deeper(post(record('transports')))}\n    return;\n  }\n${stream(record('transports'))}\n});\n${LISTEN}`,
  }),
];
