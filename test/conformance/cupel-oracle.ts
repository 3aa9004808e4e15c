import { AssizeError } from 'assize';
import { type ScorerUse, scoresBy } from './cupel-scores.js';
import { classOf } from './cupel-vectors.js';
import { readRows } from './read.js';
import { compare, sum, type Tally } from './tally.js';

/** A scorer of the reference, in the notation of the oracle. */
type Scorer =
  | { readonly type: 'recency' | 'priority' | 'frequency' | 'reflexive' }
  | { readonly type: 'kind'; readonly weights?: Readonly<Record<string, number>> }
  | { readonly type: 'tag'; readonly weights: Readonly<Record<string, number>> }
  | { readonly type: 'metadata_trust'; readonly default_score?: number }
  | { readonly type: 'metadata_key'; readonly key: string; readonly value: string; readonly boost: number }
  | { readonly type: 'decay'; readonly now: number; readonly null_timestamp_score?: number; readonly curve: Curve }
  | { readonly type: 'scaled'; readonly inner: Scorer }
  | { readonly type: 'composite'; readonly scorers: readonly { readonly scorer: Scorer; readonly weight: number }[] };

type Curve =
  | { readonly type: 'exponential'; readonly half_life_ms: number }
  | { readonly type: 'window'; readonly max_age_ms: number }
  | { readonly type: 'step'; readonly windows: readonly { readonly max_age_ms: number; readonly score: number }[] };

interface Case {
  readonly id: number;
  readonly scorer: Scorer;
  readonly items: readonly object[];
  readonly expect: { readonly scores: readonly number[] } | { readonly error: string };
}

/**
 * Sums over tags and powers: the reference adds tag weights in the order of a hash map, which differs between runs, and
 * its powers of two may differ in the last bit. Everything else must be equal.
 */
const ROUNDED = 1e-9;

const NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];

/** Cases of scorer trees: either all scores, or that such a scorer is invalid. */
export async function oracle(file: string): Promise<Tally> {
  const cases = (await readRows<Case>(file)).map(withNumbers);
  return sum(...(await Promise.all(cases.map(agrees))));
}

async function agrees({ id, scorer, items, expect }: Case): Promise<Tally> {
  const name = `case ${id}`;
  const found = await scoresBy(useOf(scorer), items, nowOf(scorer)).catch(messageOf);
  if ('error' in expect) {
    if (typeof found === 'string') return { passed: 1, failed: [], skipped: [] };
    return { passed: 0, failed: [{ name, expected: `an error (${expect.error})`, found: 'scores' }], skipped: [] };
  }
  if (typeof found === 'string') return { passed: 0, failed: [{ name, expected: 'scores', found }], skipped: [] };
  const expected = expect.scores.map((score, index) => ({ name: `${name}, item ${index}`, score }));
  const { failed } = compare(expected, found, isRounded(scorer) ? ROUNDED : 0);
  return { passed: failed.length === 0 ? 1 : 0, failed: failed.slice(0, 1), skipped: [] };
}

/** Only a rejected profile agrees with a rejection; any other error is a difference. */
function messageOf(error: unknown): string {
  if (error instanceof AssizeError) return error.message;
  throw error;
}

/** JSON has no NaN and no ∞: they are strings, outside the texts of an item. */
function withNumbers<T>(value: T): T {
  if (NUMBERS.includes(value)) return Number(value) as T;
  if (Array.isArray(value)) return value.map(withNumbers) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'metadata' ? part : withNumbers(part)]),
  ) as T;
}

function useOf(scorer: Scorer): ScorerUse {
  switch (scorer.type) {
    case 'composite':
      return {
        class: 'CompositeScorer',
        params: { scorers: scorer.scorers.map((child) => ({ ...useOf(child.scorer), weight: child.weight })) },
      };
    case 'scaled':
      return { class: 'ScaledScorer', params: { scorer: useOf(scorer.inner) } };
    case 'decay': {
      const { type: _, now: __, curve, ...params } = scorer;
      return { class: 'DecayScorer', params: { ...params, curve: curveOf(curve) } };
    }
    default: {
      const { type, ...params } = scorer;
      return { class: classOf(type), params };
    }
  }
}

function curveOf(curve: Curve): object {
  const { type } = curve;
  if (curve.type === 'exponential') return { type, half_life: curve.half_life_ms };
  if (curve.type === 'window') return { type, max_age: curve.max_age_ms };
  return { type, windows: curve.windows.map(({ max_age_ms, score }) => ({ max_age: max_age_ms, score })) };
}

/** The scorers inside a scorer. */
function inside(scorer: Scorer): readonly Scorer[] {
  if (scorer.type === 'composite') return scorer.scorers.map((child) => child.scorer);
  return scorer.type === 'scaled' ? [scorer.inner] : [];
}

const isRounded = (scorer: Scorer): boolean =>
  scorer.type === 'tag' ||
  (scorer.type === 'decay' && scorer.curve.type === 'exponential') ||
  inside(scorer).some(isRounded);

/** The time of the first decay inside, which all of a case share. */
function nowOf(scorer: Scorer): number | undefined {
  if (scorer.type === 'decay') return scorer.now;
  for (const child of inside(scorer)) {
    const now = nowOf(child);
    if (now !== undefined) return now;
  }
  return undefined;
}
