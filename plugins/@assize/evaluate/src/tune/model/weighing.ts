import { curveAt, type CurvePoint } from '../../curves.js';
import { type Profile, combineFacts } from 'assize/internal';
import type { CurveInput } from '../curves.js';
import type { RankedQueries } from '../ranked-queries.js';

/** The weight of one scorer and the points of its curve, if it has one. */
export interface Part {
  readonly weight: number;
  readonly points?: readonly CurvePoint[] | undefined;
}

/** A weight and an optional curve for each tuned scorer. */
export type Model = readonly Part[];

/** Applies a model to columns: maps columns with a curve through it. */
export function weighedBy(model: Model, columns: readonly Float64Array[], rows: Int32Array): Weighed {
  return {
    weights: model.map(({ weight }) => weight),
    columns: model.map(({ points }, k) => (points ? throughCurve(points, columns[k]!, rows) : columns[k]!)),
  };
}

function throughCurve(points: readonly CurvePoint[], column: Float64Array, rows: Int32Array): Float64Array {
  const read = new Float64Array(column.length).fill(Number.NaN);
  for (const row of rows) if (!Number.isNaN(column[row]!)) read[row] = curveAt(points, column[row]!);
  return read;
}

/** The sum of the weights has at least this many steps; more if there are more than a few weights. */
const STEPS = 100;
const FEW_WEIGHTS = 12;

/** The rounding step: a power of ten that keeps two or three digits of a mean weight. */
const stepOf = (sum: number, count: number): number =>
  10 ** Math.floor(Math.log10(sum / (STEPS * Math.max(1, count / FEW_WEIGHTS))) + 1e-9);

/**
 * Rounds weights and keeps the sum of their absolute values as in the profile: 4, 3 and 2 become 4.21, 2.98 and 1.81, and
 * weights that sum to 1 still sum to 1. Returns the model unchanged if all weights would round to 0.
 *
 * @param sum the sum of the absolute weights; 0 to keep their scale
 */
export function roundWeights(model: Model, sum: number): Model {
  const sizes = model.map(({ weight }) => Math.abs(weight));
  const all = sizes.reduce((total, size) => total + size, 0);
  if (!(all > 0) || !Number.isFinite(all)) return model;
  const step = sum === 0 ? 0.01 : stepOf(sum, model.length);
  const steps = sizes.map((size) => (sum === 0 ? size : (size / all) * sum) / step);
  const rounded = sum === 0 ? steps.map(Math.round) : roundedShares(steps);
  if (rounded.every((one) => one === 0)) return model;
  const decimals = Math.max(0, Math.round(-Math.log10(step)));
  return model.map((part, k) => {
    const size = Number((rounded[k]! * step).toFixed(decimals));
    return { ...part, weight: (Math.sign(part.weight) || 1) * size };
  });
}

/** Rounds numbers to integers and keeps their rounded sum (largest remainder). */
function roundedShares(parts: readonly number[]): number[] {
  const whole = parts.map((part) => Math.floor(part + 1e-9));
  const left = Math.round(parts.reduce((sum, part) => sum + part, 0)) - whole.reduce((sum, part) => sum + part, 0);
  const order = parts.map((part, k) => ({ k, cut: part - whole[k]! })).toSorted((a, b) => b.cut - a.cut || a.k - b.k);
  for (const { k } of order.slice(0, left)) whole[k]! += 1;
  return whole;
}

/** The weights to tune: those of the entries, or those of one case of `weights`. */
export interface Tuned {
  readonly entries: readonly ScorerEntry[];
  readonly case: string | undefined;
}

/** A model applied to the columns: a weight and a column of scores for each tuned scorer. */
interface Weighed {
  readonly weights: ArrayLike<number>;
  /** By tuned scorer, by row. */
  readonly columns: readonly Float64Array[];
}

/** By row: Σ weight × score over present scores, Σ |weight| over present scores, and Σ |weight| over all. */
export interface RowSums {
  readonly weighed: Float64Array;
  readonly present: Float64Array;
  readonly all: Float64Array;
}

