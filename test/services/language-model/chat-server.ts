import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request to a server. */
export interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [field: string]: unknown;
  };
}

/** The answer of a server to one request. */
export type Reply = (response: ServerResponse, request: Seen) => void;

/** A server of chat completions on this machine. */
export interface ChatServer {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Resolves when a client has closed the connection of a request. */
  readonly hungUp: Promise<void>;
  readonly close: () => Promise<void>;
}

/** The same as `chatServer`, closed after the test. */
export async function serve(...replies: readonly Reply[]): Promise<ChatServer> {
  const server = await chatServer(...replies);
  onTestFinished(server.close);
  return server;
}

/**
 * Starts a server that speaks the protocol of chat completions.
 *
 * @param replies to the first, second … request; the last one to all further ones
 */
export async function chatServer(...replies: readonly Reply[]): Promise<ChatServer> {
  const seen: Seen[] = [];
  let tell = (): void => {};
  const hungUp = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('close', () => {
      if (!response.writableFinished) tell();
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Seen['body'];
      const one = { path: request.url ?? '', headers: request.headers, body };
      const reply = replies[Math.min(seen.push(one), replies.length) - 1];
      if (request.method !== 'POST' || one.path !== '/v1/chat/completions') response.writeHead(404).end();
      else reply?.(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    hungUp,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with any JSON. */
export const json =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A choice of a completion, and its other fields. */
export interface Said {
  readonly content?: string | null;
  readonly refusal?: string;
  readonly finish?: string;
  readonly tokens?: unknown;
}

/** A chat completion. */
export const completion = ({ content = null, refusal, finish = 'stop', tokens = 900 }: Said): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'tiny-1',
  choices: [
    {
      index: 0,
      finish_reason: finish,
      message: { role: 'assistant', content, ...(refusal !== undefined && { refusal }) },
    },
  ],
  usage: { prompt_tokens: 700, completion_tokens: 200, total_tokens: tokens },
});

/** Answers with a chat completion. */
export const says = (said: Said): Reply => json(completion(said));

/** Answers with a chat completion with this content, as JSON. */
export const saysJson = (value: unknown): Reply => says({ content: JSON.stringify(value) });

/** Answers with an error, in OpenAI's format. */
export const fails = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  json({ error: { message, type: 'error', param: null, code: null } }, status, headers);

/** Never answers. */
export const silence: Reply = () => {};

/** Sends the head and half of the body, and closes the connection. */
export const halfABody: Reply = (response) => {
  const text = JSON.stringify(completion({ content: '{}' }));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};

/** Sends the head and half of the body, and then stalls. */
export const stuckBody: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":');
};

/** Sends as fast as it can, without end. */
export const endless: Reply = (response) => {
  const chunk = ' '.repeat(1 << 16);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.on('drain', more);
  more();
};
