import { ascend, type Moves } from '../fit/derivative-free.js';
import type { LossName } from '../fit/fit-convex.js';
import type { Objective } from '../ranked-queries.js';
import {
  curveShape,
  type Direction,
  knotsFor,
  LEFT_OUT,
  type TrainingTargets,
  type Shape,
  ShapedProblem,
  weightShape,
} from './shaped-problem.js';
import { type Model, roundWeights, type RowSums, weighedBy, type Weighing, type WeightMove } from './weighing.js';

/** The hyperparameters, chosen by cross-validation within the training data. */
export interface Setting {
  /** The strength of regularization, towards the initial weights and towards flat curves. */
  readonly pull: number;
  /** The maximum number of points of a curve. */
  readonly points: number;
  /** Whether to optimize the measure itself at the end, by coordinate ascent. */
  readonly polish: boolean;
  /** The number of scorers that keep a weight: those that contribute most on the training data. Default: all. */
  readonly scorers?: number | undefined;
}

/** What to fit. */
interface Wanted {
  /** The initial model. */
  readonly before: Model;
  readonly signed: boolean;
  /** By tuned scorer: whether to fit a curve. */
  readonly curved: readonly boolean[];
  /** Whether curves may be non-monotone. */
  readonly anyShape: boolean;
  /** The sum of the rounded weights; see `roundWeights`. */
  readonly sum: number;
  readonly loss: LossName;
}

/** Fits models: a convex fit of `loss`, rounded, then optionally coordinate ascent on the measure itself. */
export class Fitter {
  readonly #problems = new WeakMap<Int32Array, Map<string, ShapedProblem>>();

  constructor(
    readonly wanted: Wanted,
    private readonly weighing: Weighing,
    private readonly targets: TrainingTargets,
    private readonly objective: Objective,
    private readonly spent: () => boolean,
  ) {}

  /** The measure of a model over some rows. */
  measure(model: Model, rows: Int32Array): number {
    const totals = new Float64Array(this.weighing.rows);
    this.weighing.totals(weighedBy(model, this.weighing.columns, rows), rows, totals);
    return this.objective.over(rows)(totals);
  }

  /** Fits a model to some rows, using no other rows. */
  fit(rows: Int32Array, setting: Setting): Model {
    const kept = setting.scorers === undefined ? undefined : this.#mattering(rows, setting, setting.scorers);
    const convex = this.#problem(rows, setting.points, kept).solve(setting.pull, this.spent);
    const found = convex.some(({ weight }) => weight !== 0) ? convex : this.wanted.before; // all weights are 0: keep the initial model
    const rounded = roundWeights(found, this.weighing.hasFixed ? 0 : this.wanted.sum);
    return setting.polish ? this.#polished(rounded, rows, kept) : rounded;
  }

