/* MMR and coverage, compared with naive implementations of their definitions. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, explanationText, type ProfileInput, type Ranking } from 'assize';
import { cosineSimilarity } from 'assize/sdk';

interface Item {
  readonly id: string;
  readonly score: number;
  readonly tags: readonly string[];
  readonly kind?: string | null;
  readonly vector: readonly number[];
  readonly keep: boolean;
}

const items = fc
  .array(
    fc.record({
      score: fc.integer({ min: -5, max: 20 }),
      tags: fc.subarray(['a', 'b', 'c', 'd']),
      kind: fc.constantFrom<string | null | undefined>('x', 'y', null, undefined),
      vector: fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })),
      keep: fc.nat(9).map((n) => n === 0),
    }),
    { maxLength: 40, size: 'max' },
  )
  .map((all) => all.map((one, k) => ({ ...one, id: `c${k}` }) as Item));

const profileOf = (diversify: { class: string; params: Record<string, unknown> }, top?: number): ProfileInput => ({
  candidate: { pinned: 'candidate.keep' },
  tier2_scorers: [{ id: 'points', expr: 'candidate.score' }],
  combine: 'weighted_sum',
  select: { diversify, ...(top !== undefined && { top }) },
});

const jaccard = (a: readonly unknown[], b: readonly unknown[]): number => {
  const union = new Set([...a, ...b]);
  return union.size === 0 ? 0 : [...union].filter((one) => a.includes(one) && b.includes(one)).length / union.size;
};
const listOf = (value: unknown): readonly unknown[] => (value == null ? [] : [value]);
const byFields = (a: Item, b: Item): number => (jaccard(a.tags, b.tags) + jaccard(listOf(a.kind), listOf(b.kind))) / 2;
const byVector = (a: Item, b: Item): number => cosineSimilarity(a.vector, b.vector);

/** The definition: at each step, every candidate is compared with every chosen one. */
function naiveMmr(
  all: readonly Item[],
  lambda: number,
  alike: typeof byFields,
  scaled: boolean,
  top: number,
): string[] {
  const chosen = all.filter(({ keep }) => keep);
  const open = all.filter(({ keep }) => !keep).sort((a, b) => b.score - a.score);
  const scores = open.map(({ score }) => score);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const relevance = ({ score }: Item): number =>
    scaled ? (most > least ? (score / 2 - least / 2) / (most / 2 - least / 2) : 1) : score;
  for (let k = 0; k < top && open.length > 0; k++) {
    const values = open.map((one) => {
      const similarity = chosen.length === 0 ? 0 : Math.max(...chosen.map((other) => alike(one, other)));
      return lambda * relevance(one) - (1 - lambda) * similarity;
    });
    chosen.push(...open.splice(values.indexOf(Math.max(...values)), 1));
  }
  return chosen.map(({ id }) => id);
}

const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);

/** Given = selected + left out + refused, and every text can be read. */
function checkWhole(ranking: Ranking<unknown>, given: number): void {
  expect(ranking.selected.length + ranking.notSelected.length).toBe(given);
  for (const { text } of ranking.notSelected) expect(text).not.toMatch(/undefined|NaN/);
  for (const { note } of ranking.selected) expect(note?.text ?? '').not.toMatch(/undefined|NaN/);
}

