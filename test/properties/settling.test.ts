/* The result of absent, failing or unusual rows, and their selection, case by case. */
import { describe, expect, test } from 'vitest';
import { createPipeline, scorer } from 'assize';
import { messageOf, rankBy, refusalsOf, scoresOf } from './ranked.js';

describe('formulas', () => {
  test('a formula over measures alone needs no scorer, and is not 0', async () => {
    const ranking = await rankBy(
      { measures: [{ id: 'm', expr: 'candidate.a' }], combine: { formula: 'measures.m * 2' } },
      [{ id: 'x', a: 3 }],
    );
    expect(scoresOf(ranking)).toEqual({ x: 6 });
  });

  test('a value replaced by on_error under a formula is listed as degraded', async () => {
    const failing = scorer(() => {
      throw new Error('boom');
    });
    const profile = { tier2_scorers: [{ id: 'a', class: 'Bad', on_error: 0.5 }], combine: { formula: 'a * 2' } };
    const ranking = await rankBy(profile, [{ id: 'x' }], {}, { units: { Bad: failing } });
    expect(scoresOf(ranking)).toEqual({ x: 1 });
    expect(ranking.degraded).toMatchObject([{ entry: 'a', stage: 'score', cause: 'boom', count: 1 }]);
  });

  test('an entry that refuses if absent does so whether or not the formula reads it', async () => {
    const tier2_scorers = [
      { id: 'a', expr: 'candidate.a', on_absent: 'refuse' as const },
      { id: 'b', expr: 'candidate.b' },
    ];
    const profile = { tier2_scorers, combine: { formula: 'context.mode == "b" ? b : a + b' } };
    expect(refusalsOf(await rankBy(profile, [{ id: 'x', b: 1 }], { mode: 'b' }))).toEqual(['x: absent by a']);
  });
});

describe('scoring', () => {
  test('null does not abstain: with a number as on_absent it is still a failure', async () => {
    const units = { Null: scorer(() => null as unknown as number) };
    const tier2_scorers = [{ id: 'a', class: 'Null', on_absent: 0.5 }];
    expect(refusalsOf(await rankBy({ tier2_scorers }, [{ id: 'x' }], {}, { units }))).toEqual(['x: error by a']);
  });

  test('a child that refuses is the refusal of its entry, not of the combine', async () => {
    const scorers = [{ expr: 'candidate.a', on_absent: 'refuse' }];
    const profile = { tier2_scorers: [{ id: 'c', class: 'CompositeScorer', params: { scorers } }] };
    expect(refusalsOf(await rankBy(profile, [{ id: 'x' }]))).toEqual(['x: absent by c']);
  });

  test.each([
    [
      'of a case',
      { tier2_scorers: [{ id: 'a', expr: '1.0' }], weights: { by: 'candidate.k', cases: { z: { a: 0 } } } },
    ],
    ['of expressions', { tier2_scorers: [{ id: 'a', expr: '1.0', weight: 'context.w' }] }],
  ])('weights %s that sum to 0 in a mean leave the candidate unscored, and not 0', async (_, profile) => {
    expect(refusalsOf(await rankBy(profile, [{ id: 'x', k: 'z' }], { w: 0 }))).toEqual(['x: unscored by combine']);
  });

  test('in a geometric mean a scorer of weight 0 does not count, whatever it scores', async () => {
    const tier2_scorers = [
      { id: 'a', expr: '0.0', weight: 0 },
      { id: 'b', expr: '0.5' },
    ];
    expect(scoresOf(await rankBy({ tier2_scorers, combine: 'geometric_mean' }, [{ id: 'x' }]))).toEqual({ x: 0.5 });
  });

  test('a negative score in a geometric mean is refused with its value', async () => {
    const ranking = await rankBy({ tier2_scorers: [{ id: 'a', expr: '-1.0' }], combine: 'geometric_mean' }, [{}]);
    expect(ranking.degraded[0]?.cause).toMatch(/a .*-1/);
  });
});

describe('selecting', () => {
  test('duplicates are compared by value: lists differ from strings, and maps have no order', async () => {
    const keys = [['a'], '["a"]', { a: 1, b: 2 }, { b: 2, a: 1 }];
    const candidates = keys.map((k, i) => ({ id: `c${i}`, k }));
    const ranking = await rankBy({ select: { duplicates: 'candidate.k' } }, candidates);
    expect(ranking.selected.map(({ id }) => id)).toEqual(['c0', 'c1', 'c2']);
  });

  test('score() requires { among } even if only a measure depends on the set', async () => {
    const measures = [{ id: 'm', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.a' } } }];
    const pipeline = await createPipeline({ measures, tier2_scorers: [{ id: 's', expr: 'measures.m' }] });
    expect(await messageOf(pipeline.score({ a: 3 }))).toContain('among');
  });
});
