import { connect } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/eventually.js';
import { isBuilt } from '../../../../test/scale/threads/folder.js';
import { openServer, problemOf, type TestServer } from './open-server.js';
import { profileFolder } from './profile-folder.js';

const folder = profileFolder({
  'same.yaml': 'tier2_scorers: [{ id: s, expr: candidate.s }]\nselect: { duplicates: candidate.k }',
  'alike.yaml':
    'tier2_scorers: [{ id: s, expr: candidate.s }]\n' +
    'select: { top: 2, diversify: { class: MmrSelector, params: { fields: k } } }',
  'waits.yaml': `plugins: [./waits.mjs]\ntier2_scorers: [{ id: waits, class: Waits }]`,
  'waits.mjs': `
import { defineScorer, z } from '${new URL('../../../../dist/bundle/sdk.js', import.meta.url).href}';
/** Waits until its run is aborted. */
export class Waits {
  static meta = defineScorer({ summary: 'Waits.', params: z.strictObject({}) });
  prepare(_, { abort }) {
    return new Promise((_resolve, reject) => abort.addEventListener('abort', () => reject(new Error('stopped'))));
  }
}`,
});
let server: TestServer;
beforeAll(async () => {
  server = await openServer(folder, { threads: 0, inline: true });
});

/** Text of nested values. `JSON.stringify` cannot write it. */
const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const maps = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const late = (depth: number): string => `"${'x'.repeat(20_000)}", "l": ${lists(depth)}`;

const ROUTES = ['/v1/rank', '/v1/score', '/v1/explain', '/v1/rerank'];
const VALUES = { lists, maps, 'lists after much text': late };

describe.each(ROUTES)('%s with a deeply nested candidate', (route) => {
  test.each(Object.entries(VALUES))('%s', async (_, valueOf) => {
    for (const depth of [101, 20_000, 100_000]) {
      for (const profile of ['same', 'alike']) {
        const candidate = `{"id":"b","s":1,"k":${valueOf(depth)}}`;
        const rest = `"profile":"${profile}","context":{}${route === '/v1/explain' ? ',"id":"a"' : ''}`;
        const fields = route === '/v1/rerank' ? `"model":"${profile}","query":"a"` : rest;
        const key = route === '/v1/rerank' ? 'documents' : 'candidates';
        const json = `{${fields},"${key}":[{"id":"a","s":1},${candidate}]}`;
        const lines = `{${rest}}\n{"id":"a","s":1}\n${candidate}\n`;
        expect(await problemOf(await server.post(route, json)), 'JSON').toEqual([400, 'ASZ590']);
        if (route === '/v1/rerank') continue;
        const response = await server.post(route, lines, { headers: { 'content-type': 'application/x-ndjson' } });
        expect(response.status, 'lines').toBeLessThan(500);
        expect(await response.text(), 'lines').toContain('nested more than 100 deep');
      }
    }
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

test('rejects a deeply nested context and profile', async () => {
  for (const key of ['context', 'profile', 'weights']) {
    const body = `{"profile":"same","candidates":[{"id":"a","s":1}],"${key}":{"a":${lists(100_000)}}}`;
    expect(await problemOf(await server.post('/v1/rank', body)), key).toEqual([400, 'ASZ590']);
  }
});

test('names the place of the depth', async () => {
  const response = await server.post('/v1/rank', `{"profile":"same",\n"candidates":[${lists(500)}]}`);
  const { problems } = (await response.json()) as { readonly problems: readonly object[] };
  expect(problems).toEqual([
    expect.objectContaining({
      message: 'the body: the data is nested more than 100 deep',
      place: { file: 'body', line: 2, column: 113 },
    }),
  ]);
});

const JSON_TYPE = 'content-type: application/json';
const LINES_TYPE = 'content-type: application/x-ndjson';
const post = (path: string, headers: readonly string[], body: string, length = body.length): string =>
  [`POST ${path} HTTP/1.1`, 'host: localhost', ...headers, `content-length: ${length}`, '', body].join('\r\n');
const many = '{"id":"a","s":1,"t":"a text"}\n'.repeat(50_000);
const manyRows = `[${many.trim().replaceAll('\n', ',')}]`;

/** The parts of requests after which clients disconnect. */
const LEAVES: Readonly<Record<string, string>> = {
  'in the headers': 'POST /v1/rank HTTP/1.1\r\nhost: local',
  'before the body': post('/v1/rank', [JSON_TYPE], '', 50),
  'in the body': post('/v1/rank', [JSON_TYPE], '{"profile":', 50),
  'in lines': post('/v1/score', [LINES_TYPE], '{"profile":"same"}\n{"s":1}\n{"s":', 5000),
  'in the envelope of lines': post('/v1/score', [LINES_TYPE], '{"profile":', 5000),
  'during a run': post('/v1/rank', [JSON_TYPE], '{"profile":"waits","candidates":[{"id":"a"}]}'),
  'during a run in lines': post('/v1/score', [LINES_TYPE], '{"profile":"waits"}\n{"s":1}\n'),
  'during an answer in lines': post('/v1/score', [LINES_TYPE], `{"profile":"alike"}\n${many}`),
  'during an answer of lines': post(
    '/v1/rank',
    [JSON_TYPE, 'accept: application/x-ndjson'],
    `{"profile":"same","candidates":${manyRows}}`,
  ),
  'during a large answer': post('/v1/score', [JSON_TYPE], `{"profile":"same","candidates":${manyRows}}`),
  'after a request': post('/v1/rank', [JSON_TYPE], '{"profile":"same","candidates":[{"id":"a","s":1}]}'),
};

describe.skipIf(!isBuilt).each([0, 1])('a client disconnects, with %d threads (needs a build)', (threads) => {
  let other: TestServer;
  beforeAll(async () => {
    other = await openServer(folder, { threads, limits: { large: 1 } });
  });
  const metricsText = async (): Promise<string> => (await other.get('/metrics')).text();
  const running = async (): Promise<number> => Number(/^assize_requests_running (\d+)/m.exec(await metricsText())?.[1]);

  test.each(Object.entries(LEAVES))('%s', async (_, text) => {
    const consoles = [vi.spyOn(console, 'error'), vi.spyOn(console, 'info')];
    onTestFinished(() => consoles.forEach((spy) => spy.mockRestore()));
    for (const how of ['end', 'destroy', 'resetAndDestroy'] as const) {
      for (const ms of [0, 5, 30, 150]) {
        const client = connect(other.port, '127.0.0.1').on('error', () => {});
        client.once('data', () => client.pause()); // it does not read to the end
        client.write(text);
        await new Promise((resolve) => void setTimeout(resolve, ms)); // at any position: nothing may be logged
        client[how]();
        if (how === 'end') client.destroySoon();
      }
    }
    await eventually(async () => expect(await running()).toBe(0));
    expect(other.log.filter(({ level }) => level === 'error')).toEqual([]);
    for (const spy of consoles) expect(spy.mock.calls).toEqual([]);
  });

  test('the request is counted', async () => {
    await eventually(async () => expect(await metricsText()).toMatch(/route="\/v1\/rank",status="499"\} [1-9]/));
  });
});
