/* Each counterfactual is applied to the candidates and ranked by a new pipeline: it must come true. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AssizeError,
  createPipeline,
  type FieldChange,
  type NumberFlip,
  type ProfileInput,
  type Ranking,
  type WaysToWin,
} from 'assize';

interface Product {
  readonly id: string;
  readonly price?: number;
  readonly stars?: number;
  readonly rating?: number;
  readonly added?: string;
  readonly fresh?: boolean;
  readonly kind: string;
  readonly brand: string;
  readonly tokens: number;
}

type Entry = NonNullable<ProfileInput['tier2_scorers']>[number];
type Use = Pick<Entry, 'class' | 'expr' | 'params'>;

const NOW = '2026-06-01T12:00:00Z';
const decay = (curve: object): Use => ({ class: 'DecayScorer', params: { field: 'added', curve } });

const MEASURED = 'measures.value / 20';

/** Scorers that are monotone in one field, and some that are not, or read several. */
const USES: readonly Use[] = [
  { expr: 'clamp(candidate.rating / 5, 0, 1)' },
  { expr: '1 - min(candidate.price / 100, 1)' },
  { expr: 'candidate.stars / 1000' },
  { expr: 'ln(1 + candidate.stars) / 7' },
  { expr: 'pow(candidate.rating / 5, 2)' },
  { expr: '1 / (1 + candidate.price / 10)' },
  { expr: 'exp(-candidate.price / 50)' },
  { expr: 'sqrt(candidate.stars) * -0.02' },
  { expr: 'floor(candidate.rating) / 5' },
  { expr: 'candidate.rating > 3 ? candidate.rating - 3.0 : 0.5' },
  { expr: 'candidate.price < 20 ? 1.0 : candidate.price < 50 ? 0.5 : 0.1' },
  { expr: 'abs(candidate.price - 30) / 100' },
  { expr: 'candidate.price * candidate.rating / 200' },
  { expr: 'candidate.fresh ? 1 : 0.2' },
  { expr: 'candidate.kind == "x" ? 0.9 : 0.3' },
  { expr: 'candidate.?stars.orValue(100) / 500' },
  { expr: MEASURED },
  decay({ type: 'exponential', half_life: '30d' }),
  decay({ type: 'linear', scale: '20d', offset: '5d', decay: 0.3 }),
  decay({ type: 'gaussian', scale: '20d' }),
  decay({ type: 'window', max_age: '40d' }),
  decay({
    type: 'step',
    windows: [
      { max_age: '10d', score: 1 },
      { max_age: '50d', score: 0.4 },
    ],
  }),
  {
    class: 'CurveScorer',
    params: {
      value: 'price',
      points: [
        [0, 1],
        [20, 0.7],
        [60, 0.1],
      ],
    },
  },
  {
    class: 'CurveScorer',
    params: {
      value: 'price',
      points: [
        [0, 0],
        [20, 1],
        [60, 0.1],
      ],
    },
  },
  {
    class: 'CurveScorer',
    params: {
      scorer: { expr: 'candidate.stars / 100' },
      points: [
        [0, 0],
        [4, 0.5],
        [9, 1],
      ],
    },
  },
  { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.price' } } },
  { class: 'CompositeScorer', params: { scorers: [{ expr: 'candidate.stars / 1000', weight: 2 }, { expr: '0.5' }] } },
];

const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const selections = fc.record({
  top: some(fc.integer({ min: 1, max: 6 })),
  per: some(fc.constantFrom({ by: 'candidate.brand', top: 1 }, { by: 'candidate.kind', top: 2 })),
  diversify: some(
    fc.constantFrom(0.4, 0.8).map((lambda) => ({ class: 'MmrSelector', params: { lambda, fields: 'kind' } })),
  ),
  pack: some(
    fc.constantFrom('GreedyPack', 'KnapsackPack').map((name) => ({
      class: name,
      cost: 'candidate.tokens',
      budget: 40,
      overflow: 'truncate' as const,
    })),
  ),
  min_score: some(fc.constantFrom(0.2, 0.5)),
  duplicates: some(fc.constantFrom('candidate.kind + candidate.brand')),
  ties: some(fc.constantFrom(['candidate.stars'], ['candidate.price', 'input'])),
});

const profiles = (select: fc.Arbitrary<ProfileInput['select']>): fc.Arbitrary<ProfileInput> =>
  fc
    .record({
      uses: fc.uniqueArray(fc.nat(USES.length - 1), { minLength: 1, maxLength: 4 }),
      weights: fc.array(fc.constantFrom(0.25, 0.5, 1, 1, 2, 3), { minLength: 4, maxLength: 4 }),
      combine: fc.constantFrom('weighted_mean', 'weighted_mean', 'weighted_sum', 'product', 'max', 'min' as const),
      absent: fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 0.5, 'refuse'),
      veto: some(fc.constantFrom('candidate.price > 80', 'candidate.stars < 5', 'candidate.kind == "z"')),
      rule: some(
        fc.constantFrom(
          { id: 'lift', when: 'candidate.kind == "x"', add: 0.1 },
          { id: 'halve', when: 'candidate.fresh', multiply: 0.5 },
          { id: 'high', when: 'score > 0.6', add: -0.3 },
          { id: 'bound', min: 0.1, max: 0.7 },
        ),
      ),
      pinned: fc.boolean(),
      fallback: fc.boolean(),
      select,
    })
    .map(({ uses, weights, combine, absent, veto, rule, pinned, fallback, select: selection }) => ({
      plugins: ['cupel'],
      measures: uses.some((use) => USES[use]!.expr === MEASURED) ? [{ id: 'value', expr: 'candidate.rating * 4' }] : [],
      ...(pinned && { candidate: { pinned: 'candidate.tokens == 19.0' } }),
      tier1_scorers: veto === undefined ? [] : [{ id: 'veto', expr: veto }],
      combine: combine as NonNullable<ProfileInput['combine']>,
      tier2_scorers: uses.map((use, k) => ({
        id: `s${k}`,
        ...USES[use]!,
        on_absent: absent,
        ...(combine.startsWith('weighted') && { weight: weights[k]! }),
      })),
      adjustments: rule ? [rule] : [],
      select: JSON.parse(JSON.stringify(selection ?? {})) as NonNullable<ProfileInput['select']>,
      ...(fallback && { fallback: [{ use: 'p0' }] }),
    }));

