import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStudio, type Studio } from '@assize/studio';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const YAML = 'tier2_scorers:\n  - { id: stars, expr: candidate.stars, weight: 2 } # thousands\n';
const candidates = [
  { id: 'a', stars: 1 },
  { id: 'b', stars: 2 },
];

test('reports an invalid other profile before it serves', async () => {
  const folder = newFolder();
  const profile = folder.write('profile.yaml', YAML);
  const wrong = folder.write('wrong.yaml', 'tier2_scorers: [{ id: a, expr: candidate. }]\n');
  await expect(openStudio({ profile, others: [wrong], candidates, context: {} })).rejects.toThrow(/wrong\.yaml:1:/);
});

describe('the server of a studio', () => {
  const folder = newFolder();
  const file = folder.write('profile.yaml', YAML);
  let studio: Studio;
  let origin: string;
  let token: string;

  beforeAll(async () => {
    studio = await openStudio({ profile: file, candidates, context: {} });
    [origin, token] = studio.url.split('/#token=') as [string, string];
  });
  afterAll(() => studio.close());

  const ask = async (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) => {
    const response = await fetch(origin + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    });
    return [response.status, await response.text()] as const;
  };
  const post = (path: string, body: unknown) =>
    ask(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

  /** A request as bytes, since fetch sets the Host itself. */
  const raw = (text: string): Promise<string> =>
    new Promise((done) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk: Buffer) => {
        answer += chunk.toString();
        socket.end();
      });
      socket.on('close', () => done(answer));
    });

  test('rejects a missing or wrong token', async () => {
    expect((await fetch(`${origin}/api/data`)).status).toBe(401);
    expect((await ask('/api/data', { headers: { authorization: 'Bearer x' } }))[0]).toBe(401);
    expect((await ask('/api/data'))[0]).toBe(200);
  });

  test('rejects another name for this address, and a page of another origin', async () => {
    const request = (host: string) =>
      `GET /api/data HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    expect(await raw(request('evil.example'))).toMatch(/^HTTP\/1.1 421/);
    expect(await raw(request(new URL(origin).host))).toMatch(/^HTTP\/1.1 200/);
    expect((await ask('/api/data', { headers: { origin: 'http://evil.example' } }))[0]).toBe(403);
    expect((await ask('/api/data', { headers: { origin } }))[0]).toBe(200);
  });

  test('keeps the token in a cookie, which only its own pages can use', async () => {
    const port = Number(new URL(origin).port);
    const reply = await fetch(`${origin}/api/data`, { headers: { authorization: `Bearer ${token}` } });
    expect(reply.headers.get('set-cookie')).toBe(
      `assize-studio-${port}=${token}; Path=/api; HttpOnly; SameSite=Strict`,
    );
    const request = (headers: Readonly<Record<string, string>>) => {
      const all = { host: `127.0.0.1:${port}`, cookie: `a=b; assize-studio-${port}=${token}`, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      return raw(`GET /api/data HTTP/1.1\r\n${lines.join('')}\r\n`);
    };
    const own = { 'sec-fetch-site': 'same-origin' };
    expect(await request(own)).toMatch(/^HTTP\/1.1 200/);
    // Pages of another port are of the same site; programs that are not browsers have the token.
    expect(await request({ 'sec-fetch-site': 'same-site' })).toMatch(/^HTTP\/1.1 401/);
    expect(await request({})).toMatch(/^HTTP\/1.1 401/);
    expect(await request({ ...own, cookie: `assize-studio-${port + 1}=${token}` })).toMatch(/^HTTP\/1.1 401/);
    expect(await request({ ...own, cookie: `assize-studio-${port}=${token}x` })).toMatch(/^HTTP\/1.1 401/);
    expect(await request({ ...own, host: `evil.example:${port}` })).toMatch(/^HTTP\/1.1 421/);
    expect(await request({ ...own, origin: 'http://127.0.0.1:1' })).toMatch(/^HTTP\/1.1 403/);
  });

  test('rejects paths outside, and invalid bodies', async () => {
    expect(await raw(`GET /../../package.json HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`)).toMatch(/ 40[14] /);
    for (const body of ['{', '', new Blob(['{']).stream()]) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      expect((await ask('/api/save', { method: 'POST', body, duplex: 'half' }))[0]).toBe(400);
    }
    expect((await ask('/api/save', { method: 'POST' }))[0]).toBe(400);
    expect((await ask('/api/data', { method: 'DELETE' }))[0]).toBe(404);
    expect((await post('/api/save', { edits: [{ path: [], value: 1 }], version: '' }))[0]).toBe(400);
    expect(readFileSync(file, 'utf8')).toBe(YAML);
  });

  test('rejects a body that is too large, also if its length is unknown, and continues', async () => {
    const head = `POST /api/save HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nAuthorization: Bearer ${token}\r\n`;
    const tooLarge = /^HTTP\/1.1 413 [^]*connection: close[^]*the request has more than 1048576 bytes/i;
    const body = 'x'.repeat(2 ** 20 + 1);
    expect(await raw(`${head}Content-Length: 1048577\r\n\r\n${body}`)).toMatch(tooLarge);
    expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n100001\r\n${body}`)).toMatch(tooLarge);
    expect((await ask('/api/data'))[0]).toBe(200);
  });

  test('rejects edits that name plugins, profiles, files or hosts, or that are not valid', async () => {
    const version = (JSON.parse((await ask('/api/changed?version='))[1]) as { version: string }).version;
    const scorer = ['tier2_scorers', { id: 'stars' }];
    const added = (entry: object) => ({ path: ['tier2_scorers', { id: 'x' }], value: { id: 'x', ...entry } });
    const outside: readonly object[] = [
      { path: ['plugins'], value: ['./evil.mjs'] },
      { path: ['plugins', 0], value: './evil.mjs' },
      { path: ['extends'], value: ['./evil.yaml'] },
      { path: ['scoring'], value: { plugins: ['./evil.mjs'] } },
      { path: ['serve'], value: { shadow: './other.yaml' } },
      { path: [...scorer, 'params', 'file'], value: './model.txt' },
      { path: [...scorer, 'memory'], value: './m.json' },
      { path: ['signals', { id: 's' }, 'memory'], value: './m.json' },
      added({ class: 'OnnxScorer', params: { file: './model.onnx', inputs: [] } }),
      added({ class: 'core/LinearScorer', params: { file: './model.json' } }),
      added({ class: 'ScaledScorer', params: { scorer: { class: 'ModelScorer', params: { file: './m.txt' } } } }),
      added({ class: 'SemanticSimilarityScorer', params: { embedder: { name: 'transformers', model: 'x' } } }),
      added({ class: 'rerank/RerankerScorer', params: { url: 'http://evil.example' } }),
      added({ class: 'UnknownScorer', params: { text: 'x' } }),
      { text: `plugins: [./evil.mjs]\n${YAML}` },
      { text: `"plug\\u0069ns": [./evil.mjs]\n${YAML}` },
    ];
    const invalid: readonly [object, number][] = [
      [{ path: [...scorer, 'class'], value: 'OnnxScorer' }, 422],
      [{ path: ['select', 'top'], value: -1 }, 422],
      [{ path: ['select', 'pack'], value: { class: 'X' } }, 422],
      [added({ class: 'cupel/RecencyScorer' }), 422],
      [{ path: [...scorer, 'params', '__proto__'], value: 1 }, 400],
      [{ path: ['tier2_scorers', { id: 'constructor' }, 'weight'], value: 1 }, 400],
      [{ path: ['tier2_scorers', { id: 'gone' }], remove: true }, 400],
      [{ path: scorer, remove: false }, 400],
      [{ text: '' }, 400],
    ];
    const cases = outside.map((edit) => [edit, 400, 'names something outside of the profile'] as const);
    for (const [edit, status, words = ''] of [...cases, ...invalid.map((one) => [...one, ''] as const)]) {
      for (const [path, body] of [
        ['/api/save', { edits: [edit], version }],
        ['/api/draft', { edits: [edit] }],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one edit after the other
        const answer = await post(path, body);
        expect([edit, ...answer]).toEqual([edit, status, expect.stringContaining(words)]);
      }
    }
    expect(readFileSync(file, 'utf8')).toBe(YAML);
  });

  test('rejects a save that would leave an invalid profile, with its problem', async () => {
    const version = (JSON.parse((await ask('/api/changed?version='))[1]) as { version: string }).version;
    const [status, answer] = await post('/api/save', {
      edits: [{ path: ['tier2_scorers', { id: 'stars' }, 'weight'], value: -1 }],
      version,
    });
    expect([status, answer]).toEqual([422, expect.stringMatching(/profile\.yaml:2:\d+ error ASZ/)]);
    expect(readFileSync(file, 'utf8')).toBe(YAML);
  });

  test('reports a file that is not YAML any more, and continues', async () => {
    writeFileSync(file, 'tier2_scorers: [');
    const [status, answer] = await post('/api/diff', {
      edits: [{ path: ['tier2_scorers', { id: 'stars' }, 'weight'], value: 3 }],
    });
    expect([status, answer]).toEqual([409, expect.stringContaining('is not valid YAML')]);
    writeFileSync(file, YAML);
    expect((await ask('/api/data'))[0]).toBe(200);
  });

  test('answers 404 for a target that is not a URL', async () => {
    const { host } = new URL(origin);
    for (const target of ['//', '///', '//[', '/%zz', '*']) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      expect([target, answer.split('\r\n')[0]]).toEqual([target, expect.stringMatching(/ 40[0134] /)]);
    }
  });

  test('each file of the page is compressed and kept by the browser', async () => {
    const html = await (await fetch(origin)).text();
    const addresses = [...html.matchAll(/(?:href|src)="(\w+\/[\w.-]+)"/g)].map(([, path = '']) => `${origin}/${path}`);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) {
      // Node's own client does not decompress.
      const sent = (encoding: string): Promise<readonly [IncomingMessage, Buffer]> =>
        once(httpGet(address, { headers: { 'accept-encoding': encoding } }), 'response').then(
          async ([answer]: IncomingMessage[]) => [answer!, await buffer(answer!)] as const,
        );
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      const [plain, text] = await sent('identity');
      expect(plain.headers['content-encoding']).toBeUndefined();
      for (const [accepted, encoding, decode] of [
        ['gzip, deflate, br', 'br', brotliDecompressSync],
        ['br;q=0, gzip', 'gzip', gunzipSync],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one request after the other
        const [{ headers }, bytes] = await sent(accepted);
        expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
        expect(headers['cache-control']).toContain('immutable');
        expect(decode(bytes).equals(text)).toBe(true);
      }
    }
    expect((await fetch(`${origin}/0123456789abcdef/page.js`)).status).toBe(401);
    expect((await ask('/0123456789abcdef/page.js'))[0]).toBe(404);
  });

  test('exports the page with changes, for the token alone, and not with edits that name something outside', async () => {
    const weight = { path: ['tier2_scorers', { id: 'stars' }, 'weight'], value: 5 };
    const body = (changes: object) => ({ state: { settings: { weights: { stars: 5 } } }, asked: [], ...changes });
    const without = await fetch(`${origin}/api/export`, { method: 'POST', body: JSON.stringify(body({})) });
    expect(without.status).toBe(401);
    expect((await ask('/api/export', { method: 'POST', headers: { origin: 'http://evil.example' } }))[0]).toBe(403);
    const label = '</script><b>';
    const [status, html] = await post('/api/export', body({ state: { settings: { x: label } }, asked: [[weight]] }));
    expect(status).toBe(200);
    expect(html).toContain('<script type="application/json" id="studio-state">');
    expect(html).toContain('"edits":[{"path":["tier2_scorers",{"id":"stars"},"weight"],"value":5}]');
    expect(html).not.toContain(label);
    expect(html).not.toContain('# thousands');
    for (const [changes, code] of [
      [{ asked: [[{ path: ['plugins'], value: ['./evil.mjs'] }]] }, 400],
      [{ asked: [[{ path: ['select', 'top'], value: -1 }]] }, 422],
      [{ asked: 1 }, 400],
      [{ state: { settings: 1 } }, 400],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      expect([changes, (await post('/api/export', body(changes)))[0]]).toEqual([changes, code]);
    }
    expect(readFileSync(file, 'utf8')).toBe(YAML);
  });

  test('a page may run only its own script', async () => {
    const response = await fetch(`${origin}/`);
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const refused = await fetch(`${origin}/api/data`);
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });

  test('does not overwrite a file that has changed in the meantime', async () => {
    const edits = [{ path: ['tier2_scorers', { id: 'stars' }, 'weight'], value: 5 }];
    const version = (JSON.parse((await ask('/api/data'))[1]) as { file: { version: string } }).file.version;
    writeFileSync(file, YAML.replace('2 }', '3 }'));
    const [status, answer] = await post('/api/save', { edits, version });
    expect([status, answer]).toEqual([409, expect.stringContaining('has changed on disk: reload and save again')]);
    expect(readFileSync(file, 'utf8')).toBe(YAML.replace('2 }', '3 }'));
    writeFileSync(file, YAML);
    expect((await post('/api/save', { edits, version }))[0]).toBe(200);
    expect(readFileSync(file, 'utf8')).toBe(YAML.replace('2 }', '5 }'));
  });

  test('hostile keys change only the file', async () => {
    const version = (JSON.parse((await ask('/api/changed?version='))[1]) as { version: string }).version;
    await post('/api/save', { edits: [{ path: ['__proto__', 'polluted'], value: 1 }], version });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('shows a preset, which cannot be written', async () => {
    const preset = await openStudio({ profile: 'knowledgepulse', candidates: [{ id: 'x', steps: [] }], context: {} });
    const [at, key] = preset.url.split('/#token=') as [string, string];
    const response = await fetch(`${at}/api/save`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ edits: [], version: '' }),
    });
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('is a preset')]);
    await preset.close();
  });

  test('reports candidates that no string can hold, and continues', async () => {
    const profile = folder.write('huge.yaml', YAML);
    const toJSON = () => 'x'.repeat(2 ** 30); // fails like a string of that length, without using memory
    const huge = await openStudio({ profile, candidates: [{ id: 'a', stars: 1, toJSON }], context: {} });
    const [at, key] = huge.url.split('/#token=') as [string, string];
    const response = await fetch(`${at}/api/data`, { headers: { authorization: `Bearer ${key}` } });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('error ASZ655')]);
    expect((await fetch(at)).status).toBe(200);
    await huge.close();
  });

  test('does not open an invalid profile, and reports its problems', async () => {
    const broken = join(folder.path, 'broken.yaml');
    writeFileSync(broken, 'tier2_scorers: [{ id: a, expr: candidate. }]\n');
    await expect(openStudio({ profile: broken, candidates, context: {} })).rejects.toThrow(
      /broken\.yaml:1:\d+ error ASZ401/,
    );
  });
});
