import { createServer, type ServerResponse } from 'node:http';

/** The hub's answer for one file: correct unless configured. */
export type Manners = (file: string, response: ServerResponse, content: Buffer | undefined) => boolean;

/** A hub of models on this machine. */
export interface Hub {
  readonly url: string;
  /** The requested files, with their headers. */
  readonly requests: { readonly file: string; readonly headers: NodeJS.Dict<string | string[]> }[];
  manners: Manners | undefined;
  close(): Promise<void>;
}

/** Serves `/<model>/resolve/<revision>/<file>` over HTTP. */
export async function openHub(filesOf: (model: string) => ReadonlyMap<string, Buffer> | undefined): Promise<Hub> {
  const server = createServer((request, response) => {
    const [, model = '', file = ''] = /^\/(.+)\/resolve\/[^/]+\/(.+)$/.exec(request.url ?? '') ?? [];
    hub.requests.push({ file, headers: request.headers });
    const content = filesOf(model)?.get(file);
    if (hub.manners?.(file, response, content)) return;
    if (content === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': content.length }).end(content);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const hub: Hub = {
    url: `http://127.0.0.1:${address.port}/`,
    requests: [],
    manners: undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return hub;
}
