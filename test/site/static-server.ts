import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

export interface StaticServer {
  readonly origin: string;
  close(): void;
}

/** Serves the files of a folder as a static host does, with more headers if they are given. */
export async function serveFolder(
  folder: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StaticServer> {
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(url.replace(/[?#].*/, '').replace(/\/$/, '/index.html'));
    const file = join(folder, path);
    const isFound = existsSync(file) && statSync(file).isFile();
    response.writeHead(isFound ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'text/plain', ...headers });
    response.end(isFound ? readFileSync(file) : undefined);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