const day = fc.integer({ min: 0, max: 150 }).map((n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));
const usually = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 12 });

const products: fc.Arbitrary<Product[]> = fc
  .array(
    fc.record({
      price: usually(fc.integer({ min: 100, max: 9999 }).map((cents) => cents / 100)),
      stars: usually(fc.integer({ min: 0, max: 900 })),
      rating: usually(fc.integer({ min: 0, max: 50 }).map((tenths) => tenths / 10)),
      added: usually(day),
      fresh: usually(fc.boolean()),
      kind: fc.constantFrom('x', 'y', 'z'),
      brand: fc.constantFrom('p', 'q', 'r'),
      tokens: fc.integer({ min: 5, max: 20 }),
    }),
    { minLength: 2, maxLength: 9, size: 'max' },
  )
  .map((rows) => rows.map((row, k) => JSON.parse(JSON.stringify({ id: `p${k}`, ...row })) as Product));

/** The positions that are selected by score. */
const selectedOf = ({ selected }: Ranking<Product>): number[] =>
  selected.filter(({ because }) => because === undefined).map(({ index }) => index);

/** The position of a candidate in the final order: the selected as listed, then the others by rank. */
function finalPlace({ selected, ranked }: Ranking<Product>, index: number): number {
  const place = selected.findIndex((row) => row.index === index);
  if (place >= 0) return place - selected.length;
  return ranked.find((row) => row.index === index)?.rank ?? Infinity;
}

type Goal = (ranking: Ranking<Product>) => boolean;

const DAY = 86_400_000;

