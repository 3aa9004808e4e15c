import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Calls, DEFAULT_LIMITS, type ToolLimits } from '../../src/mcp/limits.js';
import { createServerFactory, profilesOffer } from '../../src/mcp/server.js';
import { ENVELOPES } from '../../src/operations.js';
import { ServedProfiles } from '../../src/profiles/served-profiles.js';
import { defineScorer, type Run, type Score, z } from 'assize/sdk';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';

const folder = temporaryFolder();
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
write(
  'team.yaml',
  `name: team
description: Which repository to show first.
tier1_scorers: [{ id: archived, expr: candidate.archived }]
tier2_scorers:
  - { id: stars, expr: candidate.stars / 1000, weight: 3 }
  - { id: fresh, expr: 1 - candidate.age / 100 }
`,
);
write(
  'local.yaml',
  `context: { country: { type: string, required: true }, time: { type: time } }
tier2_scorers: [{ id: sold, expr: 'candidate.country == context.country ? 1 : 0' }]
`,
);
write('seen.yaml', 'tier2_scorers: [{ id: new, class: NoveltyScorer, params: { text: text, embedder: lexical } }]\n');
write('slow.yaml', 'tier2_scorers: [{ id: slow, class: Slow }]\n');
write('broken.yaml', 'tier2_scorers:\n  - { id: stars, expr: candidate.stars, wieght: 3 }\n');

/** Waits until it is aborted. */
class Slow {
  static readonly meta = defineScorer({ summary: 'Waits.', params: z.strictObject({}) });
  prepare(_: object, { abort }: Run): Promise<Score<unknown>> {
    return new Promise((_resolve, reject) => {
      abort.addEventListener('abort', () => reject(new Error('aborted')));
    });
  }
}

const repos = [
  { id: 'compass', stars: 850, age: 10, archived: false },
  { id: 'sextant', stars: 300, age: 1, archived: false },
  { id: 'astrolabe', stars: 990, age: 90, archived: true },
];

let profiles: ServedProfiles;
beforeAll(async () => {
  profiles = await ServedProfiles.open(folder, { watch: false, pipeline: { units: { Slow } } });
});
afterAll(async () => {
  await profiles.close();
});

