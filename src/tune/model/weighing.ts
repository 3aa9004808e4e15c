import { isExpression } from '../../expression/index.js';
import { combineFacts, type Profile, type ScorerEntry } from '../../profile/index.js';
import type { CurveInput } from '../curves/curve-input.js';
import type { RankedQueries } from '../queries/ranked-queries.js';

/** Which weights are found anew: those of the entries, or of one case of `weights`. */
export interface Tuned {
  readonly entries: readonly ScorerEntry[];
  readonly case: string | undefined;
}

/** What a model makes of a row: a weight for each tuned scorer, and its score, through a curve where it has one. */
export interface Weighed {
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