/** Values between two, in the type of the field. */
function between(from: unknown, to: unknown): unknown[] {
  const shares = [0, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1];
  if (typeof from === 'string') {
    const [a, b] = [Date.parse(from) / DAY, Date.parse(String(to)) / DAY];
    return shares.map((share) => new Date(Math.round(a + share * (b - a)) * DAY).toISOString().slice(0, 10));
  }
  const [a, b] = [Number(from), Number(to)];
  return shares.map((share) => a + share * (b - a));
}

/** Checks the answer about a field by the ranking of a new pipeline. */
async function checkField(
  change: FieldChange,
  reaches: (field: string, value: unknown) => Promise<boolean>,
  seen: Record<string, number>,
): Promise<void> {
  const { field, state } = change;
  const kind =
    state === 'flips' ? `flips ${change.beyond ?? 'alone'}` : state === 'none' && change.certain ? 'never' : state;
  seen[kind] = (seen[kind] ?? 0) + 1;
  const check = async (value: unknown, expected: boolean): Promise<void> =>
    expect({ change, value, reaches: await reaches(field, value) }).toEqual({ change, value, reaches: expected });
  if (state === 'flips') {
    await check(change.to, true);
    if (change.threshold !== undefined) await check(change.threshold, false);
    if (change.from !== undefined) await check(change.from, false);
    expect(typeof change.to).toBe(
      field === 'added' || field === 'kind' ? 'string' : field === 'fresh' ? 'boolean' : 'number',
    );
    if (field === 'stars') expect(Number.isInteger(change.to)).toBe(true);
    const [, shown = ''] = /^\S+ "?([^ "]+)/.exec(change.text) ?? [];
    const parsed = typeof change.to === 'string' ? shown : (JSON.parse(shown) as unknown);
    expect(parsed).toBe(change.to);
    expect(
      change.text.endsWith(` or ${change.beyond === 'more' ? 'later' : 'earlier'}`) ||
        / or (more|less)$/.test(change.text),
    ).toBe(change.beyond !== undefined);
    if (change.beyond !== undefined) for (const value of between(change.to, change.through)) await check(value, true);
  } else if (state === 'none' && change.certain && change.within) {
    for (const value of between(change.within.least, change.within.most)) await check(value, false);
  }
}

const RUNS = process.env['FUZZ'] ? Number(process.env['FUZZ_COUNT'] ?? 10_000) : 120;

/** A campaign takes longer than the tests are given. */
const TIMEOUT = process.env['FUZZ'] ? 3_600_000 : undefined;

/** Ranks by a pipeline that has answered nothing yet. */
const rankFresh = async (profile: ProfileInput, list: readonly Product[]): Promise<Ranking<Product>> =>
  (await createPipeline<Product>(profile, { codegen: true })).rank(list, { now: NOW });

/** The ranking to query; skips inputs that cannot be ranked because the pinned exceed the budget. */
async function rankOrSkip(profile: ProfileInput, list: readonly Product[]): Promise<Ranking<Product>> {
  try {
    return await rankFresh(profile, list);
  } catch (error) {
    fc.pre(!(error instanceof AssizeError));
    throw error;
  }
}

/** Whether a change of a candidate reaches a goal, by one new pipeline for all changes. */
async function changing(profile: ProfileInput, list: readonly Product[], index: number, won: Goal) {
  const pipeline = await createPipeline<Product>(profile, { codegen: true });
  return async (field: string, value: unknown): Promise<boolean> =>
    won(await pipeline.rank(changed(list, index, field, value), { now: NOW }));
}

function changed(list: readonly Product[], index: number, field: string, value: unknown): Product[] {
  return list.map((one, k) => (k === index ? { ...one, [field]: value } : one));
}

const weighed = (profile: ProfileInput, id: string, weight: number): ProfileInput => ({
  ...profile,
  tier2_scorers: (profile.tier2_scorers ?? []).map((entry) => (entry.id === id ? { ...entry, weight } : entry)),
});

