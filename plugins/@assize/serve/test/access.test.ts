import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '@assize/serve';
import { openServer, problemOf, type TestServer } from './open-server.js';
import { profileFolder, scoring } from './profile-folder.js';

const folder = profileFolder({
  'shop.yaml': scoring('1.0'),
  'acme/shop.yaml': scoring('2.0'),
  'bolt/secret.yaml': scoring('3.0'),
  'broken.yaml': 'wieght: 1',
});
const ALL = 'token-of-everything';
const ACME = 'token-of-acme-acme';
const candidates = [{ id: 'a' }];

let server: TestServer;
beforeAll(async () => {
  const tokens = [{ token: ALL }, { token: ACME, tenant: 'acme' }];
  server = await openServer(folder, { tokens });
});
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const scoreOf = async (profile: string, token: string): Promise<unknown> => {
  const response = await server.post('/v1/rank', { profile, candidates }, as(token));
  if (response.status !== 200) return response.status;
  return ((await response.json()) as { selected: { score: number }[] }).selected[0]?.score;
};

describe('tokens', () => {
  test('a missing or wrong token is rejected before anything is read', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer x', `Basic ${ALL}`, `Bearer ${ALL}x`, `Bearer ${ALL} ${ALL}`]) {
      const init = authorization === '' ? {} : { headers: { authorization } };
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const response = await server.post('/v1/rank', '{', init);
      expect([authorization, await problemOf(response)]).toEqual([authorization, [401, 'ASZ592']]); // oxlint-disable-line no-await-in-loop
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('a tenant has its own profiles, and no others', async () => {
    expect(await scoreOf('shop', ACME)).toBe(2);
    expect(await scoreOf('acme/shop', ACME)).toBe(2);
    expect(await scoreOf('secret', ACME)).toBe(404);
    for (const name of [
      'bolt/secret',
      '../bolt/secret',
      'acme/../bolt/secret',
      '..%2fbolt%2fsecret',
      '/etc/passwd',
      'shop\0',
    ]) {
      expect([name, await scoreOf(name, ACME)]).toEqual([name, 404]); // oxlint-disable-line no-await-in-loop
    }
    expect([await scoreOf('shop', ALL), await scoreOf('acme/shop', ALL), await scoreOf('bolt/secret', ALL)]).toEqual([
      1, 2, 3,
    ]);
    const { profiles } = (await (await server.get('/v1/profiles', { authorization: `Bearer ${ACME}` })).json()) as {
      profiles: { name: string }[];
    };
    expect(profiles.map(({ name }) => name)).toEqual(['shop']);
  });

  test('/readyz lists names only for a full token; /metrics requires one', async () => {
    expect(await (await server.get('/readyz')).json()).toEqual({
      status: 'degraded',
      profiles: 4,
      answering: 3,
      broken: 1,
    });
    expect(await (await server.get('/readyz', { authorization: `Bearer ${ALL}` })).json()).toMatchObject({
      broken: [{ name: 'broken' }],
    });
    expect((await server.get('/metrics')).status).toBe(401);
    expect((await server.get('/metrics', { authorization: `Bearer ${ACME}` })).status).toBe(403);
    expect((await server.get('/metrics', { authorization: `Bearer ${ALL}` })).status).toBe(200);
  });

  test('rejects a guessable token, and requires one on a public address', async () => {
    const start = (options: object) => startServer({ profiles: folder.path, port: 0, ...options });
    await expect(start({ tokens: [{ token: 'short' }] })).rejects.toMatchObject({ problems: [{ code: 'ASZ597' }] });
    await expect(start({ tokens: [{ token: 'which nobody can send' }] })).rejects.toThrow('has a space');
    await expect(start({ host: '0.0.0.0' })).rejects.toMatchObject({ problems: [{ code: 'ASZ597' }] });
    await (await start({ host: '0.0.0.0', allowAnonymous: true })).close();
    await expect(start({ host: '0.0.0.0', open: true })).rejects.toThrow(
      'startServer has no option open\n  it is called allowAnonymous now',
    );
  });
});

describe('hosts and origins', () => {
  let open: TestServer;
  beforeAll(async () => {
    open = await openServer(folder, { cors: ['https://app.example'], allowHosts: ['rank.example'] });
  });

  /** `fetch` sets the host itself. */
  const statusFor = (headers: Readonly<Record<string, string>>, method = 'GET'): Promise<unknown> =>
    new Promise((resolve, reject) => {
      httpRequest({ port: open.port, host: '127.0.0.1', path: '/v1/profiles', method, headers }, (response) => {
        response.resume();
        resolve([response.statusCode, response.headers['access-control-allow-origin']]);
      })
        .on('error', reject)
        .end();
    });

  test('rejects another name for this address (DNS rebinding)', async () => {
    expect(await statusFor({ host: 'evil.example' })).toEqual([421, undefined]);
    expect(await statusFor({ host: `evil.example:${open.port}` })).toEqual([421, undefined]);
    for (const host of ['localhost', `127.0.0.1:${open.port}`, '[::1]:80', 'rank.example', 'RANK.example']) {
      expect([host, await statusFor({ host })]).toEqual([host, [200, undefined]]); // oxlint-disable-line no-await-in-loop
    }
  });

  test('rejects a page of another origin, unless it is allowed', async () => {
    const host = 'localhost';
    expect(await statusFor({ host, origin: 'https://evil.example' })).toEqual([403, undefined]);
    expect(await statusFor({ host, origin: 'null' })).toEqual([403, undefined]);
    expect(await statusFor({ host, origin: 'https://app.example' })).toEqual([200, 'https://app.example']);
    expect(await statusFor({ host, origin: 'https://app.example' }, 'OPTIONS')).toEqual([204, 'https://app.example']);
    expect(await statusFor({ host, origin: 'https://evil.example' }, 'OPTIONS')).toEqual([403, undefined]);
  });

  test('rejects a form, which any page can send', async () => {
    const body = JSON.stringify({ profile: 'shop', candidates });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const response = await open.post('/v1/rank', body, { headers: { 'content-type': type } }); // oxlint-disable-line no-await-in-loop
      expect(await problemOf(response)).toEqual([415, 'ASZ590']); // oxlint-disable-line no-await-in-loop
    }
  });
});
