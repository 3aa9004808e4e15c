import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { itemList } from './arbitraries.js';
import * as naive from './naive.js';

type Entry = Omit<NonNullable<ProfileInput['tier2_scorers']>[number], 'id'>;
type Child = { readonly class: string; readonly params?: Readonly<Record<string, unknown>>; readonly weight?: number };

const open = (entry: Entry): Promise<Pipeline<naive.Item>> =>
  createPipeline<naive.Item>({ plugins: ['cupel'], tier2_scorers: [{ id: 'scorer', ...entry }] });

/** The scores of a run, by position, as a user sees them. */
async function scoresOf(pipeline: Pipeline<naive.Item>, items: readonly naive.Item[]): Promise<number[]> {
  const { ranked } = await pipeline.rank(items, { now: 0 });
  const scores: number[] = items.map(() => Number.NaN);
  for (const { index, score } of ranked) scores[index] = score;
  return scores;
}

const recency: Child = { class: 'RecencyScorer' };
const scaled = (scorer: Child): Child => ({ class: 'ScaledScorer', params: { scorer } });
const weights = { Memory: 1.7, Document: 0.3 };
const kind: Child = { class: 'KindScorer', params: { weights } };

const blend: Child = {
  class: 'CompositeScorer',
  params: {
    scorers: [
      { ...recency, weight: 0.5 },
      { ...kind, weight: 0.2 },
    ],
  },
  weight: 3,
};
const naiveBlend = naive.composite([
  [naive.recency, 0.5],
  [naive.kind(weights), 0.2],
]);

interface Pair {
  readonly name: string;
  readonly entry: Entry;
  readonly definition: naive.Naive;
  /** The definition of nested scorers is cubic or worse. */
  readonly most: number;
}

const PAIRS: readonly Pair[] = [
  { name: 'RecencyScorer', entry: recency, definition: naive.recency, most: 30 },
  { name: 'PriorityScorer', entry: { class: 'PriorityScorer' }, definition: naive.priority, most: 30 },
  { name: 'FrequencyScorer', entry: { class: 'FrequencyScorer' }, definition: naive.frequency, most: 60 },
  {
    name: 'ScaledScorer over one that sees an item alone',
    entry: scaled({ class: 'ReflexiveScorer' }),
    definition: naive.scaled(naive.reflexive),
    most: 30,
  },
  {
    name: 'ScaledScorer over one that sees them all',
    entry: scaled(recency),
    definition: naive.scaled(naive.recency),
    most: 20,
  },
  {
    name: 'ScaledScorer within ScaledScorer',
    entry: scaled(scaled(recency)),
    definition: naive.scaled(naive.scaled(naive.recency)),
    most: 12,
  },
  {
    name: 'CompositeScorer of a composite and a stretched one',
    entry: {
      class: 'CompositeScorer',
      params: { scorers: [blend, { ...scaled({ class: 'FrequencyScorer' }), weight: 0.7 }] },
    },
    definition: naive.composite([
      [naiveBlend, 3],
      [naive.scaled(naive.frequency), 0.7],
    ]),
    most: 12,
  },
];

describe('optimised scorers equal their definitions, to the last bit', () => {
  it.each(PAIRS)('$name', async ({ entry, definition, most }) => {
    const pipeline = await open(entry);
    await fc.assert(
      fc.asyncProperty(itemList(most), async (items) => {
        const expected = items.map((item) => definition(item, items));
        const found = await scoresOf(pipeline, items);
        expect(found.map((score, at) => score === expected[at] || `${score} is not ${expected[at]}`)).toEqual(
          items.map(() => true),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('the other treatment of missing values', () => {
  const undated = { timestamp: 5, priority: 1 };
  const items: readonly naive.Item[] = [undated, { priority: 2 }, { timestamp: 3, priority: 3 }];
  const entries = (on_absent?: 'skip'): ProfileInput['tier2_scorers'] => [
    { id: 'recency', class: 'RecencyScorer', weight: 3, ...(on_absent && { on_absent }) },
    { id: 'priority', class: 'PriorityScorer', weight: 1 },
  ];
  const scores = async (on_absent?: 'skip') =>
    scoresOf(await createPipeline({ plugins: ['cupel'], tier2_scorers: entries(on_absent) }), items);

  it('is 0 if the profile does not configure it, as in the reference', async () => {
    expect(await scores()).toEqual([0.75, 0.125, 0.25]);
  });

  it('excludes the scorer for that item if the entry skips', async () => {
    expect(await scores('skip')).toEqual([0.75, 0.5, 0.25]);
  });

  it('applies to a child, too', async () => {
    const scorers = (on_absent?: 'skip') => [{ ...recency, ...(on_absent && { on_absent }) }, { expr: '1.0' }];
    const of = async (on_absent?: 'skip') =>
      scoresOf(await open({ class: 'CompositeScorer', params: { scorers: scorers(on_absent) } }), [{}, undated]);
    expect(await of()).toEqual([0.5, 1]);
    expect(await of('skip')).toEqual([1, 1]);
  });
});

describe('a profile that names the pack', () => {
  it('finds all eleven scorers of the reference', async () => {
    const step = { max_age: '1h', score: 1 };
    const all: readonly Child[] = [
      recency,
      kind,
      { class: 'PriorityScorer' },
      { class: 'TagScorer', params: { weights: { a: 1 } } },
      { class: 'FrequencyScorer' },
      { class: 'ReflexiveScorer' },
      { class: 'CompositeScorer', params: { scorers: [recency] } },
      scaled(recency),
      { class: 'MetadataTrustScorer' },
      { class: 'DecayScorer', params: { curve: { type: 'step', windows: [step] } } },
      { class: 'MetadataKeyScorer', params: { key: 'a', value: 'b', boost: 2 } },
    ];
    const pipeline = await createPipeline<naive.Item>({
      plugins: ['cupel'],
      tier2_scorers: all.map((use, n) => ({ id: `s${n}`, ...use })),
    });
    const { ranked } = await pipeline.rank([{}], { now: 0 });
    expect(ranked.map(({ score }) => Number.isFinite(score))).toEqual([true]);
  });
});