describe('ways to win for a candidate', () => {
  test.each(['first', 'selected'] as const)(
    'each change puts it in its place (%s), in the final order',
    async (goal) => {
      const seen: Record<string, number> = {};
      const inputs = [profiles(selections), products, fc.nat(8)] as const;
      await fc.assert(
        fc.asyncProperty(...inputs, async (profile, list, nth) => {
          const index = nth % list.length;
          const ranking = await rankOrSkip(profile, list);
          const ways: WaysToWin = await ranking.waysToWin({ index }, goal);
          const won: Goal = (other) =>
            goal === 'first' ? selectedOf(other)[0] === index : selectedOf(other).includes(index);
          expect(ways.reached).toBe(won(ranking));
          expect(JSON.parse(JSON.stringify(ways))).toStrictEqual(ways);
          const reaches = await changing(profile, list, index, won);
          for (const change of ways.fields) await checkField(change, reaches, seen);
          for (const change of ways.weights) {
            if (change.state !== 'flips') continue;
            seen['weights'] = (seen['weights'] ?? 0) + 1;
            const other = await rankFresh(weighed(profile, change.id, change.to), list);
            expect({ change, won: won(other) }).toEqual({ change, won: true });
          }
          for (const { id, state } of ways.without) {
            if (id !== 'veto') continue;
            const without = await rankFresh({ ...profile, tier1_scorers: [] }, list);
            expect({ id, state, won: won(without) }).toEqual({ id, state, won: state === 'flips' });
          }
        }),
        { numRuns: RUNS },
      );
      expect(seen['flips alone']).toBeGreaterThan(10);
      expect((seen['flips more'] ?? 0) + (seen['flips less'] ?? 0)).toBeGreaterThan(3);
      expect(seen['weights']).toBeGreaterThan(10);
      expect(seen['never']).toBeGreaterThan(3);
    },
    TIMEOUT,
  );
});

describe('ways to reverse the order of two', () => {
  test(
    'each change puts the one behind before the other',
    async () => {
      const seen: Record<string, number> = {};
      await fc.assert(
        fc.asyncProperty(profiles(selections), products, async (profile, list) => {
          const ranking = await rankOrSkip(profile, list);
          const { ahead, flips } = await ranking.compare({ index: 0 }, { index: 1 });
          if (ahead === undefined) return;
          const behind = ahead === 'a' ? 1 : 0;
          const won: Goal = (other) => finalPlace(other, behind) < finalPlace(other, 1 - behind);
          const reaches = await changing(profile, list, behind, won);
          for (const change of flips.fields) await checkField(change, reaches, seen);
          for (const flip of flips.weights) {
            if (flip.state !== 'flips') continue;
            for (const to of shownNumbers(flip)) {
              const other = await rankFresh(weighed(profile, flip.id, to), list);
              expect({ flip, to, won: won(other) }).toEqual({ flip, to, won: true });
            }
          }
        }),
        { numRuns: RUNS },
      );
      expect(seen['flips alone']).toBeGreaterThan(10);
      expect((seen['flips more'] ?? 0) + (seen['flips less'] ?? 0)).toBeGreaterThan(3);
    },
    TIMEOUT,
  );

  test('never returns a value that the scorer cannot give', async () => {
    const rows = [
      { id: 'a', r: 5, s: 1 },
      { id: 'b', r: 2, s: 0 },
    ];
    const pipeline = await createPipeline({
      tier2_scorers: [
        { id: 'rating', expr: 'clamp(candidate.r / 5, 0, 1)' },
        { id: 'size', expr: 'candidate.s', weight: 3 },
      ],
    });
    const { flips } = await (await pipeline.rank(rows)).compare('a', 'b');
    expect(flips.values.filter(({ state }) => state === 'flips')).toEqual([]);
    expect(flips.fields.find(({ field }) => field === 'r')).toMatchObject({ state: 'none', certain: true });
    expect(flips.fields.find(({ field }) => field === 's')).toMatchObject({
      state: 'flips',
      to: 2,
      text: 's 2 or more',
    });
  });
});

/** The numbers of a flip: as data, and as formatted text. */
const shownNumbers = (flip: Extract<NumberFlip, { state: 'flips' }>): number[] => [
  ...new Set([flip.to, flip.rounded ?? flip.to]),
];