/** A change of the weight of one tuned scorer. */
export interface WeightMove {
  readonly scorer: number;
  readonly column: Float64Array;
  readonly from: number;
  readonly to: number;
}

/**
 * The scores of all rows as columns, combined as the profile's `combine` does. Terms that are not tuned (other entries,
 * weights that are expressions, other cases) are summed once. Equal to the engine up to rounding.
 */
export class Weighing {
  /** By tuned scorer, by row: the score (its logarithm for a geometric mean); NaN if absent. */
  readonly columns: Float64Array[];
  /** By tuned scorer, by row: 1 if the tuned weight applies to the row. */
  readonly #counts: readonly Uint8Array[];
  /** By row: the weighted sum of terms that are not tuned; then their present weight, and their whole weight. */
  readonly fixed: Float64Array;
  readonly #fixedHere: Float64Array;
  readonly #fixedAll: Float64Array;
  readonly #isMean: boolean;
  readonly rows: number;

  constructor(
    profile: Profile,
    private readonly tuned: Tuned,
    ranked: RankedQueries<unknown>,
    /** By tuned scorer: the input of its curve, if the entry is a curve that is fitted again. */
    inputs: readonly (CurveInput | undefined)[],
  ) {
    this.rows = ranked.grades.length;
    this.#isMean = hasRelativeWeights(profile);
    this.columns = tuned.entries.map(() => new Float64Array(this.rows));
    this.#counts = tuned.entries.map(() => new Uint8Array(this.rows));
    this.fixed = new Float64Array(this.rows);
    this.#fixedHere = new Float64Array(this.rows);
    this.#fixedAll = new Float64Array(this.rows);
    const logs = addsLogarithms(profile);
    for (const q of ranked.rankings.keys()) this.#read(profile, ranked, q, logs);
    for (const [k, input] of inputs.entries()) if (input) this.columns[k] = input.column;
  }

  /** Whether rows have terms that are not tuned, so that the scale of the tuned weights matters. */
  get hasFixed(): boolean {
    return this.#fixedAll.some((weight) => weight !== 0);
  }

  /** Whether a tuned weight applies to a row. */
  counts(k: number, row: number): boolean {
    return this.#counts[k]![row] === 1;
  }

  /** The sums from which the combined scores of some rows are computed. O(rows × scorers). */
  sums({ weights, columns }: Weighed, rows: Int32Array): RowSums {
    const [weighed, present, all] = [this.fixed.slice(), this.#fixedHere.slice(), this.#fixedAll.slice()];
    for (const [k, column] of columns.entries()) {
      const counts = this.#counts[k]!;
      const weight = weights[k]!;
      const size = Math.abs(weight);
      for (const row of rows) {
        if (counts[row] === 0) continue;
        all[row]! += size;
        const score = column[row]!;
        if (Number.isNaN(score)) continue;
        present[row]! += size;
        if (weight !== 0) weighed[row]! += weight * score;
      }
    }
    return { weighed, present, all };
  }

  /** Writes the combined scores of some rows into `into`; their logarithms for a geometric mean. */
  totals(weighed: Weighed, rows: Int32Array, into: Float64Array): void {
    const sums = this.sums(weighed, rows);
    for (const row of rows) into[row] = this.#combined(sums.weighed[row]!, sums.present[row]!, sums.all[row]!);
  }

  /** `totals` after a change of one weight, computed from the sums. O(rows). */
  totalsMoved(sums: RowSums, rows: Int32Array, { scorer, column, from, to }: WeightMove, into: Float64Array): void {
    const counts = this.#counts[scorer]!;
    const [more, larger] = [to - from, Math.abs(to) - Math.abs(from)];
    for (const row of rows) {
      const isCounted = counts[row] === 1;
      const score = column[row]!;
      const isHere = isCounted && !Number.isNaN(score);
      const weighed = isHere ? sums.weighed[row]! + more * score : sums.weighed[row]!;
      const present = isHere ? sums.present[row]! + larger : sums.present[row]!;
      into[row] = this.#combined(weighed, present, isCounted ? sums.all[row]! + larger : sums.all[row]!);
    }
  }

  /** Updates the sums for a change of one weight. O(rows). */
  moveSums({ weighed, present, all }: RowSums, rows: Int32Array, { scorer, column, from, to }: WeightMove): void {
    const counts = this.#counts[scorer]!;
    const [more, larger] = [to - from, Math.abs(to) - Math.abs(from)];
    for (const row of rows) {
      if (counts[row] === 0) continue;
      all[row]! += larger;
      const score = column[row]!;
      if (Number.isNaN(score)) continue;
      present[row]! += larger;
      weighed[row]! += more * score;
    }
  }

  /** A row without present scores comes last. */
  #combined(weighed: number, present: number, all: number): number {
    const total = this.#isMean ? weighed / present : present < all ? weighed * (all / present) : weighed;
    return Number.isNaN(total) ? Number.NEGATIVE_INFINITY : total;
  }

