import { POST, type Trap, server, trap } from './adversarial.js';
import { APP, LISTEN, RECORD, WITH_APP, imports, inline } from './spellings.js';

const NOW = '  await transport.handleRequest(req, res, req.body);';

/** A server whose handler of POST requests holds other code in the place of the hand-over. */
const instead = (text: string, before = ''): Readonly<Record<string, string>> =>
  server(`${imports(WITH_APP)}${RECORD}${APP}${before}
app.post('/mcp', async (req: Request, res: Response) => {
${POST.replace(NOW, text)}
});
${LISTEN}`);

/** Handlers that do something to the transport, the request or the answer which the modern entry does not do. */
export const HANDLER_TRAPS: readonly Trap[] = [
  trap(
    'a method of the transport is replaced by one that checks',
    'left',
    instead(`  const handle = transport.handleRequest.bind(transport);
  transport.handleRequest = async (...given) => {
    if (JSON.stringify(given[2]).includes('forbidden')) res.status(403).end();
    else await handle(...given);
  };
${NOW}`),
    { says: 'checks requests itself' },
  ),
  trap(
    'what the transport sends is changed',
    'left',
    instead(`  const send = transport.send.bind(transport);
  transport.send = async (message) => send(JSON.parse(JSON.stringify(message).replaceAll('secret', '***')));
${NOW}`),
    { says: 'checks requests itself' },
  ),
  trap('something is put into the body', 'left', instead('  await transport.handleRequest(req, res, { ...req.body, caller: req.ip });'), {
    says: 'checks requests itself',
  }),
  trap('a function that may throw is asked', 'left', instead(`  assertMember(req);\n${NOW}`, "import { assertMember } from './members.js';\n"), {
    says: 'checks requests itself',
  }),
  trap('a header of the answer is set in between', 'sessionful', instead(`  res.setHeader('x-region', 'north');\n${NOW}`), {
    keeps: ['does not run for modern requests', "res.setHeader('x-region', 'north');"],
  }),
  trap(
    'requests are counted when they are done',
    'sessionful',
    instead(`  res.on('finish', () => served.push(Date.now()));\n${NOW}`, 'const served: number[] = [];\n'),
    {
      keeps: ['does not run for modern requests'],
    },
  ),
  trap(
    'servers come from a generator',
    'left',
    server(`${imports(WITH_APP)}${RECORD}${APP}
async function* servers() {
  for (let left = 100; left > 0; left--) yield createServer();
}
const supply = servers();
${inline().replaceAll('await createServer().connect(transport)', '(await supply.next()).value?.connect(transport)')}${LISTEN}`),
    { says: 'hands out servers' },
  ),
  trap(
    'a tool of another file counts the sessions',
    'sessionful',
    {
      ...server(`${imports(WITH_APP)}${RECORD.replace('const transports', 'export const transports')}${APP}\n${inline()}${LISTEN}`),
      'board.ts': "import { transports } from './server.js';\n\nexport const open = (): number => Object.keys(transports).length;\n",
    },
    { keeps: ['Object.keys(transports).length'] },
  ),
  trap(
    'middleware of one method in a chain',
    'stateless',
    server(`${imports(WITH_APP)}${RECORD}${APP}
const member = (req: Request, res: Response, next: () => void) => {
  if (req.get('x-member') === '7') next();
  else res.status(401).end();
};

app.route('/mcp').post(member, async (req: Request, res: Response) => {
${POST}
});
${LISTEN}`),
    { keeps: ['const member = ', ', member, '] },
  ),
];
