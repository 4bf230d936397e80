import { ClientError, codeOf, Modern, REVISION, supportedOf } from './session.js';
import { isObject, post, type Has, type Json, type Reply } from './wire.js';

const INITIALIZE: Json = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'reference-client', version: '1' } },
};
const LEGACY = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** The era of an HTTP server: asks the modern way first and reads the answer before it falls back. */
export async function connect(url: string, has: Has): Promise<Modern | 'legacy'> {
  const modern = new Modern(url, has);
  if (has('handshake-first')) await post(has, url, LEGACY, INITIALIZE, 1);
  if (has('opens-get-stream')) await fetch(url, { headers: { Accept: 'text/event-stream' } });
  let probe: Reply;
  try {
    probe = await modern.send('server/discover');
  } catch (error) {
    if (has('falls-back-on-silence')) return handshake(url, has);
    throw new ClientError(`no answer: ${String(error)}`);
  }
  if (probe.status === 401 && !has('falls-back-on-401')) return authorize(url, probe, has);
  if (probe.status >= 500 && !has('falls-back-on-5xx')) throw new ClientError(`HTTP ${String(probe.status)}`);
  if (probe.status >= 300 && probe.status < 400) throw new ClientError('a redirect is not followed');
  const code = codeOf(probe);
  if (code === -32022) {
    if (has('legacy-version-in-meta')) {
      await modern.send('server/discover', {}, String(supportedOf(probe)[0]));
      throw new ClientError('refused');
    }
    if (supportedOf(probe).includes(REVISION) && !has('gives-up-on-version')) probe = await modern.send('server/discover');
    else if (supportedOf(probe).includes('2025-11-25')) return handshake(url, has);
    else if (!has('falls-back-on-modern-error')) throw new ClientError('no common version');
  }
  if ((code === -32020 || code === -32021) && !has('falls-back-on-modern-error')) throw new ClientError(`refused with ${String(code)}`);
  const result = probe.message?.['result'];
  if (isObject(result) && Array.isArray(result['supportedVersions'])) return modern;
  if (has('never-falls-back')) throw new ClientError('not modern');
  return handshake(url, has);
}

/** The handshake, and HTTP+SSE when that fails as well. */
async function handshake(url: string, has: Has): Promise<'legacy'> {
  const reply = await post(has, url, LEGACY, INITIALIZE, 1);
  if (isObject(reply.message?.['result'])) {
    await post(has, url, LEGACY, { jsonrpc: '2.0', method: 'notifications/initialized' });
    return 'legacy';
  }
  const stream = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal: AbortSignal.timeout(500) });
  const reader = stream.body?.getReader();
  const first = reader ? await reader.read() : undefined;
  const address = /data: (\S+)/.exec(Buffer.from(first?.value ?? []).toString('utf8'))?.[1];
  if (address === undefined) throw new ClientError('no era was recognised');
  await post(has, new URL(has('posts-to-stream-address') ? url : address, url).href, LEGACY, INITIALIZE, 1);
  await reader?.cancel();
  throw new ClientError('HTTP+SSE does not answer');
}

/** Finds the authorization server, checks its issuer, registers; without a person the flow ends there. */
async function authorize(url: string, refused: Reply, has: Has): Promise<never> {
  const where =
    /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? new URL('/.well-known/oauth-protected-resource', url).href;
  const resource = (await (await fetch(where)).json().catch(() => ({}))) as { authorization_servers?: string[] };
  const server = resource.authorization_servers?.[0];
  if (server === undefined) throw new ClientError('no authorization server');
  const issuer = new URL(server);
  const metadata = (await (await fetch(new URL(`/.well-known/oauth-authorization-server${issuer.pathname}`, issuer))).json()) as {
    issuer?: string;
    registration_endpoint?: string;
  };
  if (metadata.issuer !== server && !has('takes-any-issuer')) throw new ClientError('the issuer differs');
  const body = {
    redirect_uris: ['http://localhost/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    ...(has('registers-without-type') ? {} : { application_type: 'native' }),
  };
  await fetch(String(metadata.registration_endpoint), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  throw new ClientError('a person has to sign in');
}
