import { expect, test } from 'vitest';
import { ANSWERS, HEALTH_ANSWER, PROFILES_ANSWER, READY_ANSWER } from '../src/answers.js';
import { openServer } from './open-server.js';
import { profileFolder } from './profile-folder.js';

const folder = profileFolder({
  'a.yaml': `context:
  at: { type: time, required: true }
  count: { type: int, required: true }
  factor: { type: number, required: true }
  query: { type: string, required: true }
  verbose: { type: bool, required: true }
  tags: { type: list, required: true }
  user: { type: map, required: true }
  other: { required: true }
  unused: { type: string }
tier2_scorers: [{ id: fixed, expr: context.factor * context.count }]
`,
  'first.yaml': `tier1_scorers: [{ id: sold_out, expr: candidate.?stock.orValue(1) == 0 }]
tier2_scorers: [{ id: price, expr: candidate.?price.orValue(1) / 10 }, { id: fixed, expr: '1' }]
select: { top: 1 }
`,
  'packed.yaml': `plugins: [cupel]
tier2_scorers: [{ id: fixed, expr: '1' }]
select: { pack: { cost: candidate.cost, class: GreedyPack, budget: 5 } }
`,
});

interface Description {
  readonly paths: Record<string, { post?: { requestBody: { content: Record<string, { example: object }> } } }>;
}

test('examples have the context that the profile requires', async () => {
  const server = await openServer(folder);
  const { paths } = (await (await server.get('/openapi.json')).json()) as Description;
  const example = paths['/v1/rank']?.post?.requestBody.content['application/json']?.example;
  const keys = ['at', 'count', 'factor', 'query', 'verbose', 'tags', 'user', 'other'];
  expect(example).toMatchObject({ profile: expect.any(String) as string });
  const named = (example as { readonly profile: string }).profile;
  expect([named, Object.keys((example as { readonly context?: object }).context ?? {})]).toEqual(['a', keys]);
});

test('the example of each route succeeds, and its answer has the keys of the schema', async () => {
  const server = await openServer(folder);
  const { paths } = (await (await server.get('/openapi.json')).json()) as Description;
  const include = ['terms', 'candidates', 'ranked', 'not_selected', 'explanations', 'warnings'];
  for (const [kind, schema] of Object.entries(ANSWERS)) {
    const path = `/v1/${kind}`;
    const example = paths[path]?.post?.requestBody.content['application/json']?.example;
    const more = kind === 'rank' || kind === 'pack' ? { include } : {};
    const response = await server.post(path, { ...example, ...more }); // oxlint-disable-line no-await-in-loop
    const answer: unknown = await response.json(); // oxlint-disable-line no-await-in-loop
    expect.soft([path, response.status, answer]).toMatchObject([path, 200, {}]);
    const { data, error } = schema.safeParse(answer);
    expect.soft([path, error?.issues ?? []]).toEqual([path, []]);
    if (data) expect.soft([path, data]).toEqual([path, answer]); // parsing removes unknown keys
  }
});

test.each([
  ['/v1/profiles', PROFILES_ANSWER],
  ['/healthz', HEALTH_ANSWER],
  ['/readyz', READY_ANSWER],
])('the answer of %s has the keys of its schema', async (path, schema) => {
  const answer: unknown = await (await (await openServer(folder)).get(path)).json();
  expect(schema.parse(answer)).toEqual(answer);
});
