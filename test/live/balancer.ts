import { createServer, request } from 'node:http';

/** A front that hands every request to the next of several servers, as a balancer without stickiness does. */
export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** @param path path of the endpoint, the same on every replica */
export async function startBalancer(ports: readonly number[], path: string): Promise<Balancer> {
  let turn = 0;
  const front = createServer((req, res) => {
    const port = ports[turn++ % ports.length];
    const onward = request({ host: '127.0.0.1', port, path: req.url, method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const address = front.address();
  if (address === null || typeof address !== 'object') throw new Error('the balancer has no port');
  return {
    url: `http://127.0.0.1:${String(address.port)}${path}`,
    close: () =>
      new Promise((resolve) => {
        front.closeAllConnections();
        front.close(() => resolve());
      }),
  };
}
