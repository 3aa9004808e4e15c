import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request to the server. */
export interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** The texts, under any name in the request. */
  readonly texts: readonly string[];
}

/** The answer of the server to one request. */
export type Reply = (response: ServerResponse, seen: Seen) => void;

/** The true score of a text: the number in it, in tenths. */
export const scoreOf = (text: string): number => Number(/\d+/.exec(text)?.[0] ?? 0) / 10;

/** Sends a value as JSON. */
export const json =
  (make: (texts: readonly string[]) => unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response, { texts }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(make(texts)));
  };

/** The answer of a correct reranker, the best first. */
export const results = (texts: readonly string[]) =>
  texts
    .map((text, index) => ({ index, relevance_score: scoreOf(text) }))
    .sort((a, b) => b.relevance_score - a.relevance_score);

export const honest: Reply = json((texts) => ({ results: results(texts) }));

/**
 * Starts a server on this machine, which closes after the test.
 *
 * @param replies to the first, second … request; the last one to all further ones
 */
export async function rerankServer(...replies: readonly Reply[]): Promise<{ url: string; seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Seen['body'];
      const texts = (body['documents'] ?? body['texts'] ?? []) as readonly string[];
      const one = { headers: request.headers, body, texts };
      replies[Math.min(seen.push(one), replies.length) - 1]?.(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/rerank`, seen };
}