async function connect(limits: Partial<ToolLimits> = {}): Promise<Client> {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const factory = createServerFactory('1.2.3', profilesOffer({ profiles, limits: all }), new Calls(all));
  const server = await factory({ era: 'legacy' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  await client.listTools(); // the client checks each answer against the output schemas
  return client;
}

interface Answer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly isError: boolean;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Answer> {
  const { content, structuredContent, isError = false, _meta } = await client.callTool({ name, arguments: input });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const failure = isError ? { problems: _meta?.['assize/problems'] } : undefined;
  return { text, data: failure ?? (structuredContent as Answer['data']), isError };
}

const ask = async (name: string, input?: Record<string, unknown>): Promise<Answer> =>
  call(await connect(), name, input);

describe('the descriptions for an agent', () => {
  test('there are six tools, each with the schemas of its input and its answer, in few tokens', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['list', 'rank', 'explain', 'compare', 'check', 'schema']);
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description?.length).toBeLessThan(400);
      expect([inputSchema['type'], outputSchema?.['type']]).toEqual(['object', 'object']);
    }
    const withoutOutputs = tools.map((tool) => ({ ...tool, outputSchema: undefined }));
    expect(JSON.stringify(withoutOutputs).length).toBeLessThan(10_000);
    expect(JSON.stringify(tools).length).toBeLessThan(20_000);
    const rank = tools.find(({ name }) => name === 'rank');
    expect(rank?.inputSchema.properties?.['candidates']).toMatchObject({ type: 'array', items: { type: 'object' } });
    expect(rank?.annotations).toMatchObject({ readOnlyHint: false });
  });

  test('inputs are the requests of HTTP', async () => {
    const { tools } = await (await connect()).listTools();
    for (const kind of ['rank', 'explain', 'compare'] as const) {
      const known: object = ENVELOPES[kind].shape;
      const properties = Object.keys(tools.find(({ name }) => name === kind)?.inputSchema.properties ?? {});
      expect(properties.filter((key) => !(key in known))).toEqual(kind === 'rank' ? ['rows'] : []);
      expect(Object.keys(known).filter((key) => !properties.includes(key))).toEqual(
        kind === 'rank' ? ['prune', 'include'] : ['prune', 'format'],
      );
    }
  });

  test('list the profiles, and the invalid ones', async () => {
    const { text, data } = await ask('list');
    expect(text.split('\n')).toEqual([
      'broken: broken: unknown key wieght',
      'local (reads id, country; needs context country)',
      'seen (reads id, text)',
      'slow (reads id)',
      'team: Which repository to show first. (reads id, archived, stars, age)',
    ]);
    expect(data?.['profiles']).toMatchObject([
      { name: 'broken', answers: false, problems: [{ code: 'ASZ201', place: { file: 'broken.yaml', line: 2 } }] },
      {
        name: 'local',
        context: { country: { type: 'string', required: true }, time: { type: 'time', required: false } },
      },
      { name: 'seen' },
      { name: 'slow' },
      {
        name: 'team',
        description: 'Which repository to show first.',
        reads: ['id', 'archived', 'stars', 'age'],
        packs: false,
        entries: { vetoes: ['archived'], scorers: ['stars', 'fresh'] },
        answers: true,
      },
    ]);
  });

  test('contain the schema in parts, as a tool and as resources', async () => {
    const client = await connect();
    const all = await call(client, 'schema');
    expect(all.text).toContain('- DecayScorer: scorer. ');
    expect(all.text).toContain('- KindScorer: scorer of plugin cupel. ');
    expect(all.text.length).toBeLessThan(20_000);
    const decay = await call(client, 'schema', { part: 'DecayScorer' });
    const [part] = (decay.data?.['parts'] ?? []) as readonly { readonly content: string }[];
    expect(decay.text.split('\n')[1]).toBe(part?.content);
    expect(JSON.parse(part?.content ?? '')).toMatchObject({ class: 'DecayScorer', params: { type: 'object' } });
    expect((await call(client, 'schema', { part: 'tier2_scorers' })).text.length).toBeLessThan(6000);
    expect((await call(client, 'schema', { part: 'chat' })).text).toContain('extends: [context]');
    expect(await call(client, 'schema', { part: 'DecayScorr' })).toMatchObject({
      isError: true,
      data: { problems: [{ code: 'ASZ591', hint: expect.stringContaining('DecayScorer') as string }] },
    });
    const { contents } = await client.readResource({ uri: 'assize://schema/select' });
    expect(contents[0]).toMatchObject({ mimeType: 'application/json' });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['assize://schema']);
  });
});

