import { beforeAll, expect, test } from 'vitest';
import { defineScorer, z } from 'assize/sdk';
import { openServer, problemOf, type TestServer } from './open-server.js';
import { eventually } from '../../../../test/eventually.js';
import { profileFolder } from './profile-folder.js';

/** A version of a profile: every number of an answer is its number, from a veto, a scorer or a fragment. */
const version = (n: number): string => `
extends: [./_part.yaml]
tier1_scorers: [{ id: veto, expr: 'candidate.id == "v"', reason: '${n}' }]
tier2_scorers: [{ id: one, expr: '${n}.0' }, { id: two, expr: '${n}.0 + 0.0' }]
`;

const folder = profileFolder({ '_part.yaml': 'select: { top: 5 }', 'p.yaml': version(0) });
const request = { profile: 'p', candidates: [{ id: 'a' }, { id: 'v' }, { id: 'b' }], include: ['terms'] };

interface RankAnswer {
  readonly selected: readonly { readonly score: number; readonly scores: Readonly<Record<string, number>> }[];
  readonly refused: readonly { readonly reason: string }[];
}

/** 10,000 with `npm run fuzz`. */
const REQUESTS = process.env['FUZZ'] === undefined ? 500 : 10_000;

let server: TestServer;
beforeAll(async () => {
  server = await openServer(folder);
});

test(`${REQUESTS} requests while the profile changes: no error, and no answer of two versions`, async () => {
  let written = 0;
  let left = REQUESTS;
  const writing = setInterval(() => {
    written++;
    if (left <= 0) clearInterval(writing); // the last version stays until it is served
    // In place and by replacing; sometimes an invalid version, which is never served.
    if (left > 0 && written % 7 === 6) folder.replace('p.yaml', 'tier2_scorers: [{ id: one');
    else if (left > 0 && written % 2 === 0) folder.write('p.yaml', version(written));
    else folder.replace('p.yaml', version(written));
  }, 20);
  const seen = new Set<number>();
  const ask = async (): Promise<void> => {
    const response = await server.post('/v1/rank', request);
    expect(response.status).toBe(200);
    const { selected, refused } = (await response.json()) as RankAnswer;
    const numbers = [
      ...selected.flatMap(({ score, scores }) => [score, ...Object.values(scores)]),
      ...refused.map(({ reason }) => Number(reason)),
    ];
    expect([numbers.length, new Set(numbers).size]).toEqual([7, 1]);
    seen.add(numbers[0]!);
  };
  const client = async (): Promise<void> => {
    while (left-- > 0) {
      await ask(); // oxlint-disable-line no-await-in-loop -- one after another
      await new Promise((resolve) => void setTimeout(resolve, 5)); // oxlint-disable-line no-await-in-loop -- while it changes
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  await eventually(async () => {
    await ask();
    expect(seen.size).toBeGreaterThan(1);
  });
  clearInterval(writing);
  folder.replace('p.yaml', version(100_000));
  await eventually(async () => {
    const { selected } = (await (await server.post('/v1/rank', request)).json()) as RankAnswer;
    expect(selected[0]?.score).toBe(100_000);
  });
});

test('a shadow ranks the same requests invisibly, and its differences are counted', async () => {
  const by = (expr: string, more = ''): string =>
    `${more}\nselect: { top: 1 }\ntier2_scorers: [{ id: only, expr: ${expr} }]`;
  folder.write('now.yaml', by('candidate.x', 'serve: { shadow: next }'));
  folder.write('next.yaml', by('-candidate.x'));
  const candidates = [{ x: 1 }, { x: 2 }];
  await eventually(async () => {
    const response = await server.post('/v1/rank', { profile: 'now', candidates });
    expect(await response.json()).toMatchObject({ selected: [{ index: 1 }] });
  });
  await eventually(async () => {
    const text = await (await server.get('/metrics')).text();
    expect(text).toMatch(/assize_shadow_overlap_bucket\{le="0",profile="now"\} [1-9]/);
  });
});

test('a version that fails its expectations does not answer', async () => {
  const by = (expr: string): string => `tier2_scorers: [{ id: only, expr: ${expr} }]`;
  folder.write('golden.expect.yaml', 'candidates: [{ id: a, x: 1 }, { id: b, x: 2 }]\nexpect: [b above a]\n');
  folder.write('golden.yaml', by('candidate.x'));
  const top = async (): Promise<unknown> => {
    const response = await server.post('/v1/rank', {
      profile: 'golden',
      candidates: [
        { id: 'a', x: 1 },
        { id: 'b', x: 2 },
      ],
    });
    return ((await response.json()) as { selected?: { id: string }[] }).selected?.[0]?.id;
  };
  await eventually(async () => expect(await top()).toBe('b'));
  folder.replace('golden.yaml', by('-candidate.x'));
  await eventually(async () => {
    expect(await (await server.get('/readyz')).json()).toMatchObject({
      broken: [{ name: 'golden', answers: true, problems: [{ code: 'ASZ543', place: { line: 2 } }] }],
    });
  });
  expect(await top()).toBe('b');
  folder.replace('golden.expect.yaml', 'candidates: [{ id: a, x: 1 }, { id: b, x: 2 }]\nexpect: [a above b]\n');
  await eventually(async () => expect(await top()).toBe('a'));
});

test('a profile that changes each time it is read is not served before it settles', async () => {
  const writing = profileFolder();
  let versions = 0;
  let isWriting = true;
  const write = (): void =>
    writing.write('new.yaml', `${'#'.repeat(++versions)}\ntier2_scorers: [{ id: one, class: One }]`);
  class One {
    static readonly meta = defineScorer({
      summary: 'Whose profile is changed by whoever reads it.',
      params: z.strictObject({}),
    });
    compile() {
      if (isWriting) write();
      return () => versions;
    }
  }
  write();
  const busy = await openServer(writing, { pipeline: { units: { One } } });
  const rank = () => busy.post('/v1/rank', { profile: 'new', candidates: [{ id: 'a' }] });
  const response = await rank();
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await problemOf(response)).toEqual([503, 'ASZ658']);
  expect(await (await busy.get('/readyz')).json()).toMatchObject({
    broken: [
      {
        name: 'new',
        answers: false,
        problems: [{ message: expect.stringMatching(/changed during reading: \S+new\.yaml$/) }],
      },
    ],
  });
  isWriting = false;
  await eventually(async () => {
    const settled = await rank();
    expect([settled.status, await settled.json()]).toMatchObject([200, { selected: [{ score: versions }] }]);
  });
});

test('a profile that is restored before it was read is read again', async () => {
  const writing = profileFolder({ 'new.yaml': 'tier2_scorers: [{ id: one, class: One }]' });
  const golden = 'candidates: [{ id: a }, { id: b }]\nexpect: [b above a]\n';
  writing.write('new.expect.yaml', golden);
  let reads = 0;
  class One {
    static readonly meta = defineScorer({
      summary: 'There are golden cases by turns, each time that it is read.',
      params: z.strictObject({}),
    });
    compile() {
      reads++;
      if (reads <= 4 && reads % 2 === 1) writing.remove('new.expect.yaml');
      else if (reads <= 4) writing.write('new.expect.yaml', golden);
      return () => 1;
    }
  }
  const busy = await openServer(writing, { pipeline: { units: { One } } });
  writing.remove('new.expect.yaml');
  await eventually(async () => {
    const response = await busy.post('/v1/rank', { profile: 'new', candidates: [{ id: 'a' }] });
    expect(response.status).toBe(200);
  });
});
