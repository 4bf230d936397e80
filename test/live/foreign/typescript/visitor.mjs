// A client on the official TypeScript SDK 2 that finds the era itself: `visitor.mjs <url>`, or `visitor.mjs pinned|plain <url>`.
import console from 'node:console';
import process from 'node:process';
import { URL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, how = 'auto'] = process.argv.slice(2).reverse();
const mode = how === 'pinned' ? { pin: '2026-07-28' } : 'auto';
const client = new Client({ name: 'visitor', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } });
client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
await client.connect(new StreamableHTTPClientTransport(new URL(url)), { timeout: 4000 });
const { tools } = await client.listTools();
console.log(tools.map((tool) => tool.name).join(' '));
if (tools[0]) console.log(JSON.stringify(await client.callTool({ name: tools[0].name, arguments: { text: ' Grüße', value: 'Grüße' } }, { timeout: 4000 })));
await client.close();
