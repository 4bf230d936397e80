import { connect } from './connect.js';
import { ClientError } from './session.js';
import { overStdio } from './stdio.js';

/** Usage: main.js <faults, comma-separated or -> <url> | main.js <faults> --stdio <command…> */
const [list = '-', where = '', ...command] = process.argv.slice(2);
const faults = new Set(list.split(','));
const has = (fault: string): boolean => faults.has(fault);

/** A short working day: looks at everything, calls the first tool, listens for a moment. */
async function work(url: string): Promise<void> {
  const server = await connect(url, has);
  if (server === 'legacy') return;
  const tools = await server.listTools();
  console.log(tools.join(' '));
  const quietly = (method: string, params = {}): Promise<unknown> => server.request(method, params).catch(() => undefined);
  await quietly('prompts/list');
  await quietly('prompts/get', { name: 'hello' });
  await quietly('resources/list');
  await quietly('resources/read', { uri: 'shop://terms' });
  const listening = await server.send('subscriptions/listen', { notifications: { toolsListChanged: true } }).catch(() => undefined);
  if (listening?.broken && has('resumes-subscriptions')) await fetch(url, { headers: { Accept: 'text/event-stream', 'Last-Event-ID': '1' } });
  try {
    console.log(JSON.stringify(await server.request('tools/call', { name: 'echo', arguments: { text: ' Grüße' } })));
  } catch (error) {
    if (has('posts-cancelled'))
      await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      });
    throw error;
  }
}

try {
  await (where === '--stdio' ? overStdio(command, has) : work(where));
} catch (error) {
  console.error(error instanceof ClientError ? error.message : error);
  process.exitCode = 1;
}
