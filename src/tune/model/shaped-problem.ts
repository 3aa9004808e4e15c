import { fitConvex, spreadOf } from '../fit/fit-convex.js';
import type { Examples, LossName } from '../fit/loss.js';
import { examplesOf, type FeatureColumn, type Lessons } from './lessons.js';
import type { Model } from './model.js';
import type { Shape } from './shape.js';
import type { Weighing } from './weighing.js';

/**
 * The least coefficient of what is not tuned, in standard deviations. The tuned weights are given in parts of it: without a
 * bound they would be millions where it only gets in their way.
 */
const LEAST_FIXED = 0.1;

/**
 * What some rows teach about scorers, each in the form of its shape: examples of all their features, beside them what is
 * not tuned, and for labels a constant. Made once, and solved for one pull after another.
 */
export class ShapedProblem {
  readonly #examples: Examples;
  /** By feature: what it was divided by. Steps of a curve keep theirs, so that a pull means the same for each of them. */
  readonly #scale: Float64Array;
  /** By feature: the least that its coefficient may be, and what it is pulled to. */
  readonly #floors: Float64Array;
  readonly #centre: Float64Array;
  /** How many features the shapes have; the one of what is not tuned follows them. */
  readonly #width: number;
  readonly #hasStart: boolean;

  constructor(
    private readonly shapes: readonly Shape[],
    rows: Int32Array,
    private readonly weighing: Weighing,
    lessons: Lessons,
    private readonly loss: LossName,
  ) {
    const columns = shapes.map((shape, k) => featureOf(weighing, shape, k, rows));
    this.#width = columns.reduce((sum, { width }) => sum + width, 0);
    if (weighing.hasFixed) columns.push({ width: 1, fill: (row, into, at) => void (into[at] = weighing.fixed[row]!) });
    const raw = examplesOf(lessons, rows, columns);
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

  /** The model of least loss, with a pull of some strength to the start. */
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

  /** A number for each feature; the constant, where there is one, comes last. */
  #byFeature(of: (k: number) => number, constant: number): Float64Array {
    const { length } = this.#scale;
    return Float64Array.from({ length: this.#examples.width }, (_, k) => (k < length ? of(k) : constant));
  }
}

/** The features of one scorer; where it gave no number, or its weight is another one, those of the mean row. */
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

/** The examples with a further feature that is 1 everywhere: the intercept. */
function withConstant(examples: Examples, wanted: boolean): Examples {
  if (!wanted) return examples;
  const { rows, width } = examples;
  const features = new Float64Array(rows * (width + 1)).fill(1);
  for (let row = 0; row < rows; row++)
    features.set(examples.features.subarray(row * width, (row + 1) * width), row * (width + 1));
  return { ...examples, width: width + 1, features };
}

/** What the start's scores are multiplied by to fit best: the loss knows how large scores should be, a ranking does not. */
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
