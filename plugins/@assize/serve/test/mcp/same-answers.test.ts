import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Calls, DEFAULT_LIMITS } from '../../src/mcp/limits.js';
import { createServerFactory, profilesOffer } from '../../src/mcp/server.js';
import { ServedProfiles } from '../../src/profiles/served-profiles.js';
import { openServer, type TestServer } from '../open-server.js';
import { profileFolder } from '../profile-folder.js';

const folder = profileFolder({
  'context.yaml': `plugins: [cupel]
description: Which texts to send to a model.
candidate: { pinned: candidate.?pinned.orValue(false) }
tier1_scorers: [{ id: secret_text, label: Secret text, expr: candidate.?secret.orValue(false) }]
tier2_scorers:
  - { id: recency, class: RecencyScorer }
  - { id: length_score, expr: 1 / candidate.tokens, on_absent: skip }
weights: { by: candidate.kind, cases: { old: { recency: 2 } } }
adjustments: [{ id: bonus, when: candidate.?chosen.orValue(false), add: 0.1 }]
select:
  duplicates: candidate.content
  pack: { cost: candidate.?tokens.orValue(10), class: GreedyPack, budget: { target: 450, output_reserve: 50 } }
  place: { class: Chronological }
report: [{ id: others, class: Alternatives, params: { count: 1 } }]
`,
  'diverse.yaml': `tier2_scorers: [{ id: early, expr: 1 / size(candidate.content) }]
select: { top: 3, diversify: { class: MmrSelector, params: { fields: kind } } }
`,
  'reranked.yaml': `tier2_scorers: [{ id: cheap, expr: 1 / size(candidate.content) }, { id: late, expr: '1' }]
rerank: { top: 2, ask: [late] }
`,
  'last-resort.yaml': `tier1_scorers: [{ id: all, expr: 'true' }]
tier2_scorers: [{ id: one, expr: '1' }]
fallback: [{ use: manual }]
`,
  'failing.yaml': `defaults: { on_error: 0.5 }
tier2_scorers: [{ id: kind, expr: 'double(candidate.?kind.orValue("none"))' }, { id: one, expr: '1' }]
`,
});

const candidates = [
  { id: 'system', content: 'You answer questions.', tokens: 60, kind: 'SystemPrompt', pinned: true },
  { id: 'asked', content: 'Where is my invoice?', tokens: 20, timestamp: '2026-01-01', chosen: true },
  { id: 'asked_again', content: 'Where is my invoice?', timestamp: '2026-01-02', kind: 'old' },
  { id: 'manual', content: 'Invoices …', tokens: 300, kind: 'Document', timestamp: '2025-05-01' },
  { id: 'ledger', content: 'All of 2025 …', tokens: 480, kind: 'Document', timestamp: '2025-06-01' },
  { id: 'secret', content: 'y', tokens: 5, secret: true },
];

const context = { now: '2026-02-01' };

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await openServer(folder);
  const profiles = await ServedProfiles.open(folder.path, { watch: false });
  afterAll(() => profiles.close());
  const served = profilesOffer({ profiles, limits: DEFAULT_LIMITS });
  const mcp = await createServerFactory('1.2.3', served, new Calls(DEFAULT_LIMITS))({ era: 'legacy' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  await client.listTools(); // the client checks each answer against the output schemas
});

/** The data of a tool's answer, as JSON. */
async function dataOf(name: string, input: object = {}): Promise<Record<string, unknown>> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } });
  expect([isError ?? false, content]).toEqual([false, content]);
  return JSON.parse(JSON.stringify(structuredContent)) as Record<string, unknown>;
}

const post = async (path: string, request: object): Promise<unknown> => (await server.post(path, request)).json();

/** The keys of an answer that are not snake_case. */
function otherKeys(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(otherKeys);
  return Object.entries(value).flatMap(([key, part]) => [
    ...(/^[a-z0-9_]+$/.test(key) ? [] : [key]),
    ...otherKeys(part),
  ]);
}

describe.each(['context', 'diverse', 'reranked', 'last-resort', 'failing'])('the answers for profile %s', (profile) => {
  test('of rank are those of HTTP, shorter', async () => {
    const data = await dataOf('rank', { profile, candidates, context });
    const same = (await post('/v1/rank', { profile, candidates, context, include: ['terms'] })) as typeof data;
    for (const key of ['profile', 'labels', 'counts', 'pruned', 'report', 'degraded', 'budget']) {
      expect.soft([key, data[key]]).toEqual([key, same[key]]);
    }
    const keysOf = (rows: unknown) => (rows as readonly object[]).map((row) => Object.keys(row).toSorted());
    const others = new Set(['weights', 'contributions', 'combined', 'rules']);
    expect(keysOf(data['selected'])).toEqual(
      keysOf(same['selected']).map((keys) => keys.filter((key) => !others.has(key))),
    );
    expect(otherKeys([data, same])).toEqual([]);
  });

  test.each([
    ['explain', { candidate: 'manual' }],
    ['explain', { candidate: 'secret' }],
    ['explain', { candidate: { index: 0 } }],
    ['compare', { a: 'asked', b: 'manual' }],
    ['compare', { a: 'ledger', b: 'secret' }],
  ])('of %s %o are those of HTTP', async (name, which) => {
    const data = await dataOf(name, { profile, candidates, context, ...which });
    expect(data).toEqual(await post(`/v1/${name}`, { profile, candidates, context, ...which }));
    expect(otherKeys(data)).toEqual([]);
  });

  test('of check have the ids of its entries', async () => {
    const data = await dataOf('check', { profile });
    expect(data).toMatchObject({ valid: true, entries: {} });
    expect(otherKeys(data)).toEqual([]);
  });
});

test('the answer of list is that of GET /v1/profiles', async () => {
  const withoutTime = (answer: unknown): unknown =>
    (answer as { profiles: object[] }).profiles.map((one) => ({ ...one, since: undefined }));
  expect(withoutTime(await dataOf('list'))).toEqual(withoutTime(await (await server.get('/v1/profiles')).json()));
});
