import { ascend } from './fit/coordinate-ascent.js';
import { fitConvex, spreadOf } from './fit/fit-convex.js';
import type { LossName } from './fit/loss.js';
import { examplesOf, type FeatureColumn, type Lessons } from './lessons.js';
import { type Model, roundWeights, weighedBy } from './model.js';
import { curveShape, type Direction, knotsFor, type Shape, weightShape } from './shape.js';
import type { Weighing } from './weighing.js';
import type { Yardstick } from './yardstick.js';

/** What is chosen by cross-validation within what is learnt from. */
export interface Setting {
  /** How strongly weights are pulled to those of the start, and curves to even steps. */
  readonly pull: number;
  /** How many points a curve has at most. */
  readonly points: number;
  /** Whether the true measure has the last word, by coordinate ascent. */
  readonly polish: boolean;
}

/** What is looked for. */
export interface Wanted {
  /** The start, by tuned scorer. */
  readonly before: Model;
  readonly signed: boolean;
  /** By tuned scorer: whether a curve is looked for. */
  readonly curved: readonly boolean[];
  /** Whether curves may rise and fall. */
  readonly anyShape: boolean;
  /** What the rounded weights sum to, as `roundWeights` has it. */
  readonly sum: number | undefined;
  readonly loss: LossName;
}

/** Finds models: the convex start of `loss`, rounded, and from there the true measure. */
export class Fitter {
  constructor(
    readonly wanted: Wanted,
    private readonly weighing: Weighing,
    private readonly lessons: Lessons,
    private readonly yardstick: Yardstick,
    private readonly spent: () => boolean,
  ) {}

  /** The value of a model over some rows. */
  measure(model: Model, rows: Int32Array): number {
    const totals = new Float64Array(this.weighing.rows);
    this.weighing.totals(weighedBy(model, this.weighing.columns, rows), rows, totals);
    return this.yardstick.of(totals, rows);
  }

  /** The model of some rows: every decision is made from these alone. */
  fit(rows: Int32Array, setting: Setting): Model {
    const convex = this.#convex(rows, setting);
    const found = convex.some(({ weight }) => weight !== 0) ? convex : this.wanted.before; // nothing to learn
    const rounded = roundWeights(found, this.weighing.hasFixed ? 0 : this.wanted.sum);
    return setting.polish ? this.#polished(rounded, rows) : rounded;
  }