describe('rank', () => {
  test('answers with the selected, the parts of their scores, and why others are missing', async () => {
    const { text, data, isError } = await ask('rank', { profile: 'team', candidates: repos });
    expect(isError).toBe(false);
    expect(data).toEqual({
      profile: 'team',
      counts: { ranked: 2, selected: 2, not_selected: 0, refused: 1 },
      weights: { stars: 0.75, fresh: 0.25 },
      selected: [
        { rank: 1, id: 'compass', index: 0, score: 0.8625, scores: { stars: 0.85, fresh: 0.9 } },
        { rank: 2, id: 'sextant', index: 1, score: 0.4725, scores: { stars: 0.3, fresh: 0.99 } },
      ],
      refused_counts: [
        {
          by: 'archived',
          kind: 'veto',
          count: 1,
          examples: [{ id: 'astrolabe', index: 2, reason: 'candidate.archived' }],
        },
      ],
      report: {},
      degraded: [],
      warnings: [],
    });
    expect(text.split('\n').slice(0, 2)).toEqual([
      'team: 3 candidates, 2 selected, 0 not selected, 1 refused',
      '1. compass 0.8625 (stars 0.85, fresh 0.9)',
    ]);
  });

  test('accepts weights, a limit and rows in the call', async () => {
    const weighed = await ask('rank', { profile: 'team', candidates: repos, weights: { stars: 0, fresh: 1 }, rows: 1 });
    expect(weighed.data).toMatchObject({ selected: [{ id: 'sextant' }], more: 1 });
    const first = await ask('rank', { profile: 'team', candidates: repos, top: 1 });
    expect(first.data).toMatchObject({ counts: { selected: 1, not_selected: 1 } });
  });

  test('updates the memory of a profile, unless disabled', async () => {
    const ranked = async (updateMemory: boolean) => {
      const input = { profile: 'seen', candidates: [{ text: 'the very same words' }], update_memory: updateMemory };
      const { data } = await ask('rank', input);
      return (data?.['counts'] as { readonly ranked: number } | undefined)?.ranked;
    };
    // The first text has no others to be compared with.
    expect([await ranked(false), await ranked(false), await ranked(true), await ranked(true)]).toEqual([0, 0, 0, 1]);
  });
});

test('explain gives the reason of a score, compare the decision between two', async () => {
  const explained = await ask('explain', { profile: 'team', candidates: repos, candidate: 'astrolabe' });
  expect(explained.text).toContain('archived');
  expect(explained.data).toMatchObject({ id: 'astrolabe', outcome: { kind: 'refused', by: 'archived' } });
  const byPosition = await ask('explain', { profile: 'team', candidates: repos, candidate: { index: 1 } });
  expect(byPosition.data).toMatchObject({ id: 'sextant', outcome: { rank: 2 } });
  const compared = await ask('compare', { profile: 'team', candidates: repos, a: 'sextant', b: 'compass' });
  expect(compared.data).toMatchObject({ ahead: 'b', decided_by: 'score', flips: { behind: 'a' } });
  expect(compared.text).toContain('compass');
});

describe('a profile in a call', () => {
  const yaml = 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\n';

  test.each([
    ['as text', { yaml }],
    ['as an object', { tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] }],
  ])('%s ranks, explains, compares and is checked', async (_, profile) => {
    const client = await connect();
    const ranked = await call(client, 'rank', { profile, candidates: repos });
    expect(ranked.data).toMatchObject({ profile: 'profile', selected: [{ id: 'astrolabe', score: 990 }, {}, {}] });
    const compared = await call(client, 'compare', { profile, candidates: repos, a: 'compass', b: 'sextant' });
    expect(compared.data).toMatchObject({ ahead: 'a' });
    expect((await call(client, 'check', { profile })).data).toMatchObject({ valid: true });
  });

  test('with mistakes is reported with their places', async () => {
    const { data, isError } = await ask('check', { profile: { yaml: `${yaml}wieghts: {}\n` } });
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      valid: false,
      problems: [{ code: 'ASZ201', place: { file: 'profile', line: 2, column: 1 } }],
    });
    const outside = await ask('check', { profile: { extends: ['/etc/passwd'] } });
    expect(outside.data).toMatchObject({ valid: false, problems: [{ code: 'ASZ111' }] });
    expect(outside.text).not.toContain('root:');
  });
});

describe('check', () => {
  test('a valid profile', async () => {
    const { text, data } = await ask('check', { profile: 'team' });
    expect(text).toBe('team: fine');
    expect(data).toMatchObject({ valid: true, problems: [], entries: { scorers: ['stars', 'fresh'] } });
  });

  test('an invalid one: with the place in its file, and without the path of its folder', async () => {
    const { text, data, isError } = await ask('check', { profile: 'broken' });
    expect({ isError, text: text.includes(folder) }).toEqual({ isError: false, text: false });
    expect(data).toMatchObject({
      valid: false,
      problems: [{ code: 'ASZ201', place: { file: 'broken.yaml', line: 2, column: 41 } }],
    });
  });
});

