import type { RunbookModel } from '../../core/index.js';
import { apartBy, choiceOf, isSse, modernAddresses, pathOf, storeName } from '../addresses.js';
import type { Context } from '../context.js';

type Topology = RunbookModel['topology'];
type Box = Topology['boxes'][number];
type Arrow = Topology['arrows'][number];

/** Who talks to whom while both lanes run: clients of both eras, what routes between, endpoints, lanes, stores. Empty without an endpoint. */
export function topologyOf(context: Context): Topology {
  if (context.http.length === 0) return { boxes: [], arrows: [] };
  const boxes: Box[] = [{ id: 'modern', label: 'client 2026-07-28', kind: 'client' }];
  const arrows: Arrow[] = [];
  if (context.legacyExists) boxes.push({ id: 'old', label: 'client 2025-11-25 or older', kind: 'client' });
  const affinity = context.findings.filter((finding) => finding.data.affinity === true);
  const balancers = [...new Set(affinity.map((finding) => finding.site.file))];
  balancers.forEach((file, index) => boxes.push({ id: `lb${index}`, label: file, kind: 'balancer' }));
  const entry = balancers.length > 0 ? 'lb0' : undefined;
  const reach = (client: string, endpoint: string, label: string): void => {
    arrows.push({ from: client, to: endpoint, label });
  };
  if (entry !== undefined) {
    reach('modern', entry, 'POST');
    if (context.legacyExists) reach('old', entry, 'Mcp-Session-Id');
  }
  const stores = new Map<string, string>();
  context.http.forEach((endpoint, index) => {
    const id = `e${index}`;
    boxes.push({ id, label: `${pathOf(endpoint)} (${apartBy(context, endpoint) ?? endpoint.host})`, kind: 'endpoint' });
    const sse = isSse(endpoint);
    const lane = choiceOf(context, endpoint);
    const beside = modernAddresses(context).find((address) => address.endpoint.id === endpoint.id && address.beside && address.built === undefined);
    const own = !sse && !(lane === 'separate' && endpoint.era === 'legacy');
    if (entry !== undefined) reach(entry, id, '');
    else {
      if (own) reach('modern', id, 'POST');
      if (endpoint.era !== 'modern') reach('old', id, endpoint.methods.join(', '));
    }
    if (beside !== undefined) {
      boxes.push({ id: `${id}m`, label: `modern endpoint, ${beside.path ?? 'path to be decided'}`, kind: 'endpoint' });
      reach(entry ?? 'modern', `${id}m`, entry === undefined ? 'POST' : '');
    }
    if (own) {
      boxes.push({ id: `${id}m`, label: 'modern lane', kind: 'lane' });
      arrows.push({ from: id, to: `${id}m`, label: '_meta protocolVersion' });
    }
    if (endpoint.era !== 'modern' && lane !== 'none') {
      boxes.push({ id: `${id}l`, label: `legacy lane, ${sse ? 'HTTP+SSE' : lane}`, kind: 'lane' });
      arrows.push({ from: id, to: `${id}l`, label: 'else' });
      // One box for each store, whoever reaches it.
      for (const { file, name } of endpoint.stores) {
        const key = `${file} ${storeName(name)}`;
        const box = stores.get(key) ?? `s${stores.size}`;
        if (!stores.has(key)) boxes.push({ id: box, label: storeName(name), kind: 'store' });
        stores.set(key, box);
        if (!arrows.some((arrow) => arrow.from === `${id}l` && arrow.to === box)) arrows.push({ from: `${id}l`, to: box, label: '' });
      }
    }
  });
  return { boxes, arrows };
}
