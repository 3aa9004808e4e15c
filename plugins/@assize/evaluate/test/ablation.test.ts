import { expect, test } from 'vitest';
import { ablateProfile, evaluateProfiles, type JudgedQuery } from '@assize/evaluate';
import { seededRandom } from '../src/significance/distributions.js';
import { createPipeline, type ProfileInput } from 'assize';
import { defineScorer, z } from 'assize/sdk';

interface Item {
  readonly id: string;
  readonly good: number;
  readonly bad: number;
  readonly kind: string;
}

/** A hundred and fifty queries of eight items: items with `good` are more likely relevant, with `bad` less. */
function queries(): readonly JudgedQuery<Item>[] {
  const next = seededRandom(7);
  return Array.from({ length: 150 }, (_, q) => {
    const candidates = Array.from({ length: 8 }, (__, k) => {
      return { id: `${q}-${k}`, good: next(), bad: next(), kind: k % 2 === 0 ? 'even' : 'odd' };
    });
    return { id: `q${q}`, candidates, grades: candidates.map(({ good, bad }) => (next() < good - bad ? 1 : 0)) };
  });
}

const PROFILE: ProfileInput = {
  tier1_scorers: [
    { id: 'never', expr: 'candidate.good > 2' },
    { id: 'best', expr: 'candidate.good > 0.8' },
  ],
  measures: [{ id: 'twice', expr: 'candidate.good * 2' }],
  tier2_scorers: [
    { id: 'good', expr: 'measures.twice / 2', weight: 2 },
    { id: 'bad', expr: 'candidate.bad', weight: 2 },
    { id: 'same', expr: '0.5' },
  ],
  weights: { by: 'candidate.kind', cases: { odd: { bad: 0.5 } } },
  adjustments: [{ id: 'odd', when: 'candidate.kind == "odd"', multiply: 1.5 }],
};

const measures = ['nDCG@4'];

test('shows the contribution of each part: what helps, harms and changes nothing', async () => {
  const { parts, full, fixed } = await ablateProfile(await createPipeline<Item>(PROFILE), queries(), { measures });
  const verdicts = Object.fromEntries(parts.map(({ kind, id, earns }) => [`${kind} ${id}`, earns[0]!.verdict]));
  expect(verdicts).toMatchObject({
    'scorer good': 'earns',
    'scorer bad': 'harms',
    'scorer same': expect.stringMatching(/changes nothing|not shown/),
    'veto best': 'harms',
    'veto never': 'changes nothing',
    'cases weights': expect.any(String),
    'rule odd': expect.any(String),
  });
  expect(parts.map(({ earns }) => earns[0]!.mean)).toEqual(
    parts.map(({ earns }) => earns[0]!.mean).toSorted((a, b) => b - a),
  );
  expect(fixed).toEqual([]);
  expect(full.means['nDCG@4']).toBeGreaterThan(0.2);
});

test.each<[string, ProfileInput]>([
  ['scorer good', { ...PROFILE, tier2_scorers: PROFILE.tier2_scorers!.filter(({ id }) => id !== 'good') }],
  ['veto best', { ...PROFILE, tier1_scorers: PROFILE.tier1_scorers!.filter(({ id }) => id !== 'best') }],
  ['rule odd', { ...PROFILE, adjustments: [] }],
  ['cases weights', { ...PROFILE, weights: undefined }],
])('%s: the loss equals that of a profile without it', async (name, without) => {
  const given = queries().slice(0, 30);
  const { parts, full } = await ablateProfile(await createPipeline<Item>(PROFILE), given, { measures });
  const { weights, ...rest } = without;
  const other = await createPipeline<Item>(weights ? without : rest);
  const { profiles } = await evaluateProfiles({ other }, given, { measures });
  const part = parts.find(({ kind, id }) => `${kind} ${id}` === name)!;
  expect(part.earns[0]!.mean).toBeCloseTo(full.means['nDCG@4']! - profiles[0]!.means['nDCG@4']!, 12);
});

test('prepares nothing twice for the weight of a scorer', async () => {
  let prepared = 0;
  class Counted {
    static readonly meta = defineScorer({ summary: 'Counts.', params: z.strictObject({}), range: [0, 1] });
    prepare() {
      prepared += 1;
      return (item: unknown) => (item as Item).good;
    }
  }
  const profile: ProfileInput = {
    tier2_scorers: [
      { id: 'a', class: 'Counted' },
      { id: 'b', expr: 'candidate.bad' },
      { id: 'c', expr: '0.5' },
    ],
  };
  const given = queries().slice(0, 10);
  await ablateProfile(await createPipeline<Item>(profile, { units: { Counted } }), given, { measures });
  expect(prepared).toBe(given.length + 1); // one more finds the parts that can be removed
});

test('names parts that others read, and does not remove them', async () => {
  const profile: ProfileInput = {
    tier2_scorers: [
      { id: 'good', expr: 'candidate.good' },
      { id: 'bad', expr: 'candidate.bad' },
    ],
    combine: { formula: 'good - bad' },
  };
  const { parts, fixed } = await ablateProfile(await createPipeline<Item>(profile), queries(), { measures });
  expect(parts).toEqual([]);
  expect(fixed).toMatchObject([
    { kind: 'scorer', id: 'good', reason: expect.stringContaining('good') },
    { kind: 'scorer', id: 'bad' },
  ]);
});
