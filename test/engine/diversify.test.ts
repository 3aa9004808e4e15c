/* `select.diversify` with the other steps of selection, and the combinations that it rejects. */
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { defineSelector, type SelectorFunction, z } from 'assize/sdk';

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
      expect(ids(ranking.notSelected)).toBe(left);
    }
  });

  test('reweighting and a what-if give the ranking of the changed profile', async () => {
    const pipeline = await createPipeline(profileOf({ diversify: mmr, top: 3 }));
    const ranking = await pipeline.rank(all);
    const weights = { points: 0.1, tokens: 1 };
    const cut = await pipeline.rank(all, {}, { top: 2 });
    const anew = await pipeline.rank(all, {}, { weights, top: 2 });
    expect(ids(ranking.reweigh({ weights, top: 2 }).selected)).toBe(ids(anew.selected));
    expect(ids((await cut.whatIf({ weights })).selected)).toBe(ids(anew.selected));
    expect(anew.notSelected.map(({ text }) => text)).toHaveLength(3);
  });

  test('the group limit holds while the class chooses, and its reason names the selected rows', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [{ id: 's', expr: 'candidate.s' }],
      select: {
        per: { by: 'candidate.brand', top: 1 },
        diversify: { class: 'MmrSelector', params: { lambda: 0.5, fields: 'kind' } },
        top: 1,
      },
    };
    const rows = [
      { id: 'a', brand: 'x', s: 1, kind: 'k' },
      { id: 'b', brand: 'y', s: 0.9, kind: 'k' },
      { id: 'c', brand: 'y', s: 0.8, kind: 'k' },
      { id: 'd', brand: 'x', s: 0.7, kind: 'l' },
    ];
    const ranking = await (await createPipeline(profile)).rank(rows);
    expect(ids(ranking.selected)).toBe('a');
    const [b, c, d] = ranking.notSelected;
    expect([b?.reason, c?.reason]).toEqual(['less_relevant', 'less_relevant']);
    expect(c?.text).toContain('is less than the 0.5 of the last chosen');
    expect(d).toMatchObject({ reason: 'per', text: '1 of x are already selected', replacedBy: ['a'] });
  });

  describe("a user's own class", () => {
    /** Keeps the worst. */
    class Worst {
      static readonly meta = defineSelector({ summary: 'The worst.', params: z.strictObject({}) });
      prepare(): SelectorFunction {
        return (rows, { target }) => {
          const kept = rows.slice(-target);
          const left = rows.slice(0, -target).map(({ index }) => ({ index, reason: 'good' }));
          return { kept, left };
        };
      }
    }
    class Careless extends Worst {
      static override readonly meta = { ...Worst.meta, groups: true } as const;
    }
    const per = { by: 'candidate.kind', top: 1 };

    test('that does not enforce group limits receives the best of each group', async () => {
      const profile = profileOf({ per, diversify: { class: 'Worst' }, top: 2 });
      const ranking = await (await createPipeline(profile, { units: { Worst } })).rank(all);
      expect(ids(ranking.selected)).toBe('cd');
      expect(ranking.notSelected.map(({ id, text, replacedBy }) => [id, text, replacedBy])).toEqual([
        ['a', 'good', undefined],
        ['b', '1 of x ranked before it, and 0 of them are selected', undefined],
        ['e', '1 of y are already selected', ['c']],
      ]);
    });

    test('that declares group limits and breaks them is an error that names it', async () => {
      const profile = profileOf({ per, diversify: { class: 'Careless' }, top: 3 });
      const pipeline = await createPipeline(profile, { units: { Careless } });
      await expect(pipeline.rank(all)).rejects.toThrow(
        'ASZ512 the selector Careless kept e, although 1 of its group were already kept',
      );
    });
  });

  test('excludes pages, streams and pruning', async () => {
    const pipeline = await createPipeline(profileOf({ diversify: mmr, top: 3 }));
    await expect(pipeline.rank(all, {}, { offset: 3 })).rejects.toThrow(
      'has select.diversify, which has no pages, but the call has an offset',
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
