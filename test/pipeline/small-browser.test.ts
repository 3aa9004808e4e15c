import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { child, type UnitMeta } from 'assize/sdk';
import { createPipeline, type ProfileSource } from '../../src/browser.js';
import { createPipeline as createSmall } from '../../src/small-browser.js';

const candidates = Array.from({ length: 30 }, (_, k) => ({
  id: `c${k}`,
  stars: (k * 7) % 30,
  size: k % 5,
  tokens: 3,
  tags: Array.from({ length: k % 4 }, String),
}));

/** A unit without params, as the studio's page has. */
class Stored {
  static readonly meta: UnitMeta = { kind: 'scorer', summary: 'Stored scores.', params: z.strictObject({}) };
  compile() {
    return ({ stars }: (typeof candidates)[number]) => stars / 30;
  }
}

/** A unit whose params may name another class. */
class Inner {
  static readonly meta: UnitMeta = {
    kind: 'scorer',
    summary: 'The score of another entry.',
    params: z.strictObject({ of: child().optional() }),
  };
  compile() {
    return () => 0.5;
  }
}

const units = { Stored, Inner };
const stored = { id: 'stored', class: 'Stored' };
const size = { id: 'size', expr: 'candidate.size / 5' };

describe('the small entry for pages', () => {
  test.each<[string, ProfileSource]>([
    ['expressions', { tier2_scorers: [size] }],
    ['units without params', { tier2_scorers: [stored, { ...size, weight: 2 }], select: { top: 5 } }],
    ['a class of core', { tier2_scorers: [size, { id: 'd', class: 'CountScorer', params: { items: 'tags' } }] }],
    ['a class that is switched off', { tier2_scorers: [size, { id: 'd', class: 'BM25Scorer', enabled: false }] }],
    [
      'a pack, whose class has a default',
      { tier2_scorers: [size], select: { pack: { cost: 'candidate.tokens', budget: 20 } } },
    ],
    ['a selector', { tier2_scorers: [size], select: { top: 5, diversify: { class: 'WeightedPick' }, seed: 1 } }],
    ['an unknown class', { tier2_scorers: [{ id: 'a', class: 'DecaysScorer' }] }],
    ['a text', { yaml: 'tier2_scorers: [{ id: d, class: CountScorer, params: { items: tags } }]', name: 'text' }],
  ])('ranks, or reports problems, as assize/browser does: %s', async (name, profile) => {
    const run = async (create: typeof createPipeline) => {
      const pipeline = await create<object>(profile, { units });
      return pipeline.rankSync(candidates, { now: '2026-06-01' }).toJSON();
    };
    const [one, other] = await Promise.allSettled([run(createPipeline), run(createSmall)]);
    expect([one.status, other.status]).toEqual(Array(2).fill(name === 'an unknown class' ? 'rejected' : 'fulfilled'));
    if (one.status === 'fulfilled') expect(other).toEqual(one);
    else expect(String(Reflect.get(other, 'reason'))).toBe(String(one.reason));
  });

  test('finds the classes of core that a change of params names', async () => {
    const profile = { tier2_scorers: [{ id: 'inner', class: 'Inner' }] };
    const change = { params: { inner: { of: { class: 'CountScorer', params: { items: 'tags' } } } } };
    const by = async (create: typeof createPipeline) => {
      const ranking = (await create<object>(profile, { units })).rankSync(candidates);
      return (await ranking.whatIf(change)).toJSON();
    };
    expect(await by(createSmall)).toEqual(await by(createPipeline));
  });
});
