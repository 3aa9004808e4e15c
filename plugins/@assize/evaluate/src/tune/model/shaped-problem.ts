import type { CurvePoint } from '../../curves.js';
import { knotsOf } from '../curves.js';
import { type Examples, fitConvex, type LossName, spreadOf } from '../fit/fit-convex.js';
import { queriesOfRows, type RankedQueries } from '../ranked-queries.js';
import type { Model, Part, Weighing } from './weighing.js';

/**
 * How the score of one scorer becomes features, and how their coefficients become a weight or a curve. The model is linear
 * in the coefficients, so the fit is convex.
 */
export interface Shape {
  /** The number of features. */
  readonly width: number;
  /** The lower bound of its coefficients. */
  readonly floor: number;
  /** The values that regularization pulls the coefficients to: the initial weight; 0 for a curve. */
  readonly start: readonly number[];
  /** Writes the features of one score. */
  readonly fill: (score: number, into: Float64Array, at: number) => void;
  readonly part: (coefficients: Float64Array) => Part;
}

/** A weight alone. */
export const weightShape = (start: number, signed: boolean): Shape => ({
  width: 1,
  floor: signed ? Number.NEGATIVE_INFINITY : 0,
  start: [start],
  fill: (score, into, at) => void (into[at] = score),
  part: ([weight]) => ({ weight: weight! }),
});

/** A scorer that gets no weight. */
export const LEFT_OUT: Shape = { width: 0, floor: 0, start: [], fill: () => {}, part: () => ({ weight: 0 }) };

export type Direction = 'rising' | 'falling' | 'any';

/**
 * A curve with fixed knots: a sum of ramps, each from 0 to 1 between two knots. Coefficients of at least 0 make it
 * monotone. The weight is the height of the curve, so the curve itself is scaled to 0 to 1.
 */
export function curveShape(knots: readonly number[], direction: Direction): Shape {
  const width = knots.length - 1;
  return {
    width,
    floor: direction === 'any' ? Number.NEGATIVE_INFINITY : 0,
    start: Array.from({ length: width }, () => 0),
    fill(score, into, at) {
      for (let k = 0; k < width; k++) {
        const share = (score - knots[k]!) / (knots[k + 1]! - knots[k]!);
        const ramp = share < 0 ? 0 : share > 1 ? 1 : share;
        into[at + k] = direction === 'falling' ? 1 - ramp : ramp;
      }
    },
    part: (steps) => curvePart(knots, steps, direction),
  };
}

/** The curve of some steps, scaled to 0 to 1 and rounded to hundredths. A constant curve has the weight 0. */
function curvePart(knots: readonly number[], steps: Float64Array, direction: Direction): Part {
  const heights = [0];
  for (const step of steps) heights.push(heights.at(-1)! + (direction === 'falling' ? -step : step));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const weight = high - low;
  const share = (height: number): number => (weight > 0 ? Math.round(((height - low) / weight) * 100) / 100 : 0);
  const points = knots.map((x, k): CurvePoint => [x, share(heights[k]!)]);
  return { weight, points: withoutInner(points) };
}

/** Removes points between two points of the same height. */
function withoutInner(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const kept: CurvePoint[] = [];
  for (const [k, point] of points.entries()) {
    const [before, after] = [kept.at(-1), points[k + 1]];
    const isLevel = before !== undefined && after !== undefined && before[1] === point[1] && after[1] === point[1];
    if (!isLevel) kept.push(point);
  }
  return kept;
}

/** The knots of a curve over the training scores; undefined if there are fewer than two. */
export function knotsFor(column: Float64Array, rows: Int32Array, most: number): readonly number[] | undefined {
  const knots = knotsOf(
    Array.from(rows, (row) => column[row]!),
    most,
  );
  return knots.length >= 2 ? knots : undefined;
}

/**
 * The minimum coefficient of the terms that are not tuned, in standard deviations. The tuned weights are relative to it;
 * without a bound they would explode if the fixed terms only harm.
 */
const LEAST_FIXED = 0.1;

/**
 * The convex fit of all shapes on some rows. The features are those of the shapes, then the terms that are not tuned, and an
 * intercept for labels. Built once and solved for several strengths of regularization.
 */
