import { curveAt, type CurvePoint } from '../../evaluate/curves.js';
import { isExpression } from '../../expression/index.js';
import { combineFacts, type Profile, type ScorerEntry } from '../../profile/index.js';
import type { CurveInput } from '../curves.js';
import type { RankedQueries } from '../ranked-queries.js';

/** What was found for one scorer: its weight and, where its score goes through a curve, the points of it. */
export interface Part {
  readonly weight: number;
  readonly points?: readonly CurvePoint[] | undefined;
}

/** What was found, by tuned scorer. */
export type Model = readonly Part[];

/** A model over columns: those with a curve are read off it, once. */
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

/** The sum of the weights has at least so many steps, and more than this number of weights shares more. */
const STEPS = 100;
const FEW_WEIGHTS = 12;

/** The step of weights with some sum: a power of ten, so that two or three digits of a mean weight are left. */
const stepOf = (sum: number, count: number): number =>
  10 ** Math.floor(Math.log10(sum / (STEPS * Math.max(1, count / FEW_WEIGHTS))) + 1e-9);

/**
 * Weights as a person would write them, on the scale of the profile: their sum without signs is what it was before. 4, 3
 * and 2 become 4.21, 2.98 and 1.81, and weights that sum to 1 stay shares of 1. The model itself where nothing would be left.
 *
 * @param sum what the weights sum to without their signs; 0 to leave their scale alone
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

/** Whole numbers near some, with the same sum, rounded: those cut most are rounded up. */
function roundedShares(parts: readonly number[]): number[] {
  const whole = parts.map((part) => Math.floor(part + 1e-9));
  const left = Math.round(parts.reduce((sum, part) => sum + part, 0)) - whole.reduce((sum, part) => sum + part, 0);
  const order = parts.map((part, k) => ({ k, cut: part - whole[k]! })).toSorted((a, b) => b.cut - a.cut || a.k - b.k);
  for (const { k } of order.slice(0, left)) whole[k]! += 1;
  return whole;
}

/** Which weights are found anew: those of the entries, or of one case of `weights`. */
export interface Tuned {
  readonly entries: readonly ScorerEntry[];
  readonly case: string | undefined;
}

/** What a model makes of a row: a weight for each tuned scorer, and its score, through a curve where it has one. */
interface Weighed {
  readonly weights: ArrayLike<number>;
  /** By tuned scorer, by row. */
  readonly columns: readonly Float64Array[];
}

/** By row: the sum of weight × score over the scores that are present, that of their weights without signs, and of all weights. */
export interface RowSums {
  readonly weighed: Float64Array;
  readonly present: Float64Array;
  readonly all: Float64Array;
}

/** Another weight for one tuned scorer. */
export interface WeightMove {
  readonly scorer: number;
  readonly column: Float64Array;
  readonly from: number;
  readonly to: number;
}

/**
 * The scores of all rows as columns, and the arithmetic of the profile's `combine` over them. What is not tuned is summed
 * up once: other entries, weights that are expressions, other cases. Equal to the engine up to the order of additions.
 */
export class Weighing {
  /** By tuned scorer, by row: the score as it is combined, its logarithm in a geometric mean; NaN where it is left out. */
  readonly columns: Float64Array[];
  /** By tuned scorer, by row: 1 where the weight to be found is the one that counts. */
  readonly #counts: readonly Uint8Array[];
  /** By row: the sum of what is not tuned, its weight among the present, and among all. */
  readonly fixed: Float64Array;
  readonly #fixedHere: Float64Array;
  readonly #fixedAll: Float64Array;
  readonly #isMean: boolean;
  readonly rows: number;

  constructor(
    profile: Profile,
    private readonly tuned: Tuned,
    ranked: RankedQueries<unknown>,
    /** By tuned scorer: what its curve is read at, where it is one that is found anew. */
    inputs: readonly (CurveInput | undefined)[],
  ) {
    this.rows = ranked.grades.length;
    this.#isMean = combineFacts(profile.combine).weights === 'relative';
    this.columns = tuned.entries.map(() => new Float64Array(this.rows));
    this.#counts = tuned.entries.map(() => new Uint8Array(this.rows));
    this.fixed = new Float64Array(this.rows);
    this.#fixedHere = new Float64Array(this.rows);
    this.#fixedAll = new Float64Array(this.rows);
    const logs = profile.combine === 'geometric_mean';
    for (const q of ranked.rankings.keys()) this.#read(profile, ranked, q, logs);
    for (const [k, input] of inputs.entries()) if (input) this.columns[k] = input.column;
  }

  /** Whether rows have parts that are not tuned, so that the scale of the tuned weights matters. */
  get hasFixed(): boolean {
    return this.#fixedAll.some((weight) => weight !== 0);
  }

  /** Whether a tuned weight is the one that counts for a row. */
  counts(k: number, row: number): boolean {
    return this.#counts[k]![row] === 1;
  }

  /** The sums that the combined scores of some rows are made of. O(rows × scorers). */
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

  /** The combined scores of some rows, into the places of these rows. In a geometric mean their logarithms. */
  totals(weighed: Weighed, rows: Int32Array, into: Float64Array): void {
    const sums = this.sums(weighed, rows);
    for (const row of rows) into[row] = this.#combined(sums.weighed[row]!, sums.present[row]!, sums.all[row]!);
  }

  /** The same where one weight is another one, by what that changes in the sums. O(rows). */
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

  /** Changes the sums where one weight is another one from now on. O(rows). */
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

  /** A row of which nothing is present is not scored, and comes last. */
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

/** What an effective weight of a row is multiplied by to be a weight as written: found at one that is a number. */
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

/** The weight of an entry as the profile writes it; of an expression, what it gave in this run. */
const writtenWeight = (
  { weight }: ScorerEntry,
  effective: number | Float64Array,
  scale: number,
  row: number,
): number => (isExpression(weight) ? at(effective, row) * scale : weight);
