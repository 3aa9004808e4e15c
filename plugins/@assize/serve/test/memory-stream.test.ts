/* JSON Lines to a profile with a memory: each row is compared with the rows before it. */
import { expect, test } from 'vitest';
import { openServer, problemOf } from './open-server.js';
import { profileFolder } from './profile-folder.js';

const novelty = 'id: novelty, class: NoveltyScorer, params: { vector: vector }, on_absent: 1';
const folder = profileFolder({
  'new.yaml': `tier2_scorers: [{ ${novelty} }]`,
  'scaled.yaml': `tier2_scorers: [{ ${novelty} }, { id: size, class: ScaledScorer, params: { scorer: { expr: candidate.size } } }]`,
});

const lines = (profile: string, options: object = {}, again = ''): string =>
  [
    { profile, ...options },
    { id: `a${again}`, size: 1, vector: [1, 0] },
    { id: `b${again}`, size: 2, vector: [0, 1] },
    { id: `c${again}`, size: 3, vector: [1, 0] },
  ]
    .map((one) => JSON.stringify(one))
    .join('\n');

const headers = { 'content-type': 'application/x-ndjson' };

test('scores the lines of a stream, updates the memory, and leaves it as it is if the request says so', async () => {
  const server = await openServer(folder);
  const scores = async (options?: object, again?: string): Promise<unknown[]> => {
    const response = await server.post('/v1/score', lines('new', options, again), { headers });
    expect(response.status).toBe(200);
    const rows = (await response.text()).trimEnd().split('\n');
    return rows.flatMap((row) => (JSON.parse(row) as { readonly score?: number }).score ?? []);
  };
  expect(await scores({ update_memory: false })).toEqual([1, 1, 0]); // nothing is remembered
  expect(await scores()).toEqual([1, 1, 0]);
  expect(await scores({ update_memory: false }, '2')).toEqual([0, 0, 0]);
});

test('refuses an entry without a memory that needs all candidates, and names the body to send instead', async () => {
  const server = await openServer(folder);
  const response = await server.post('/v1/score', lines('scaled'), { headers });
  expect(await problemOf(response.clone())).toEqual([400, 'ASZ590']);
  const { problems } = (await response.json()) as { readonly problems: readonly object[] };
  expect(problems[0]).toMatchObject({
    message: expect.stringContaining('its entry size needs all candidates at once') as string,
    hint: expect.stringContaining('application/json') as string,
  });
});
