import { serve, getRequestListener } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AssizeApp, createApp } from '@assize/serve';
import { profileFolder, scoring } from './profile-folder.js';

const folder = profileFolder({ 'p.yaml': scoring('candidate.a') });
const request = {
  profile: 'p',
  candidates: [
    { id: 'x', a: 1 },
    { id: 'y', a: 2 },
  ],
}; // prettier-ignore
const post = (url: string, body: string, type = 'application/json'): Request =>
  new Request(url, { method: 'POST', body, headers: { 'content-type': type } });

describe('createApp answers web requests', () => {
  let app: AssizeApp;
  beforeAll(async () => {
    app = await createApp({ profiles: folder.path, limits: { body: 1000 } });
  });
  afterAll(() => app.close());

  test('of JSON and of JSON Lines', async () => {
    const ranked = await app.fetch(post('https://example.org/v1/rank', JSON.stringify(request)));
    expect(ranked.status).toBe(200);
    expect(await ranked.json()).toMatchObject({ selected: [{ id: 'y' }, { id: 'x' }] });
    const lines = '{"profile":"p"}\n{"id":"x","a":1}\n{"id":"y","a":2}\n';
    const scored = await app.fetch(post('https://example.org/v1/score', lines, 'application/x-ndjson'));
    const rows = (await scored.text()).trim().split('\n');
    expect(rows.map((row) => JSON.parse(row) as unknown)).toMatchObject([
      { id: 'x', score: 1 },
      { id: 'y', score: 2 },
      { summary: {} },
    ]);
  });

  test('with the limits of a body', async () => {
    const response = await app.fetch(
      post('https://example.org/v1/rank', JSON.stringify({ profile: 'x'.repeat(2000) })),
    );
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'ASZ593' });
  });

  test('of a body that is never complete, until its client disconnects', async () => {
    const gone = new AbortController();
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', body, headers, signal: gone.signal, duplex: 'half' } as const;
    const response = app.fetch(new Request('https://example.org/v1/rank', init));
    gone.abort();
    expect((await response).status).toBe(499);
  });
});

test.each([
  [{}, '', '/'],
  [{ basePath: '/assize' }, '/assize', '/assize'],
])('with %o, /openapi.json names the address of the routes', async (options, path, url) => {
  const app = await createApp({ profiles: folder.path, ...options });
  const response = await app.fetch(new Request(`https://example.org${path}/openapi.json`));
  expect(await response.json()).toMatchObject({ servers: [{ url }] });
  await app.close();
});

test('a closed app answers 503', async () => {
  const app = await createApp({ profiles: folder.path });
  await app.close();
  expect((await app.fetch(new Request('https://example.org/healthz'))).status).toBe(503);
});

test('log has the methods of a pino logger', async () => {
  const lines: unknown[] = [];
  const log = (fields: object, message: string): void => void lines.push([fields, message]);
  const app = await createApp({ profiles: folder.path, log: { info: log, warn: log, error: log } });
  await app.close();
  expect(lines).toEqual([[{ profile: 'p', version: 1 }, 'a profile is active']]);
  // @ts-expect-error -- the callback of earlier versions
  await expect(createApp({ log: () => {} })).rejects.toThrow('an object with the methods info, warn and error');
});

const urlOf = (server: { address: () => unknown }): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('createApp mounts', () => {
  const ranked = async (url: string): Promise<unknown> => {
    const response = await fetch(post(url, JSON.stringify(request)));
    return [response.status, await response.json()];
  };
  const expected = [200, expect.objectContaining({ profile: 'p' })];
  const mount = async (basePath = ''): Promise<AssizeApp> => {
    const app = await createApp({ profiles: folder.path, basePath });
    afterAll(() => app.close());
    return app;
  };

  test('in Hono', async () => {
    const app = await mount();
    const server = serve({ fetch: new Hono().mount('/assize', app.fetch).fetch, port: 0 }) as Server;
    afterAll(() => void server.close());
    await once(server, 'listening');
    expect(await ranked(`${urlOf(server)}/assize/v1/rank`)).toEqual(expected);
  });

  test('in Express', async () => {
    const app = await mount();
    const server = createServer(express().use('/assize', getRequestListener(app.fetch))).listen(0);
    afterAll(() => void server.close());
    await once(server, 'listening');
    expect(await ranked(`${urlOf(server)}/assize/v1/rank`)).toEqual(expected);
  });

  test('in Fastify, which reads bodies itself', async () => {
    const app = await mount('/assize');
    const server = fastify();
    afterAll(() => server.close());
    const listener = getRequestListener(app.fetch);
    await server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _body, done) => done(null));
      scope.all('/assize/*', async ({ raw }, reply) => {
        reply.hijack();
        await listener(raw, reply.raw);
      });
    });
    const url = await server.listen({ port: 0 });
    expect(await ranked(`${url}/assize/v1/rank`)).toEqual(expected);
  });
});
