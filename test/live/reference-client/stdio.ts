import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ClientError, REVISION } from './session.js';
import { isObject, type Has, type Json } from './wire.js';

/** Connects to a stdio server: probes, and falls back when the answer is no modern one. */
export async function overStdio(command: readonly string[], has: Has): Promise<void> {
  const [file = '', ...args] = command;
  const server = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<unknown, (message: Json) => void>();
  createInterface({ input: server.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Json;
    waiting.get(message['id'])?.(message);
  });
  let count = 0;
  const ask = (method: string, params: Json): Promise<Json> => {
    const id = ++count;
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      setTimeout(() => resolve({ error: { code: 'silence' } }), 1000).unref();
    });
  };
  const meta = { 'io.modelcontextprotocol/protocolVersion': REVISION, ...(has('no-capabilities') ? {} : { 'io.modelcontextprotocol/clientCapabilities': {} }) };
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'reference-client', version: '1' } };
  try {
    if (has('handshake-first')) await ask('initialize', handshake);
    let probe = await ask('server/discover', { _meta: meta });
    const code = isObject(probe['error']) ? probe['error']['code'] : undefined;
    if (code === -32022 && !has('falls-back-on-modern-error')) probe = await ask('server/discover', { _meta: meta });
    if (isObject(probe['result'])) {
      await ask('tools/list', { _meta: meta });
      return;
    }
    if (has('never-falls-back') || (has('falls-back-on-one-code') && code !== -32601)) throw new ClientError('not modern');
    await ask('initialize', handshake);
  } finally {
    server.stdin.end();
    server.kill();
  }
}
