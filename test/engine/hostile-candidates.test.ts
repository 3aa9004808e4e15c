import { describe, expect, test } from 'vitest';
import { createPipeline, evaluate, type ProfileInput } from 'assize';
import { defineScorer, defineVeto, type Run, z } from 'assize/sdk';
import { messageOf } from '../properties/ranked.js';

/** Reads a stream to its end. */
async function drain(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

const METHODS = ['weighted_mean', 'weighted_sum', 'product', 'geometric_mean', 'harmonic_mean', 'min', 'max'] as const;

test.each<ProfileInput>([
  { tier2_scorers: [{ id: 'one', expr: '1.0' }] },
  { measures: [{ id: 'm', expr: '1.0' }], tier2_scorers: [{ id: 'one', expr: '1.0' }] },
])('a list among candidates is rejected: %j', async (profile) => {
  const pipeline = await createPipeline(profile);
  expect(await messageOf(pipeline.rank([[{ id: 'a' }], [{ id: 'b' }]]))).toContain(
    'candidate 0 is a list; expected an object',
  );
  expect(await messageOf(pipeline.score([{ id: 'a' }]))).toContain('pass all candidates in one flat list');
});

describe.each<[string, ProfileInput, object]>([
  ['one pass', { tier2_scorers: [{ id: 'one', expr: '1.0' }] }, {}],
  ['one pass, with vetoes', { tier1_scorers: [{ id: 'v', expr: 'candidate.gone' }] }, {}],
  ['one pass, without code generation', { tier2_scorers: [{ id: 'one', expr: '1.0' }] }, { codegen: false }],
  ['two passes', { measures: [{ id: 'm', expr: '1.0' }], tier2_scorers: [{ id: 'one', expr: '1.0' }] }, {}],
  ['a batch', { tier2_scorers: [{ id: 'set', class: 'Batch' }] }, {}],
])('a candidate that is a list, at any position, in %s', (_, profile, options) => {
  class Batch {
    static readonly meta = defineScorer({ summary: 'One.', params: z.strictObject({}), scope: 'candidate' });
    prepare(): () => number {
      return () => 1;
    }
  }
  const given = [{ id: 'a' }, [1], { id: 'c' }];

  test('is ASZ502, as a set, alone, and in a stream', async () => {
    const pipeline = await createPipeline({ ...profile, select: { top: 5 } }, { units: { Batch }, ...options });
    const message = 'candidate 1 is a list; expected an object';
    expect(await messageOf(pipeline.rank(given))).toContain(message);
    expect(() => pipeline.rankSync(given)).toThrow(message);
    expect(await messageOf(pipeline.rankStream(given))).toContain(message);
    expect(await messageOf(drain(pipeline.scoreStream(given)))).toContain(message);
    expect(await messageOf(pipeline.score([1]))).toContain('candidate 0 is a list');
  });
});

describe('a getter of a candidate that throws', () => {
  const candidates = () => [
    { id: 'good', a: { b: 1 } },
    {
      id: 'bad',
      get a(): never {
        throw new Error('mine');
      },
    },
  ];
  test.each(['candidate.a.b', 'candidate.a.c', 'candidate.c', 'size(candidate.a)'])(
    'refuses that candidate in every call, and breaks no warning: %s',
    async (expr) => {
      const profile: ProfileInput = {
        tier2_scorers: [
          { id: 'a', expr },
          { id: 'one', expr: '1.0' },
        ],
        select: { top: 9 },
      };
      const pipeline = await createPipeline(profile);
      const ranking = await pipeline.rank(candidates());
      expect(ranking.refused.length + ranking.selected.length).toBe(2);
      expect(Array.isArray(ranking.warnings)).toBe(true);
      const streamed = await pipeline.rankStream(candidates());
      expect(streamed.selected.map(({ id, score }) => [id, score])).toEqual(
        ranking.selected.map(({ id, score }) => [id, score]),
      );
      expect(streamed.warnings).toEqual(ranking.warnings);
      const alone = await pipeline.rankStream([candidates()[1]!]);
      expect(Array.isArray(alone.warnings)).toBe(true);
    },
  );

  test.each<[string, ProfileInput]>([
    ['a formula', { tier2_scorers: [{ id: 'a', expr: '1.0' }], combine: { formula: 'a + candidate.a.b' } }],
    [
      'the cases of weights',
      { tier2_scorers: [{ id: 'a', expr: '1.0' }], weights: { by: 'candidate.a.b', cases: { x: { a: 2 } } } },
    ],
    ['a rule', { adjustments: [{ id: 'r', when: 'candidate.a.b == 1', add: 1 }] }],
    ['a veto', { tier1_scorers: [{ id: 'v', expr: 'candidate.a.b == 2' }] }],
  ])('refuses it in %s', async (_, profile) => {
    for (const codegen of [true, false]) {
      const { refused, selected } = await (await createPipeline(profile, { codegen })).rank(candidates());
      expect([refused.map(({ id }) => id), selected.map(({ id }) => id)]).toEqual([['bad'], ['good']]);
    }
  });

  test('a proxy that throws on every access behaves the same', async () => {
    const refuse = (): never => {
      throw new Error('mine');
    };
    const proxy = new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
    const pipeline = await createPipeline({ tier2_scorers: [{ id: 'a', expr: 'candidate.a.b' }] });
    const { refused, warnings } = await pipeline.rank([proxy]);
    expect(refused).toHaveLength(1);
    expect(Array.isArray(warnings)).toBe(true);
  });
});

test('an index beyond any list is not a path', async () => {
  const profile: ProfileInput = { tier2_scorers: [{ id: 'a', expr: 'candidate.list[1e308]' }] };
  expect(await messageOf(createPipeline(profile))).toContain('elements are counted from 0, found 1e+308');
});

describe('inherited property names', () => {
  test.each(['__proto__', 'constructor', 'toString', '__proto__(1)', 'measures.__proto__', '[1].map(__proto__, 1)[0]'])(
    'are unknown in an expression: %s',
    async (expr) => {
      expect(await messageOf(createPipeline({ tier2_scorers: [{ id: 'a', expr }] }))).toMatch(/^AssizeError: /);
    },
  );

  test('are absent in a candidate', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    for (const codegen of [true, false]) {
      const vetoes = names.map((name, n) => ({ id: `a${n}`, expr: `has(candidate["${name}"])` }));
      const pipeline = await createPipeline({ tier1_scorers: vetoes }, { codegen });
      expect((await pipeline.rank([{ a: 1 }])).refused).toEqual([]);
    }
  });

  test('getters of a class are read as fields, in both kinds of loop', async () => {
    class Article {
      get words(): number {
        return 5;
      }
    }
    for (const codegen of [true, false]) {
      const pipeline = await createPipeline({ tier2_scorers: [{ id: 'a', expr: 'candidate.words' }] }, { codegen });
      expect((await pipeline.rank([new Article()])).selected[0]?.score).toBe(5);
    }
  });
});