export class ShapedProblem {
  readonly #examples: Examples;
  /** By feature: its divisor. Steps of a curve are not scaled, so that regularization treats them equally. */
  readonly #scale: Float64Array;
  /** By feature: the lower bound of its coefficient, and the value that regularization pulls it to. */
  readonly #floors: Float64Array;
  readonly #centre: Float64Array;
  /** The number of features of the shapes; the feature of the fixed terms follows. */
  readonly #width: number;
  readonly #hasStart: boolean;

  constructor(
    private readonly shapes: readonly Shape[],
    rows: Int32Array,
    private readonly weighing: Weighing,
    targets: TrainingTargets,
    private readonly loss: LossName,
  ) {
    const columns = shapes.map((shape, k) => featureOf(weighing, shape, k, rows));
    this.#width = columns.reduce((sum, { width }) => sum + width, 0);
    if (weighing.hasFixed) columns.push({ width: 1, fill: (row, into, at) => void (into[at] = weighing.fixed[row]!) });
    const raw = examplesOf(targets, rows, columns);
    const isStep = shapes.flatMap(({ width }) => Array.from({ length: width }, () => width > 1));
    const { means, sds } = spreadOf(raw);
    this.#scale = sds.map((sd, k) => (isStep[k] === true ? 1 : sd));
    const features = raw.features.map((x, at) => (x - means[at % raw.width]!) / this.#scale[at % raw.width]!);
    this.#examples = withConstant({ ...raw, features }, loss === 'labels');
    const floors = shapes.flatMap(({ width, floor }) => Array.from({ length: width }, () => floor));
    const starts = shapes.flatMap((shape) => shape.start);
    this.#floors = this.#byFeature((k) => floors[k] ?? LEAST_FIXED, Number.NEGATIVE_INFINITY);
    const base = this.#byFeature((k) => (starts[k] ?? 1) * this.#scale[k]!, 0);
    const size = scaleOf(this.#examples, base, loss);
    this.#centre = base.map((x) => x * size);
    this.#hasStart = starts.some((x) => x !== 0);
  }

  /** The model with the least regularized loss. */
  solve(pull: number, spent: () => boolean): Model {
    const { shapes, loss, weighing } = this;
    const problem = {
      examples: this.#examples,
      loss,
      floors: this.#floors,
      centre: this.#centre,
      pull: this.#byFeature((k) => (k < this.#width ? pull : 0), 0),
    };
    const start = this.#hasStart ? this.#centre : new Float64Array(this.#examples.width);
    const found = fitConvex(problem, start, spent);
    const unit = weighing.hasFixed ? found[this.#width]! / this.#scale[this.#width]! : 1;
    const own = found.slice(0, this.#width).map((x, k) => x / this.#scale[k]! / unit);
    let at = 0;
    return shapes.map((shape) => shape.part(own.slice(at, (at += shape.width))));
  }

  /** A number for each feature; the intercept, if any, comes last. */
  #byFeature(of: (k: number) => number, constant: number): Float64Array {
    const { length } = this.#scale;
    return Float64Array.from({ length: this.#examples.width }, (_, k) => (k < length ? of(k) : constant));
  }
}

/** The features of one scorer. Absent scores count as the mean; rows with another weight get no features. */
function featureOf(weighing: Weighing, shape: Shape, k: number, rows: Int32Array): FeatureColumn {
  const column = weighing.columns[k]!;
  const known = Array.from(rows, (row) => column[row]!).filter(Number.isFinite);
  const mean = known.reduce((sum, x) => sum + x, 0) / Math.max(1, known.length);
  return {
    width: shape.width,
    fill: (row, into, at) => {
      const score = column[row]!;
      if (weighing.counts(k, row)) shape.fill(Number.isFinite(score) ? score : mean, into, at);
    },
  };
}

/** Adds an intercept. */
function withConstant(examples: Examples, wanted: boolean): Examples {
  if (!wanted) return examples;
  const { rows, width } = examples;
  const features = new Float64Array(rows * (width + 1)).fill(1);
  for (let row = 0; row < rows; row++)
    features.set(examples.features.subarray(row * width, (row + 1) * width), row * (width + 1));
  return { ...examples, width: width + 1, features };
}

/** The factor by which the initial scores fit best. The loss depends on the scale of scores; a ranking does not. */
function scaleOf(examples: Examples, base: Float64Array, loss: LossName): number {
  const { rows, width, features } = examples;
  const hasConstant = loss === 'labels';
  const last = hasConstant ? width - 1 : width;
  const scores = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < last; k++) scores[row]! += base[k]! * features[row * width + k]!;
  const one = withConstant({ ...examples, width: 1, features: scores }, hasConstant);
  const n = one.width;
  const problem = {
    examples: one,
    loss,
    floors: new Float64Array(n).fill(Number.NEGATIVE_INFINITY).fill(0, 0, 1),
    centre: new Float64Array(n),
    pull: new Float64Array(n).fill(1e-6),
  };
  return fitConvex(problem, new Float64Array(n))[0]!;
}

/** The training targets: the gains of rows, and their lists. */
export interface TrainingTargets {
  /** By row: its gain. */
  readonly gains: Float64Array;
  /** The training rows among some rows, and their lists. */
  readonly listsOf: (rows: Int32Array) => { readonly rows: Int32Array; readonly lists: Int32Array };
}

/**
 * The target of a row: its grade, 2^grade − 1, or whether it is relevant. `order` is its grade above the least one, with
 * all rows in one list.
 */
type Gain = 'grade' | 'exponential' | 'relevant' | 'order';

/** The gain that a measure gives to grades. */
export const gainOf = (measure: string): Gain =>
  measure.startsWith('nDCGexp') ? 'exponential' : measure.startsWith('nDCG') ? 'grade' : 'relevant';

/**
 * @param groups by row: its group, if pairs are formed within groups instead of queries
 */
export function trainingTargets(
  ranked: RankedQueries<unknown>,
  loss: LossName,
  gain: Gain,
  relevantFrom: number,
  groups: readonly string[] | undefined,
): TrainingTargets {
  const known = ranked.grades.filter((grade) => !Number.isNaN(grade));
  const least = known.reduce((low, grade) => Math.min(low, grade), Number.POSITIVE_INFINITY);
  const worth = (grade: number): number => {
    if (Number.isNaN(grade)) return 0;
    if (gain === 'order') return grade - least;
    if (gain === 'relevant') return grade >= relevantFrom ? 1 : 0;
    return gain === 'exponential' ? 2 ** Math.max(0, grade) - 1 : Math.max(0, grade);
  };
  const gains = ranked.grades.map(worth);
  const judged = (rows: Int32Array): Int32Array => rows.filter((row) => !Number.isNaN(ranked.grades[row]!));
  return {
    gains,
    listsOf(rows) {
      if (groups) return byGroup(judged(rows), groups);
      if (loss === 'labels' || gain === 'order')
        return { rows: judged(rows), lists: Int32Array.of(0, judged(rows).length) };
      const starts = Array.from(queriesOfRows(ranked, rows), (q) => rows.findIndex((row) => row >= ranked.starts[q]!));
      return { rows, lists: Int32Array.from([...starts, rows.length]) };
    },
  };
}

function byGroup(rows: Int32Array, groups: readonly string[]) {
  const lists = new Map<string, number[]>();
  for (const row of rows) {
    const list = lists.get(groups[row]!) ?? [];
    list.push(row);
    lists.set(groups[row]!, list);
  }
  const starts = [0];
  for (const list of lists.values()) starts.push(starts.at(-1)! + list.length);
  return { rows: Int32Array.from([...lists.values()].flat()), lists: Int32Array.from(starts) };
}

/** A group of adjacent features. */
interface FeatureColumn {
  readonly width: number;
  readonly fill: (row: number, into: Float64Array, at: number) => void;
}

/** Builds the training examples of some rows. O(rows × features). */
function examplesOf(targets: TrainingTargets, from: Int32Array, columns: readonly FeatureColumn[]): Examples {
  const { rows, lists } = targets.listsOf(from);
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const features = new Float64Array(rows.length * width);
  for (const [r, row] of rows.entries()) {
    let at = r * width;
    for (const column of columns) {
      column.fill(row, features, at);
      at += column.width;
    }
  }
  return { rows: rows.length, width, features, gains: Float64Array.from(rows, (row) => targets.gains[row]!), lists };
}
