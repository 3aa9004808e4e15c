/* Units that return a promise instead of a value: nothing awaits it, and its rejection must not end the process. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipeline, type PipelineOptions, type ProfileInput } from 'assize';
import { defineScorer, defineSelector, defineVeto, scorer, veto, z } from 'assize/sdk';
import { messageOf } from '../properties/ranked.js';

const HINT = 'scores are synchronous; wait in prepare, or use scorer(async …)';

const unhandled: unknown[] = [];
const listen = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', listen));
afterAll(() => void process.off('unhandledRejection', listen));
const noneUnhandled = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(unhandled).toEqual([]);
};

/** A promise that rejects, from a function that is not declared async. */
const rejected = (): never => Promise.reject(new Error('nobody waits for me')) as never;
const candidates = Array.from({ length: 3 }, (_, i) => ({ id: `c${i}`, n: i }));
const params = z.strictObject({});

class Prepared {
  static readonly meta = defineScorer({ summary: 'Gives a promise.', params });
  prepare() {
    return rejected;
  }
}
class Ranged {
  static readonly meta = defineScorer({ summary: 'Gives a promise.', params, range: [0, 1] });
  compile() {
    return rejected;
  }
}
const thrown = (): never => {
  throw new Error('thrown');
};
const units = { Throwing: scorer(thrown), Compiled: scorer(rejected), Refusing: veto(rejected), Prepared, Ranged };

const profiles: readonly [string, ProfileInput][] = [
  ['a scorer', { tier2_scorers: [{ id: 'a', class: 'Compiled' }] }],
  [
    'one of several scorers',
    {
      tier2_scorers: [
        { id: 'n', expr: 'candidate.n' },
        { id: 'a', class: 'Compiled' },
      ],
    },
  ],
  ['a scorer with a number for its absence', { tier2_scorers: [{ id: 'a', class: 'Compiled', on_absent: 0.5 }] }],
  ['a scorer of a range', { tier2_scorers: [{ id: 'a', class: 'Ranged', out_of_range: 'clamp' }] }],
  ['a prepared scorer', { tier2_scorers: [{ id: 'a', class: 'Prepared' }] }],
  ['a scorer that is least', { combine: 'min', tier2_scorers: [{ id: 'a', class: 'Compiled' }] }],
  [
    'a scorer before one that throws',
    {
      tier2_scorers: [
        { id: 'a', class: 'Compiled' },
        { id: 't', class: 'Throwing' },
      ],
    },
  ],
  ['a veto', { tier1_scorers: [{ id: 'a', class: 'Refusing' }] }],
  [
    'a scorer inside another',
    { tier2_scorers: [{ id: 'a', class: 'ScaledScorer', params: { scorer: { class: 'Compiled' } } }] },
  ],
];

describe('a promise instead of a score refuses the candidate, with a hint', () => {
  const options: readonly [string, PipelineOptions][] = [
    ['generated', { units }],
    ['plain', { units, codegen: false }],
  ];
  describe.each(options)('%s', (_name, given) => {
    test.each(profiles)('%s', async (_, profile) => {
      const pipeline = await createPipeline<object>(profile, given);
      const ranking = await pipeline.rank(candidates);
      expect(ranking.refused.map(({ id, kind }) => [id, kind])).toEqual(candidates.map(({ id }) => [id, 'error']));
      expect(ranking.refused[0]?.reason).toContain(HINT);
      expect(ranking.degraded[0]?.cause).toContain(HINT);
      if (pipeline.needsAll.length === 0)
        for await (const row of pipeline.scoreStream(candidates)) expect(row).toMatchObject({ kind: 'error' });
      await noneUnhandled();
    });
  });

  test('a measure is absent', async () => {
    const profile = { measures: [{ id: 'm', class: 'Compiled' }], tier2_scorers: [{ id: 'n', expr: 'candidate.n' }] };
    const { degraded, ranked } = await (await createPipeline<object>(profile, { units })).rank(candidates);
    expect([ranked.length, degraded[0]?.entry]).toEqual([3, 'm']);
    expect(degraded[0]?.cause).toContain(HINT);
    await noneUnhandled();
  });

  test('if reweighted, or compared as a number', async () => {
    const tier2 = [
      { id: 'n', expr: 'candidate.n' },
      { id: 'a', class: 'Compiled', on_error: 0.25 },
    ];
    const ranking = await (await createPipeline<object>({ tier2_scorers: tier2 }, { units })).rank(candidates);
    expect(ranking.reweigh({ weights: { n: 3 } }).ranked).toHaveLength(3);
    await noneUnhandled();
  });

  test('a selector fails the run', async () => {
    class Waiting {
      static readonly meta = defineSelector({ summary: 'Gives a promise.', params });
      prepare() {
        return rejected;
      }
    }
    const profile = { select: { pack: { cost: '1', budget: 5, class: 'Waiting' } } };
    const run = (await createPipeline<object>(profile, { units: { Waiting } })).rank(candidates);
    expect(await messageOf(run)).toContain(HINT);
    await noneUnhandled();
  });
});

describe('an async function instead of a score function', () => {
  const wrong = async (): Promise<never> => rejected();
  const asScore = wrong as unknown as () => never;
  test('is a problem of its entry when it is compiled', async () => {
    for (const define of [defineScorer, defineVeto]) {
      class Unit {
        static readonly meta = define({ summary: 'Gives an async function.', params });
        compile() {
          return asScore;
        }
      }
      const key = Unit.meta.kind === 'veto' ? 'tier1_scorers' : 'tier2_scorers';
      const loading = createPipeline({ [key]: [{ id: 'a', class: 'Unit' }] }, { units: { Unit } });
      expect(await messageOf(loading)).toContain(`compile, found an async function: ${HINT}`);
    }
    await noneUnhandled();
  });

  test('fails its entry when it is prepared', async () => {
    class Unit {
      static readonly meta = defineVeto({ summary: 'Gives an async function.', params });
      prepare() {
        return asScore;
      }
    }
    const { degraded } = await (
      await createPipeline<object>({ tier1_scorers: [{ id: 'a', class: 'Unit' }] }, { units: { Unit } })
    ).rank(candidates);
    expect(degraded[0]?.cause).toContain(`prepare, found an async function: ${HINT}`);
    await noneUnhandled();
  });
});
