import type { ProfileInput } from 'assize';
import type { Random } from '../fuzz/random.js';

type Tree = Record<string, unknown>;

/** One case: a profile, candidates and the options of a call. It is data, so two builds can run the same case. */
export interface ComparedCase {
  readonly profile: ProfileInput | { readonly yaml: string; readonly name: string };
  /** Undefined for a profile that generates its candidates. */
  readonly candidates: readonly object[] | undefined;
  readonly context: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

const NUMBERS = ['candidate.f0', 'candidate.f1', 'candidate.f2', 'candidate.f3'];
const CATEGORIES = ['x', 'y', 'z'];
const DAY = 86_400_000;
export const NOW = Date.parse('2026-01-01T00:00:00Z');

/** A value of a numeric field: mostly a number, sometimes a tie, absent, null, text or not finite. */
function fieldValue(random: Random): unknown {
  const kind = random.below(20);
  if (kind < 12) return random.next() * 10;
  if (kind < 16) return random.below(4) / 2;
  return random.pick([undefined, null, 'text', Number.NaN, Infinity, -1, 1e12, 0]);
}

export function randomCandidates(random: Random): object[] {
  return Array.from({ length: random.below(14) }, (_, i) => ({
    ...(random.chance(0.95) && { id: random.chance(0.97) ? `c${i}` : 'c0' }),
    f0: fieldValue(random),
    f1: fieldValue(random),
    f2: fieldValue(random),
    f3: random.next(),
    kind: random.pick([...CATEGORIES, undefined]),
    tags: random.list(3, () => random.pick(CATEGORIES)),
    text: random.pick(['red shoes', 'blue shoes and socks', 'a red hat', '', 'socks']),
    at: random.pick([NOW - random.below(90) * DAY, '2025-11-20T10:00:00Z', undefined]),
    cost: random.pick([10, 20, 35, 0, random.below(60)]),
    keep: random.chance(0.06),
  }));
}

function numberExpression(random: Random, depth = 2): string {
  const field = (): string => random.pick(NUMBERS);
  if (depth === 0) return random.chance(0.8) ? field() : String(random.below(5));
  const inner = (): string => numberExpression(random, depth - 1);
  return random.pick([
    field,
    () => `${inner()} + ${inner()}`,
    () => `${inner()} * 0.5`,
    () => `clamp(${inner()} / 5, 0, 1)`,
    () => `min(${inner()}, ${inner()})`,
    () => `max(${inner()}, 0.25)`,
    () => `sqrt(abs(${inner()}))`,
    () => `(candidate.kind == "x" ? ${inner()} : ${inner()})`,
    () => `candidate.?f1.orValue(${random.below(3)}) + ${inner()}`,
    () => 'size(candidate.tags) * 1.0',
  ])();
}

const testExpression = (random: Random): string =>
  random.pick([
    `${random.pick(NUMBERS)} > ${random.below(9)}`,
    'candidate.kind == "y"',
    '"x" in candidate.tags',
    'candidate.text.contains("red")',
    `candidate.kind in ["x", "z"] && ${random.pick(NUMBERS)} < 5`,
    'context.strict == true',
    'has(candidate.f2)',
  ]);

/** A use of a unit that works on these candidates: an expression, or a class of the core plugin with params. */
function scorerUse(random: Random, depth = 1): Tree {
  const child = (): Tree => (depth > 0 ? scorerUse(random, depth - 1) : { expr: random.pick(NUMBERS) });
  return random.pick<() => Tree>([
    () => ({ expr: numberExpression(random) }),
    () => ({ expr: numberExpression(random) }),
    () => ({
      class: 'DecayScorer',
      params: {
        field: 'at',
        curve: random.pick<Tree>([
          { type: 'exponential', half_life: '14d' },
          { type: 'linear', scale: '30d' },
          { type: 'gaussian', scale: '20d' },
        ]),
      },
    }),
    () => ({ class: 'CompositeScorer', params: { scorers: [{ ...child(), weight: 2 }, child()] } }),
    () => ({ class: 'ScaledScorer', params: { scorer: child() } }),
    () => ({ class: 'CountScorer', params: { items: 'tags' } }),
    () => ({ class: 'BM25Scorer', params: { fields: 'text' } }),
    () => ({
      class: 'CurveScorer',
      params: {
        value: 'f0',
        points: [
          [0, 0.1],
          [3, 0.9],
          [10, 0.2],
        ],
      },
    }),
    () => ({
      class: 'LinearScorer',
      params: { weights: { f0: 0.2, f1: -0.1 }, missing: random.pick<unknown>(['abstain', 0]) },
    }),
    () => ({ class: 'BoostedScorer', params: { base: child(), boosts: [{ scorer: child(), factor: 0.1 }] } }),
  ])();
}

const entry = (random: Random, id: string, use: Tree): Tree => ({
  id,
  ...use,
  ...(random.chance(0.2) && { on_absent: random.pick(['skip', 'refuse', 0.5]) }),
  ...(random.chance(0.2) && { on_error: random.pick(['skip', 'refuse', 0.25]) }),
  ...(random.chance(0.08) && { when: 'context.strict == true' }),
  ...(random.chance(0.04) && { enabled: false }),
});

const COMBINES = ['weighted_mean', 'weighted_sum', 'product', 'geometric_mean', 'harmonic_mean', 'min', 'max'];
const WEIGHTED = new Set(['weighted_mean', 'weighted_sum', 'geometric_mean', 'harmonic_mean']);

function adjustment(random: Random, id: string): Tree {
  const amount = (): unknown => (random.chance(0.6) ? random.below(4) / 2 : random.pick(NUMBERS));
  const when = random.pick(['score > 1', testExpression(random), 'scores.s0 > 0.5']);
  return {
    id,
    ...(random.chance(0.8) && { when }),
    ...random.pick<() => Tree>([
      () => ({ add: amount() }),
      () => ({
        multiply: random.chance(0.7) ? amount() : { table: { x: 0.5, y: 2 }, by: ['candidate.kind'], missing: 1 },
      }),
      () => ({ set: amount() }),
      () => ({ min: 0.1, max: 2 }),
    ])(),
  };
}

function select(random: Random): Tree {
  const packs = random.chance(0.25);
  return {
    ...(random.chance(0.2) && { duplicates: random.pick(['candidate.kind', 'candidate.text']) }),
    ...(random.chance(0.25) && { min_score: random.pick([0.1, 0.5, 2]) }),
    ...(random.chance(0.25) && {
      per: { by: random.pick(['candidate.kind', 'candidate.text']), top: 1 + random.below(2) },
    }),
    ...(random.chance(0.25) && { ties: random.pick([['candidate.f3'], ['candidate.kind', 'input'], ['input']]) }),
    ...(random.chance(0.5) && { top: random.pick([1, 3, 5, 'context.limit']) }),
    ...(random.chance(0.2) && {
      diversify: random.pick<Tree>([
        { class: 'MmrSelector', params: { lambda: random.pick([0.3, 0.7]), fields: 'kind' } },
        { class: 'CoverageSelector', params: { topics: 'tags' } },
      ]),
    }),
    ...(packs && {
      pack: {
        class: random.pick(['GreedyPack', 'KnapsackPack']),
        cost: 'candidate.cost',
        budget: random.pick<unknown>([40, 90, { target: 50, max: 80, output_reserve: 10 }]),
      },
    }),
    ...(packs && random.chance(0.5) && { place: { class: 'UShaped' } }),
  };
}

/** A profile that uses some of the stages, classes and options, for candidates as above. */
export function randomProfile(random: Random): ProfileInput {
  const combine = random.chance(0.5) ? undefined : random.pick(COMBINES);
  const weighted = combine === undefined || WEIGHTED.has(combine);
  const count = random.below(5);
  const scorers = Array.from({ length: count }, (_, k) => ({
    ...entry(random, `s${k}`, scorerUse(random)),
    ...(weighted && random.chance(0.7) && { weight: random.pick<unknown>([0, 1, 2, 3.5, 'context.limit * 1.0']) }),
    ...(random.chance(0.1) && { out_of_range: random.pick(['warn', 'clamp', 'fail']) }),
  }));
  const measures = random.list(2, () => 0).map((_, k) => entry(random, `m${k}`, scorerUse(random)));
  const settings = select(random);
  return {
    plugins: ['cupel'],
    ...(random.chance(0.3) && { candidate: { id: 'id', pinned: 'candidate.keep' } }),
    ...(random.chance(0.2) && { context: { limit: { type: 'int' }, strict: { type: 'bool' } } }),
    ...(random.chance(0.2) && { phases: { early: { n_turns: 2 }, late: {} } }),
    ...(random.chance(0.1) && { veto_on_first: false }),
    ...(random.chance(0.1) && { defaults: { on_absent: 'refuse', on_error: 'refuse' } }),
    tier1_scorers: random
      .list(2, () => 0)
      .map((_, k) => ({
        id: `v${k}`,
        expr: testExpression(random),
        ...(random.chance(0.3) && { on_absent: random.pick(['pass', 'refuse']) }),
        ...(random.chance(0.3) && { on_error: random.pick(['pass', 'refuse']) }),
      })),
    measures,
    tier2_scorers: scorers,
    ...(combine && { combine }),
    ...(random.chance(0.1) &&
      count > 0 && { combine: { formula: Array.from({ length: count }, (_, k) => `s${k}`).join(' + ') } }),
    ...(weighted &&
      count > 1 &&
      random.chance(0.2) && { weights: { by: 'candidate.kind', cases: { x: { s0: 4 }, y: { s1: 0.5 } } } }),
    ...(random.chance(0.3) && {
      adjustments: [adjustment(random, 'r0'), ...random.list(1, () => adjustment(random, 'r1'))],
    }),
    ...(Object.keys(settings).length > 0 && { select: settings }),
    ...(random.chance(0.1) && { fallback: [{ when: 'vetoed > 0', use: 'c0' }] }),
    ...(random.chance(0.1) && { report: [{ id: 'alternatives', class: 'Alternatives' }] }),
  } as unknown as ProfileInput;
}

/** The options of a call, in place of the profile's. */
export const randomOptions = (random: Random): Readonly<Record<string, unknown>> => ({
  ...(random.chance(0.15) && { top: 1 + random.below(4) }),
  ...(random.chance(0.1) && { min_score: 0.3 }),
  ...(random.chance(0.08) && { weights: { s0: 2 } }),
  ...(random.chance(0.05) && { offset: 1 }),
  ...(random.chance(0.05) && { budget: 60 }),
});

export const randomContext = (random: Random): Readonly<Record<string, unknown>> => ({
  now: NOW,
  query: random.pick(['red socks', 'shoes']),
  limit: 1 + random.below(4),
  strict: random.chance(0.5),
  turn_count: random.below(5),
});