  /**
   * The scorers whose contribution (weight × score) varies most over some rows.
   *
   * @returns by tuned scorer: whether it is kept
   */
  #mattering(rows: Int32Array, setting: Setting, count: number): readonly boolean[] {
    const model = this.#problem(rows, setting.points).solve(setting.pull, this.spent);
    const { weights, columns } = weighedBy(model, this.weighing.columns, rows);
    const reach = columns.map((column, k) => Math.abs(weights[k]!) * deviationOf(column, rows));
    const order = [...reach.keys()].toSorted((a, b) => reach[b]! - reach[a]!);
    const kept = new Set(order.slice(0, count));
    return reach.map((_, k) => kept.has(k));
  }

  /** The contribution of each scorer if weights could be negative: weight × standard deviation of its scores. */
  signedReach(rows: Int32Array): readonly number[] {
    const shapes = this.wanted.before.map(() => weightShape(0, true));
    const free = this.#posed(rows, shapes).solve(0.03, this.spent);
    return free.map(({ weight }, k) => weight * deviationOf(this.weighing.columns[k]!, rows));
  }

  /** The convex problem of some rows, cached for all strengths of regularization. */
  #problem(rows: Int32Array, points: number, kept?: readonly boolean[]): ShapedProblem {
    const posed = this.#problems.get(rows) ?? new Map<string, ShapedProblem>();
    this.#problems.set(rows, posed);
    const key = `${points} ${kept?.map(Number).join('') ?? ''}`;
    const problem = posed.get(key) ?? this.#posed(rows, this.#shapes(rows, points, kept));
    posed.set(key, problem);
    return problem;
  }

  #shapes(rows: Int32Array, points: number, kept?: readonly boolean[]): readonly Shape[] {
    const { before, curved, signed, anyShape } = this.wanted;
    const knots = curved.map((is, k) => (is ? knotsFor(this.weighing.columns[k]!, rows, points) : undefined));
    const shapesOf = (direction: (k: number) => Direction): Shape[] =>
      before.map(({ weight }, k) => {
        if (kept && !kept[k]) return LEFT_OUT;
        return knots[k] ? curveShape(knots[k], direction(k)) : weightShape(weight, signed);
      });
    if (anyShape || !knots.some(Boolean)) return shapesOf(() => 'any');
    const rising = shapesOf(() => 'rising');
    const slopes = this.#slopes(rows, rising);
    return shapesOf((k) => (slopes[k]! < 0 ? 'falling' : 'rising'));
  }

  /** The unconstrained weight of each score in a joint fit. Its sign decides whether a curve rises or falls. */
  #slopes(rows: Int32Array, shapes: readonly Shape[]): Float64Array {
    const slopes = shapes.map((shape): Shape => {
      if (shape.width === 0) return shape;
      const features = new Float64Array(shape.width);
      const fill: Shape['fill'] = (score, into, at) => {
        shape.fill(score, features, 0);
        into[at] = features.reduce((sum, one) => sum + one, 0) / shape.width;
      };
      return { ...weightShape(0, true), fill };
    });
    return Float64Array.from(this.#posed(rows, slopes).solve(0.01, this.spent), ({ weight }) => weight);
  }

  #posed(rows: Int32Array, shapes: readonly Shape[]): ShapedProblem {
    return new ShapedProblem(shapes, rows, this.weighing, this.targets, this.wanted.loss);
  }

  #polished(model: Model, rows: Int32Array, kept?: readonly boolean[]): Model {
    const { weights, columns } = weighedBy(model, this.weighing.columns, rows);
    const moves = new MovedWeights(this.weighing, columns, rows, this.objective.over(rows));
    const best = ascend(Float64Array.from(weights), moves, this.spent, kept);
    const sum = this.weighing.hasFixed ? 0 : this.wanted.sum;
    const rounded = roundWeights(
      model.map((part, k) => ({ ...part, weight: best[k]! })),
      sum,
    );
    return this.measure(rounded, rows) > this.measure(model, rows) ? rounded : model;
  }
}

/** The standard deviation of a column over some rows; ignores values that are not finite. */
function deviationOf(column: Float64Array, rows: Int32Array): number {
  const known = Array.from(rows, (row) => column[row]!).filter(Number.isFinite);
  const mean = known.reduce((sum, x) => sum + x, 0) / Math.max(1, known.length);
  return Math.sqrt(known.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, known.length));
}

/**
 * Measures changes of one weight at a time in O(rows), independent of the number of scorers.
 *
 * Combined scores are compared in single precision, so that rounding errors of the updated sums do not order equal rows.
 */
export class MovedWeights implements Moves {
  readonly #totals: Float64Array;
  /** Whether a score is infinite, such as log 0. Sums with infinite terms cannot be updated. */
  readonly #isInfinite: boolean;
  #weights: Float64Array = new Float64Array();
  #sums: RowSums | undefined;

  /** @param valueOf the measure of the combined scores of these rows */
  constructor(
    private readonly weighing: Weighing,
    private readonly columns: readonly Float64Array[],
    private readonly rows: Int32Array,
    private readonly valueOf: (totals: Float64Array) => number,
  ) {
    this.#totals = new Float64Array(weighing.rows);
    this.#isInfinite = columns.some((column) =>
      rows.some((row) => Math.abs(column[row]!) === Number.POSITIVE_INFINITY),
    );
  }

  from(weights: Float64Array): number {
    this.#weights = weights.slice();
    this.#sums = this.#isInfinite ? undefined : this.weighing.sums({ weights, columns: this.columns }, this.rows);
    return this.#whole(weights);
  }

  moved(scorer: number, to: number): number {
    if (!this.#sums) return this.#whole(this.#weights.with(scorer, to));
    this.weighing.totalsMoved(this.#sums, this.rows, this.#move(scorer, to), this.#totals);
    return this.#value();
  }

  keep(scorer: number, to: number): void {
    if (this.#sums) this.weighing.moveSums(this.#sums, this.rows, this.#move(scorer, to));
    this.#weights[scorer] = to;
  }

  #move(scorer: number, to: number): WeightMove {
    return { scorer, column: this.columns[scorer]!, from: this.#weights[scorer]!, to };
  }

  #whole(weights: Float64Array): number {
    this.weighing.totals({ weights, columns: this.columns }, this.rows, this.#totals);
    return this.#value();
  }

  #value(): number {
    for (const row of this.rows) this.#totals[row] = Math.fround(this.#totals[row]!);
    return this.valueOf(this.#totals);
  }
}
