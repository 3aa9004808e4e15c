import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/http/listen.js';

function openServer() {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

test('reports a port in use, with a hint', async () => {
  const port = await listen(openServer(), { host: '127.0.0.1', port: 0 });
  const second = openServer();
  await expect(listen(second, { host: '127.0.0.1', port }, 'choose another')).rejects.toMatchObject({
    problems: [
      { code: 'ASZ597', message: `cannot listen on 127.0.0.1:${port}: the port is in use`, hint: 'choose another' },
    ],
    cause: { code: 'EADDRINUSE' },
  });
  expect(second.listenerCount('error')).toBe(0);
});

test('a later error of one connection does not end the process', async () => {
  const server = openServer();
  await listen(server, { host: '127.0.0.1', port: 0 });
  expect(() => server.emit('error', new Error('accept EMFILE'))).not.toThrow();
});