  #read(profile: Profile, { rankings, starts }: RankedQueries<unknown>, q: number, logs: boolean): void {
    const ranking = rankings[q]!;
    const { matrix } = ranking;
    const scores = profile.scorers.map(({ id }) => matrix.column(id).resolved);
    const effective = profile.scorers.map(({ id }) => matrix.weights(id) ?? Number.NaN);
    const cases = profile.weights?.cases;
    for (let k = 0; k < matrix.index.length; k++) {
      const row = starts[q]! + k;
      const caseName = cases && ranking.terms({ index: matrix.index[k]! })?.case;
      const byId = caseName === undefined ? undefined : cases?.get(caseName);
      const scale = rowScale(profile.scorers, effective, byId, k);
      for (const [s, entry] of profile.scorers.entries()) {
        const score = logs ? Math.log(scores[s]![k]!) : scores[s]![k]!;
        const position = this.tuned.entries.indexOf(entry);
        const own = byId?.get(entry.id);
        const isTuned =
          this.tuned.case === undefined ? own === undefined : this.tuned.case === caseName && own !== undefined;
        if (position >= 0) this.columns[position]![row] = score;
        if (position >= 0 && isTuned) this.#counts[position]![row] = 1;
        else this.#addFixed(row, score, own ?? writtenWeight(entry, effective[s]!, scale, k));
      }
    }
  }

  #addFixed(row: number, score: number, weight: number): void {
    this.#fixedAll[row]! += Math.abs(weight);
    if (Number.isNaN(score)) return;
    this.#fixedHere[row]! += Math.abs(weight);
    if (weight !== 0) this.fixed[row]! += weight * score;
  }
}

const at = (weights: number | Float64Array, row: number): number =>
  typeof weights === 'number' ? weights : weights[row]!;

/** The factor from effective to written weights of a row, derived from an entry whose weight is a number. */
function rowScale(
  scorers: readonly ScorerEntry[],
  effective: readonly (number | Float64Array)[],
  byId: ReadonlyMap<string, number> | undefined,
  row: number,
): number {
  for (const [s, { id, weight }] of scorers.entries()) {
    const written = byId?.get(id) ?? weight;
    const now = at(effective[s]!, row);
    if (typeof written === 'number' && written !== 0 && now !== 0) return written / now;
  }
  return 1;
}

/** The weight of an entry on the scale of the profile; for an expression, its value in this run. */
const writtenWeight = (
  { weight }: ScorerEntry,
  effective: number | Float64Array,
  scale: number,
  row: number,
): number => (typeof weight === 'number' ? weight : at(effective, row) * scale);

export type ScorerEntry = Profile['scorers'][number];

/** Whether only the proportions of the weights count. */
export const hasRelativeWeights = ({ combine }: Pick<Profile, 'combine'>): boolean =>
  combineFacts(combine).weights === 'relative';

/** Whether the logarithm of the result is a weighted sum of the logarithms of the scores, as for a geometric mean. */
export function addsLogarithms({ combine }: Pick<Profile, 'combine'>): boolean {
  const { effect, weights } = combineFacts(combine);
  return effect === 'factor' && weights !== 'none';
}
