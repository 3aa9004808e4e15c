/* `select.diversify` among the other steps of selection, and what it refuses. */
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from '../../src/index.js';

const all = [
  { id: 'a', score: 9, kind: 'x', tokens: 4 },
  { id: 'b', score: 8, kind: 'x', tokens: 1 },
  { id: 'c', score: 7, kind: 'y', tokens: 4 },
  { id: 'd', score: 2, kind: 'z', tokens: 1 },
  { id: 'e', score: 1, kind: 'y', tokens: 1 },
];

const mmr = { class: 'MmrSelector', params: { fields: 'kind', lambda: 0.5 } };
const profileOf = (select: ProfileInput['select']): ProfileInput => ({
  plugins: ['cupel'],
  tier2_scorers: [
    { id: 'points', expr: 'candidate.score', weight: 1 },
    { id: 'tokens', expr: 'candidate.tokens', weight: 0 },
  ],
  combine: 'weighted_sum',
  select,
});
const ids = (rows: readonly { readonly id: string }[]): string => rows.map(({ id }) => id).join('');

describe('diversify', () => {
  test.each([
    [{ diversify: mmr, top: 3 }, 'acd', 'be'],
    [{ diversify: mmr }, 'acdbe', ''],
    [{ diversify: mmr, top: 0 }, '', 'abcde'],
    [{ diversify: mmr, top: 9 }, 'acdbe', ''],
    [{ diversify: mmr, top: 3, min_score: 5 }, 'acb', 'de'],
    [{ diversify: mmr, top: 2, per: { by: 'candidate.kind', top: 1 } }, 'ac', 'bde'],
    [{ diversify: mmr, top: 3, duplicates: 'candidate.tokens' }, 'ab', 'cde'],
    [{ diversify: mmr, top: 3, pack: { cost: 'candidate.tokens', budget: 5, class: 'GreedyPack' } }, 'ad', 'bce'],
    [{ diversify: mmr, top: 3, place: { class: 'UShaped' } }, 'adc', 'be'],
  ] as const)('%j selects %s', async (select, selected, left) => {
    const pipeline = await createPipeline(profileOf(select));
    for (const ranking of [pipeline.rankSync(all), await pipeline.rank(all)]) {
      expect(ids(ranking.selected)).toBe(selected);
      expect(ids(ranking.leftOut)).toBe(left);
    }
  });

  test('weighed again and asked what if, it is the ranking of that profile', async () => {
    const pipeline = await createPipeline(profileOf({ diversify: mmr, top: 3 }));
    const ranking = await pipeline.rank(all);
    const weights = { points: 0.1, tokens: 1 };
    const cut = await pipeline.rank(all, {}, { top: 2 });
    const anew = await pipeline.rank(all, {}, { weights, top: 2 });
    expect(ids(ranking.reweigh({ weights, top: 2 }).selected)).toBe(ids(anew.selected));
    expect(ids((await cut.whatIf({ weights })).selected)).toBe(ids(anew.selected));
    expect(anew.leftOut.map(({ text }) => text)).toHaveLength(3);
  });

  test('it has no pages, ranks no stream, and prunes nothing', async () => {
    const pipeline = await createPipeline(profileOf({ diversify: mmr, top: 3 }));
    await expect(pipeline.rank(all, {}, { offset: 3 })).rejects.toThrow(
      'has select.diversify, whose selection has no pages, and an offset was given',
    );
    await expect(pipeline.rankStream(all)).rejects.toMatchObject({
      problems: [{ code: 'ASZ518', path: 'select.diversify' }],
    });
    expect(pipeline.pruning.off).toMatch(/./);
  });

  test('without a top it only orders, and the profile warns', async () => {
    const { warnings } = await createPipeline(profileOf({ diversify: mmr }));
    expect(warnings.map(({ code }) => code)).toContain('ASZ765');
  });

  test.each([
    [{ class: 'MmrSelektor' }, 'MmrSelektor'],
    [{ class: 'DecayScorer' }, 'DecayScorer'],
    [{ params: {} }, 'class'],
    ['MmrSelector', 'diversify'],
  ])('diversify: %j is an error with its place', async (diversify, message) => {
    const select = { diversify, top: 3 } as unknown as ProfileInput['select'];
    await expect(createPipeline(profileOf(select))).rejects.toThrow(message);
  });
});
