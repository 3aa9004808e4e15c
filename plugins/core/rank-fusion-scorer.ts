import {
  abstain,
  type BatchScorer,
  children,
  defineScorer,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';

/** The params that methods read. */
interface Constants {
  readonly k: number;
  readonly phi: number;
  readonly sigma: number;
}

/** The ranks that a scorer gives to a batch, as counts. */
interface Places {
  /** The number of candidates that any scorer ranks. */
  readonly any: number;
  /** The number of candidates that this scorer ranks. */
  readonly own: number;
}

/** A method of fusion: the points that each scorer gives to a candidate, and their total. */
interface Method {
  readonly by: 'rank' | 'score';
  /** The points for a rank or a score. */
  readonly points: (value: number, weight: number, constants: Constants, places: Places) => number;
  /** The points if the scorer abstains. Default: it gives none and is not counted. */
  readonly absent?: (weight: number, places: Places) => number;
  readonly total: (points: readonly number[], weights: readonly number[], constants: Constants) => number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const inverseSquare: Method['points'] = (rank, weight) => weight / rank ** 2;
const weighted: Method['points'] = (score, weight) => weight * score;

/** The methods, by the names that ranx gives them. The weight of each scorer multiplies its points. */
const METHODS = {
  rrf: { by: 'rank', points: (rank, weight, { k }) => weight / (k + rank), total: sum },
  isr: { by: 'rank', points: inverseSquare, total: (points) => sum(points) * points.length },
  log_isr: { by: 'rank', points: inverseSquare, total: (points) => sum(points) * Math.log(points.length) },
  logn_isr: {
    by: 'rank',
    points: inverseSquare,
    total: (points, _weights, { sigma }) => sum(points) * Math.log(points.length + sigma),
  },
  rbc: { by: 'rank', points: (rank, weight, { phi }) => weight * ((1 - phi) * phi ** (rank - 1)), total: sum },
  bordafuse: {
    by: 'rank',
    points: (rank, weight, _constants, { any }) => weight * (any + 1 - rank),
    absent: (weight, { any, own }) => (weight * (any - own + 1)) / 2,
    total: sum,
  },
  sum: { by: 'score', points: weighted, total: sum },
  anz: { by: 'score', points: weighted, total: (points) => sum(points) / points.length },
  mnz: { by: 'score', points: weighted, total: (points) => sum(points) * points.length },
  // Not the weighted scores: the weights replace the count of mnz.
  wmnz: { by: 'score', points: (score) => score, total: (points, weights) => sum(points) * sum(weights) },
  mixed: { by: 'score', points: weighted, total: (points) => sum(points) * Math.sqrt(points.length) },
  min: { by: 'score', points: weighted, total: (points) => Math.min(...points) },
  med: { by: 'score', points: weighted, total: median },
  max: { by: 'score', points: weighted, total: (points) => Math.max(...points) },
} as const satisfies Readonly<Record<string, Method>>;

type RankFusionParams = ParamsOf<typeof RankFusionScorer>;

/**
 * Fuses other scorers. By default only by rank, so that their scales do not matter: `Σ weight / (k + rank)`, reciprocal
 * rank fusion (Cormack, Clarke and Büttcher 2009). Equal scores share the mean of their ranks, or are ranked by `ties`. A
 * scorer that abstains on a candidate adds nothing for it. If all abstain, the fusion abstains.
 */
export class RankFusionScorer implements BatchScorer<RankFusionParams> {
  static readonly meta = defineScorer({
    summary: 'Fuses other scorers by rank (reciprocal rank fusion, Borda) or by score (CombSUM, CombMNZ).',
    reads: 'params',
    params: z.strictObject({
      scorers: children().describe('The scorers, each with a weight (default 1).'),
      method: z
        .literal(Object.keys(METHODS) as (keyof typeof METHODS)[])
        .default('rrf')
        .describe('How ranks (rrf to bordafuse) or scores (sum to max) become one score.'),
      k: z
        .number()
        .nonnegative()
        .default(60)
        .describe('The rank constant of `rrf`. Higher values reduce the advantage of the first ranks.'),
      phi: z
        .number()
        .gt(0)
        .lt(1)
        .default(0.8)
        .describe('The persistence of `rbc`: each rank has this share of the points of the rank before it.'),
      sigma: z
        .number()
        .min(0)
        .max(1)
        .default(0.01)
        .describe('Added to the count in `logn_isr`, so that a candidate of one scorer is not scored 0.'),
      ties: tiesParam(),
    }),
    scope: ({ method, ties }) => (METHODS[method].by === 'score' ? 'candidate' : ties === 'order' ? 'sequence' : 'set'),
    reasons: {
      fused: 'places {places}',
      fused_scores: 'scores {scores}',
      absent: 'none of {scorers} scorers applies',
    },
  });

  prepare({ scorers, method: name, ties, ...constants }: RankFusionParams, run: Run): Score<unknown> {
    const method: Method = METHODS[name];
    const inner = scorers.map((scorer) => ({ score: run.child(scorer), weight: scorer.weight }));
    const columns =
      method.by === 'rank' ? inner.map(({ score }) => ranksOf(scoreColumn(score, run.candidates), ties)) : [];
    const any = method.absent
      ? run.candidates.filter((_, index) => columns.some((ranks) => ranks[index]! > 0)).length
      : 0;
    const parts = inner.map(({ score, weight }, part) => {
      const ranks = columns[part];
      const places: Places = { any, own: method.absent ? ranks!.filter((rank) => rank > 0).length : 0 };
      return { score, weight, ranks, places };
    });
    return (candidate, index, note) => {
      const points: number[] = [];
      const weights: number[] = [];
      const values: number[] = [];
      let missing = 0;
      for (const { score, weight, ranks, places } of parts) {
        const rank = ranks ? (ranks[index] ?? Number.NaN) : Number.NaN;
        // Without a rank, score again: a failure then belongs to this candidate. With a note, score again for the reasons.
        const found = note !== undefined || Number.isNaN(rank) ? score(candidate, index, note) : rank;
        if (found === undefined) {
          missing += method.absent?.(weight, places) ?? 0;
          continue;
        }
        const value = ranks ? rank : found;
        points.push(method.points(value, weight, constants, places));
        weights.push(weight);
        values.push(value);
      }
      if (points.length === 0) return abstain(note, 'absent', { scorers: parts.length });
      if (method.by === 'rank') note?.('fused', { places: values });
      else note?.('fused_scores', { scores: values });
      return method.total(points, weights, constants) + missing;
    };
  }
}

/**
 * The scores of an inner scorer for the candidates of a batch. NaN if it abstains or fails; such a candidate is scored
 * again individually, so that the failure belongs to it.
 */
export function scoreColumn(inner: Score<unknown>, candidates: readonly unknown[]): Float64Array {
  const column = new Float64Array(candidates.length);
  for (let index = 0; index < column.length; index++) {
    try {
      column[index] = inner(candidates[index], index) ?? Number.NaN;
    } catch {
      column[index] = Number.NaN;
    }
  }
  return column;
}

/** The param for the ranks of equal scores. */
export function tiesParam() {
  return z
    .enum(['mean', 'order'])
    .default('mean')
    .describe(
      'The ranks of equal scores. mean: they share the mean of their ranks. order: the first in the input is ahead.',
    );
}

/**
 * Ranks scores from 1 for the greatest. With `mean`, equal scores share the mean of their ranks (fractional ranking), so
 * that their order has no effect. With `order`, the first in the input is ahead. NaN stays NaN.
 */
export function ranksOf(column: Float64Array, ties: 'mean' | 'order'): Float64Array {
  const ranks = new Float64Array(column.length).fill(Number.NaN);
  const present = Array.from(column.keys()).filter((i) => !Number.isNaN(column[i]));
  const order = Int32Array.from(present).sort((a, b) => column[b]! - column[a]! || a - b);
  const isShared = (a: number, b: number): boolean => ties === 'mean' && column[a] === column[b];
  for (let start = 0, end = 0; start < order.length; start = end) {
    end += 1;
    while (end < order.length && isShared(order[end]!, order[start]!)) end += 1;
    for (const i of order.subarray(start, end)) ranks[i] = (start + 1 + end) / 2;
  }
  return ranks;
}