  #convex(rows: Int32Array, { pull, points }: Setting): Model {
    const { before, curved, signed, anyShape } = this.wanted;
    const knots = curved.map((is, k) => (is ? knotsFor(this.weighing.columns[k]!, rows, points) : undefined));
    const shapesOf = (direction: (k: number) => Direction): Shape[] =>
      before.map(({ weight }, k) => (knots[k] ? curveShape(knots[k], direction(k)) : weightShape(weight, signed)));
    if (anyShape || !knots.some(Boolean))
      return this.#solve(
        rows,
        shapesOf(() => 'any'),
        pull,
      );
    const slopes = this.#slopes(
      rows,
      shapesOf(() => 'rising'),
    );
    return this.#solve(
      rows,
      shapesOf((k) => (slopes[k]! < 0 ? 'falling' : 'rising')),
      pull,
    );
  }

  /** Whether each score speaks for a candidate or against it beside the others: the sign of its weight, were it free. */
  #slopes(rows: Int32Array, shapes: readonly Shape[]): Float64Array {
    const slopes = shapes.map((shape): Shape => {
      const features = new Float64Array(shape.width);
      const fill: Shape['fill'] = (score, into, at) => {
        shape.fill(score, features, 0);
        into[at] = features.reduce((sum, one) => sum + one, 0) / shape.width;
      };
      return { ...weightShape(0, true), fill };
    });
    return Float64Array.from(this.#solve(rows, slopes, 0.01), ({ weight }) => weight);
  }

  /** The least loss over shapes; beside them what is not tuned, and for labels a constant. */
  #solve(rows: Int32Array, shapes: readonly Shape[], pull: number): Model {
    const { weighing, lessons, wanted } = this;
    const columns: FeatureColumn[] = shapes.map((shape, k) => this.#feature(shape, k, rows));
    const fixedAt = columns.reduce((sum, { width }) => sum + width, 0);
    if (weighing.hasFixed) columns.push({ width: 1, fill: (row, into, at) => void (into[at] = weighing.fixed[row]!) });
    const raw = examplesOf(lessons, rows, columns);
    const { means, sds } = spreadOf(raw);
    const isPlain = shapes.flatMap(({ width }) => Array.from({ length: width }, () => width === 1));
    const scale = sds.map((sd, k) => (isPlain[k] === false ? 1 : sd));
    const features = raw.features.map((x, at) => (x - means[at % raw.width]!) / scale[at % raw.width]!);
    const examples = withConstant({ ...raw, features }, wanted.loss === 'labels');
    const one = (of: (k: number) => number, constant: number): Float64Array =>
      Float64Array.from({ length: examples.width }, (_, k) => (k < raw.width ? of(k) : constant));
    const floors = shapes.flatMap(({ width, floor }) => Array.from({ length: width }, () => floor));
    const starts = shapes.flatMap((shape) => shape.start);
    const floorAt = one((k) => (k < fixedAt ? floors[k]! : 1e-6), Number.NEGATIVE_INFINITY);
    const free = one(() => 0, 0);
    const base = one((k) => (k < fixedAt ? starts[k]! * scale[k]! : scale[k]!), 0);
    const size = scaleOf(examples, base, wanted.loss);
    const centre = base.map((x) => x * size);
    const found = fitConvex(
      { examples, loss: wanted.loss, floors: floorAt, centre, pull: one((k) => (k < fixedAt ? pull : 0), 0) },
      starts.some((x) => x !== 0) ? centre : free,
      this.spent,
    );
    const unit = weighing.hasFixed ? found[fixedAt]! / scale[fixedAt]! : 1;
    const own = found.slice(0, fixedAt).map((x, k) => x / scale[k]! / unit);
    let at = 0;
    return shapes.map((shape) => shape.part(own.slice(at, (at += shape.width))));
  }

  /** The features of one scorer; where it gave no number, or its weight is another one, those of the mean row. */
  #feature(shape: Shape, k: number, rows: Int32Array): FeatureColumn {
    const column = this.weighing.columns[k]!;
    const known = Array.from(rows, (row) => column[row]!).filter(Number.isFinite);
    const mean = known.reduce((sum, x) => sum + x, 0) / Math.max(1, known.length);
    return {
      width: shape.width,
      fill: (row, into, at) => {
        const score = column[row]!;
        if (this.weighing.counts(k, row)) shape.fill(Number.isFinite(score) ? score : mean, into, at);
      },
    };
  }

  #polished(model: Model, rows: Int32Array): Model {
    const { weights, columns } = weighedBy(model, this.weighing.columns, rows);
    const totals = new Float64Array(this.weighing.rows);
    const of = (tried: Float64Array): number => {
      this.weighing.totals({ weights: tried, columns }, rows, totals);
      return this.yardstick.of(totals, rows);
    };
    const best = ascend(Float64Array.from(weights), of, this.spent);
    const sum = this.weighing.hasFixed ? 0 : this.wanted.sum;
    const rounded = roundWeights(
      model.map((part, k) => ({ ...part, weight: best[k]! })),
      sum,
    );
    return this.measure(rounded, rows) > this.measure(model, rows) ? rounded : model;
  }
}

type ExamplesOf = ReturnType<typeof examplesOf>;

/** The examples with a further feature that is 1 everywhere: the intercept. */
function withConstant(examples: ExamplesOf, wanted: boolean): ExamplesOf {
  if (!wanted) return examples;
  const { rows, width } = examples;
  const features = new Float64Array(rows * (width + 1)).fill(1);
  for (let row = 0; row < rows; row++)
    features.set(examples.features.subarray(row * width, (row + 1) * width), row * (width + 1));
  return { ...examples, width: width + 1, features };
}

/** What the start's scores are multiplied by to fit best: the loss knows how large scores should be, a ranking does not. */
function scaleOf(examples: ExamplesOf, base: Float64Array, loss: LossName): number {
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