const scoreOf = (row: object): unknown => ('score' in row ? row.score : 'refused');

describe('the same number in every call', () => {
  const calls = async (profile: ProfileInput, candidate: object, codegen: boolean): Promise<readonly unknown[]> => {
    const pipeline = await createPipeline({ ...profile, select: { top: 3 } }, { codegen });
    const ranking = await pipeline.rank([candidate]);
    const streamed: unknown[] = [];
    for await (const row of pipeline.scoreStream([candidate])) streamed.push(scoreOf(row));
    return [
      ranking.selected[0]?.score,
      pipeline.rankSync([candidate]).selected[0]?.score,
      scoreOf(await pipeline.score(candidate)),
      scoreOf(pipeline.scoreSync(candidate)),
      (await pipeline.rankStream([candidate])).selected[0]?.score,
      ...streamed,
      evaluate(ranking.explain(ranking.selected[0]!.id)),
    ];
  };

  test.each(METHODS)('%s without scorers returns 0, with and without code generation', async (combine) => {
    const profile: ProfileInput = { combine, tier1_scorers: [{ id: 'v', expr: 'candidate.v' }] };
    for (const codegen of [true, false]) {
      const scores = await calls(profile, { v: false }, codegen);
      for (const score of scores) expect(score).toBe(0);
    }
  });

  test('does not look up weights without scorers', async () => {
    const weights = { by: 'candidate.list.map(x, x)', cases: { a: {} } };
    expect(await calls({ weights }, { list: 1n }, true)).toEqual(Array.from({ length: 7 }, () => 0));
  });

  test.each([...METHODS, { formula: 'a' }])('zero has no sign: %s', async (combine) => {
    const profile: ProfileInput = { combine, tier2_scorers: [{ id: 'a', expr: 'candidate.a' }] };
    for (const codegen of [true, false]) {
      const scores = await calls(profile, { a: -0 }, codegen);
      for (const score of scores) expect(score).toBe(0);
    }
  });
});

describe('a unit that changes its list of candidates', () => {
  const none = { summary: 'Reverses the candidates.', params: z.strictObject({}) };
  const reverse = ({ candidates }: Run): void => void (candidates as unknown[]).reverse();
  class Reversing {
    static readonly meta = defineScorer(none);
    prepare(_params: object, run: Run) {
      reverse(run);
      return () => 1;
    }
  }
  class ReversingVeto {
    static readonly meta = defineVeto(none);
    prepare(_params: object, run: Run) {
      reverse(run);
      return () => false;
    }
  }
  test.each<ProfileInput>([
    { tier2_scorers: [{ id: 'a', class: 'Reversing' }] },
    { measures: [{ id: 'a', class: 'Reversing' }] },
    { tier1_scorers: [{ id: 'a', class: 'ReversingVeto' }] },
  ])('does not change the caller’s', async (profile) => {
    const pipeline = await createPipeline(profile, { units: { Reversing, ReversingVeto } });
    const candidates = [{ id: 1 }, { id: 2 }, { id: 3 }];
    await pipeline.rank(candidates);
    expect(candidates).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });
});

describe('an expression of select', () => {
  test('fails with its place, and never with an error of its own', async () => {
    const itself: Record<string, unknown> = { id: 'a' };
    itself['self'] = itself;
    const pipeline = await createPipeline({ select: { duplicates: 'candidate.self' } });
    expect(await messageOf(pipeline.rank([itself]))).toContain(
      'the select entry duplicates failed on a: the key contains itself, or is too large',
    );
  });
});