describe('an error is an answer with a hint', () => {
  const problem = async (name: string, input: Record<string, unknown>, limits?: Partial<ToolLimits>) => {
    const { text, data, isError } = await call(await connect(limits), name, input);
    const problems = data?.['problems'] as readonly { readonly code: string; readonly hint?: string }[] | undefined;
    return { isError, code: problems?.[0]?.code, text };
  };

  test.each([
    ['a profile that is not there', { profile: 'taem', candidates: repos }, 'ASZ591', 'did you mean team?'],
    ['one that never worked', { profile: 'broken', candidates: repos }, 'ASZ596', 'broken'],
    ['a path', { profile: '../../etc/passwd', candidates: repos }, 'ASZ591', 'there is no profile'],
    [
      'a profile of the call that reaches outside',
      { profile: { plugins: ['./evil.js'], tier2_scorers: [] }, candidates: repos },
      'ASZ111',
      'untrusted',
    ],
    ['an invalid profile', { profile: { tier2: [] }, candidates: repos }, 'ASZ201', 'unknown key tier2'],
    ['no candidates', { profile: 'team' }, 'ASZ502', 'no candidates were given'],
    ['invalid candidates', { profile: 'team', candidates: [3] }, 'ASZ502', '3'],
    ['a weight for an unknown scorer', { profile: 'team', candidates: repos, weights: { star: 2 } }, 'ASZ534', 'stars'],
    [
      'a budget for a profile without select.pack',
      { profile: 'team', candidates: repos, budget: 5 },
      'ASZ513',
      'select.pack',
    ],
  ])('%s', async (_, input, code, says) => {
    const answer = await problem('rank', input);
    expect(answer).toMatchObject({ isError: true, code });
    expect(answer.text).toContain(says);
  });

  test('too many candidates', async () => {
    const candidates = Array.from({ length: 6 }, (_, n) => ({ stars: n, age: 1, archived: false }));
    const { code, text } = await problem('rank', { profile: 'team', candidates }, { candidates: 5 });
    expect([code, text.includes('6 candidates')]).toEqual(['ASZ593', true]);
  });

  test('input that violates the schema, and a candidate that does not exist', async () => {
    expect(await problem('rank', { candidates: repos })).toMatchObject({ isError: true, code: 'ASZ590' });
    expect((await problem('rank', { profile: 'team', candidates: repos, wieghts: {} })).text).toContain(
      'did you mean weights?',
    );
    expect((await problem('explain', { profile: 'team', candidates: repos, candidate: 'sextent' })).code).toBe(
      'ASZ504',
    );
  });

  test('a call that takes too long, and one too many concurrent calls', async () => {
    const slow = { profile: 'slow', candidates: repos };
    expect((await problem('rank', slow, { milliseconds: 20 })).code).toBe('ASZ595');
    const client = await connect({ calls: 1 });
    const stop = new AbortController();
    const first = client.callTool({ name: 'rank', arguments: slow }, { signal: stop.signal });
    const second = await call(client, 'list');
    expect([second.isError, second.text]).toEqual([
      true,
      expect.stringContaining('1 calls are in progress, which is the limit'),
    ]);
    stop.abort();
    await expect(first).rejects.toThrow('aborted');
  });

  test('a call that its client cancels stops the scorer', async () => {
    const client = await connect({ calls: 1 });
    const stop = new AbortController();
    const first = client.callTool(
      { name: 'rank', arguments: { profile: 'slow', candidates: repos } },
      { signal: stop.signal },
    );
    setTimeout(() => stop.abort(), 20);
    await expect(first).rejects.toThrow('aborted');
    await expect.poll(async () => (await call(client, 'list')).isError).toBe(false);
  });
});
