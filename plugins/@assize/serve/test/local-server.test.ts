import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, serveLocally } from '@assize/serve';

let server: LocalServer;
const seen: string[] = [];
beforeAll(async () => {
  server = await serveLocally(
    (request) => {
      seen.push(new URL(request.url).pathname);
      return new Response('answer');
    },
    { isOpen: (path) => path === '/' },
  );
});
afterAll(() => server.close());

/** `fetch` sets the host itself. */
const statusFor = (path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(new URL(path, server.url), { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

test('an app on this machine gets only requests with the token, and those to open paths', async () => {
  const authorization = `Bearer ${server.token}`;
  expect(new URL(server.url).hostname).toBe('127.0.0.1');
  expect(await statusFor('/', {})).toBe(200);
  expect(await statusFor('/data', {})).toBe(401);
  expect(await statusFor('/data', { authorization: `${authorization}x` })).toBe(401);
  expect(await statusFor('/data', { authorization })).toBe(200);
  expect(await statusFor('/data', { authorization, host: 'evil.example' })).toBe(421);
  expect(await statusFor('/', { host: 'evil.example' })).toBe(421);
  expect(await statusFor('/data', { authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await statusFor('/data', { authorization, origin: server.url })).toBe(200);
  expect(seen).toEqual(['/', '/data', '/data']);
});