describe('MMR', () => {
  test.each([
    ['fields', { fields: ['tags', 'kind?'] }, byFields],
    ['vectors', { vector: 'vector' }, byVector],
  ] as const)('by %s equals its definition', async (_, source, alike) => {
    await fc.assert(
      fc.asyncProperty(
        items,
        fc.nat(20).map((n) => n / 20),
        fc.nat(12),
        fc.boolean(),
        async (all, lambda, top, scaled) => {
          const params = { ...source, lambda, relevance: scaled ? 'scaled' : 'score' };
          const pipeline = await createPipeline(profileOf({ class: 'MmrSelector', params }, top));
          const ranking = pipeline.rankSync(all);
          expect(ids(ranking.selected)).toEqual(naiveMmr(all, lambda, alike, scaled, top));
          checkWhole(ranking, all.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('compares each candidate once with each chosen one', async () => {
    let reads = 0;
    // A vector whose first number counts its reads: once per comparison and once for validation.
    const counted = (x: number) =>
      new Proxy(Float64Array.of(x, 1), {
        get(target, key) {
          if (key === '0') reads += 1;
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const all = Array.from({ length: 30 }, (_, k) => ({ id: `c${k}`, score: k, keep: false, vector: counted(k) }));
    const params = { vector: 'vector' };
    const pipeline = await createPipeline(profileOf({ class: 'MmrSelector', params }, 5));
    expect(pipeline.rankSync(all).selected).toHaveLength(5);
    const comparisons = 29 + 28 + 27 + 26 + 25; // the open ones, after each choice: less than 30 × 5
    expect(reads).toBeLessThanOrEqual(2 * comparisons + 2 * 30);
  });

  test('reports what was lost, to which one, and by how much, in rows and explanations', async () => {
    const all = [
      { id: 'flood', score: 9, topic: 'river' },
      { id: 'bridge', score: 8, topic: 'river' },
      { id: 'school', score: 7, topic: 'town' },
      { id: 'snow', score: 4, topic: 'hills' },
    ].map((one) => ({ ...one, keep: false }));
    const pipeline = await createPipeline(profileOf({ class: 'MmrSelector', params: { fields: 'topic' } }, 2));
    const ranking = await pipeline.rank(all);
    expect(ranking.selected.map(({ id, rank, note }) => [id, rank, note?.reason, note?.data])).toEqual([
      ['flood', 1, 'first', { value: 0.7, relevance: 1, lost: 0, similarity: 0, like: undefined }],
      ['school', 3, 'chosen', { value: 0.42, relevance: 0.6, lost: 0, similarity: 0, like: 'flood' }],
    ]);
    const [bridge, snow] = ranking.notSelected;
    expect(bridge).toMatchObject({
      id: 'bridge',
      reason: 'too_alike',
      replacedBy: ['school'],
      data: { like: 'flood' },
    });
    expect(bridge!.text).toBe('0.3 lost by being 1 like flood: its 0.26 is less than the 0.42 of the last chosen');
    expect(snow).toMatchObject({ id: 'snow', reason: 'less_relevant' });
    expect(snow).not.toHaveProperty('replacedBy', expect.anything());
    expect(ranking.explain('bridge').outcome).toMatchObject({
      notSelected: { text: bridge!.text, replacedBy: ['school'] },
    });
    expect(ranking.explain('school').outcome).toMatchObject({ selected: 'score', note: { reason: 'chosen' } });
    expect(explanationText(ranking.explain('school'))).toContain('lost by being');
  });

  test('candidates that cannot be compared are similar to no other, and one warning names them', async () => {
    const vectors = [[1, 0], [1, 0], undefined, [1, 0, 0], [Number.NaN, 1], 'no'];
    const all = vectors.map((vector, k) => ({ id: `c${k}`, score: 10 - k, keep: false, vector }));
    const pipeline = await createPipeline(
      profileOf({ class: 'MmrSelector', params: { vector: 'vector', lambda: 0.1 } }, 5),
    );
    const { selected, notSelected, warnings } = pipeline.rankSync(all);
    expect(ids(selected)).toEqual(['c0', 'c2', 'c3', 'c4', 'c5']);
    expect(ids(notSelected)).toEqual(['c1']);
    const found = warnings.filter(({ code }) => code === 'ASZ514');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ path: 'select.diversify' });
    expect(found[0]!.message).toMatch(/^4 have no vector to compare, and count as like no other: c2: it has none …/);
  });

  test('by meaning embeds only its choices, and never waits if the embedder does not', async () => {
    const texts = ['a red lamp', 'a red lamp!', 'shipping costs'];
    const all = texts.map((text, k) => ({ id: `c${k}`, score: 3 - k, keep: false, text }));
    const params = { text: 'text', embedder: 'lexical', lambda: 0.5 };
    const pipeline = await createPipeline(profileOf({ class: 'MmrSelector', params }, 2));
    expect(ids(pipeline.rankSync(all).selected)).toEqual(['c0', 'c2']);
  });

  test.each([
    [{}, 'missing fields, text or vector'],
    [{ fields: 'a', vector: 'b' }, 'expected one of fields, text and vector, found fields and vector'],
    [{ fields: 'a', lambda: 1.5 }, 'lambda'],
    [{ fields: 'a', lamda: 0.5 }, 'lamda'],
    [{ text: 'a', embedder: 'nobody' }, 'nobody'],
  ])('rejects params %j', async (params, message) => {
    await expect(createPipeline(profileOf({ class: 'MmrSelector', params }, 2))).rejects.toThrow(message);
  });
});

/** The definition: at each step, the best ranked of those with one of the least covered topics. */
function naiveCoverage(all: readonly Item[], needed: readonly string[] | undefined, top: number): string[] {
  const times = (topic: string): number => chosen.filter(({ tags }) => tags.includes(topic)).length;
  const topicsOf = ({ tags }: Item) => tags.filter((tag) => !needed || needed.includes(tag));
  const level = (one: Item): number => Math.min(...topicsOf(one).map(times)); // without a topic: ∞
  const chosen = all.filter(({ keep }) => keep);
  const open = all.filter(({ keep }) => !keep).sort((a, b) => b.score - a.score);
  for (let k = 0; k < top && open.length > 0; k++) {
    const levels = open.map(level);
    chosen.push(...open.splice(levels.indexOf(Math.min(...levels)), 1));
  }
  return chosen.map(({ id }) => id);
}

describe('coverage', () => {
  test('equals its definition', async () => {
    const needs = fc.option(fc.subarray(['a', 'b', 'z']), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(items, needs, fc.nat(12), async (all, needed, top) => {
        const params = { topics: 'tags', needed: 'needed' };
        const pipeline = await createPipeline(profileOf({ class: 'CoverageSelector', params }, top));
        const ranking = pipeline.rankSync(all, needed && { needed });
        expect(ids(ranking.selected)).toEqual(naiveCoverage(all, needed, top));
        checkWhole(ranking, all.length);
      }),
      { numRuns: 60 },
    );
  });

  test('names a covered topic, and the candidate that covers it', async () => {
    const all = [
      { id: 'a', score: 3, topic: 'x', keep: false },
      { id: 'b', score: 2, topic: 'x', keep: false },
      { id: 'c', score: 1, topic: 'y', keep: false },
      { id: 'd', score: 9, keep: false },
    ];
    const pipeline = await createPipeline(profileOf({ class: 'CoverageSelector', params: { topics: 'topic?' } }, 2));
    const { selected, notSelected } = pipeline.rankSync(all);
    expect(selected.map(({ id, note }) => [id, note?.text])).toEqual([
      ['a', 'the first of x'],
      ['c', 'the first of y'],
    ]);
    expect(notSelected.map(({ id, text, replacedBy }) => [id, text, replacedBy])).toEqual([
      ['d', 'it has no topic that counts', undefined],
      ['b', '1 of x are already chosen', ['a']],
    ]);
  });
});
