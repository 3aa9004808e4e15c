import { defineScorer, type Live, type ParamsOf, type RowScorer, type Score, z } from '../../src/unit-sdk.js';
import { compileFeatureRow, featuresByName, featuresParam, featuresProblem, missingParam } from './features.js';
import { parseModel, rawRange, rawScore, splitFeatures, type TreeModel, goesLeft } from './lightgbm-model.js';
import { parsedFile } from './params.js';

type Params = ParamsOf<typeof ModelScorer>;

/** A model with values that are computed once. The engine does not search instances of a class for params. */
class LoadedModel {
  readonly wanted: readonly number[];
  readonly range: readonly [number, number];
  constructor(readonly trees: TreeModel) {
    this.wanted = splitFeatures(trees);
    this.range = rawRange(trees);
  }
}

const params = z
  .strictObject({
    file: parsedFile((text, file) => new LoadedModel(parseModel(text, file))).describe(
      'A model in LightGBM’s text format, relative to the profile.',
    ),
    features: featuresParam()
      .optional()
      .describe(
        'The path to all features (a map, a list or pairs), or the path or entry of each feature. Default: each name is a path.',
      ),
    missing: missingParam(),
    output: z
      .enum(['raw', 'response'])
      .default('raw')
      .describe('raw: the sum of the leaves. response: the output of the objective, such as a probability.'),
  })
  .transform(({ file, features, output, ...rest }, ctx) => {
    const refuse = (message: string, path: string) => {
      ctx.issues.push({ code: 'custom', input: features, message, path: [path] });
      return z.NEVER;
    };
    const { names, objective, divisor } = file.trees;
    const response = output === 'response' ? responseOf(objective, divisor) : undefined;
    if (output === 'response' && !response)
      return refuse(`the response of the model’s objective is not known: ${objective || 'it names none'}`, 'output');
    const wanted = file.wanted.map((feature) => names[feature]!);
    const found = features ?? featuresByName(wanted);
    const problem = typeof found === 'string' ? found : featuresProblem(found, names, wanted);
    if (problem !== undefined || typeof found === 'string') return refuse(problem ?? '', 'features');
    return { ...rest, model: file, features: found, response };
  });

/** Scores the prediction of gradient-boosted trees trained by LightGBM, the same number as LightGBM's own. */
export class ModelScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Scores by the prediction of a LightGBM model, explained by feature (TreeSHAP).',
    reads: 'params',
    params,
    range: ({ model, response }) => {
      const [least, most] = model.range;
      return response ? [response(least), response(most)] : [least, most];
    },
    cost: ({ model }) => Math.max(1, model.trees.roots.length),
    reasons: {
      raw: '{base} on average, here {contributions:contributions}',
      response: '{response}, of {raw}: {base} on average, here {contributions:contributions}',
      missing: 'the feature {name} is missing',
      absent: 'there are no features',
    },
  });

  compile({ model, features, missing, response }: Params, live: Live): Score<unknown> {
    const { trees, wanted } = model;
    const { names } = trees;
    const read = compileFeatureRow(features, names, wanted, missing, live);
    const values = new Float64Array(names.length);
    return (candidate, index, note) => {
      if (!read(candidate, index, values, note)) return undefined;
      const raw = rawScore(trees, values);
      const score = response ? response(raw) : raw;
      note?.(response ? 'response' : 'raw', { raw, response: score, ...explainTrees(trees, wanted, values) });
      return score;
    };
  }
}

/** The base and the contribution of each feature, without those that add 0. */
function explainTrees(trees: TreeModel, wanted: readonly number[], values: Float64Array) {
  const { base, contributions } = treeShap(trees, values);
  return {
    base,
    contributions: wanted.flatMap((feature) => {
      const contribution = contributions[feature]!;
      const value = Number.isNaN(values[feature]!) ? undefined : values[feature]!;
      return contribution === 0 ? [] : [{ name: trees.names[feature]!, value, contribution }];
    }),
  };
}

/** The response of a raw score, by LightGBM's name of the objective. All are increasing. */
const TRANSFORMS: Readonly<Record<string, (raw: number, words: readonly string[]) => number>> = {
  binary: (raw, words) => 1 / (1 + Math.exp(-sigmoidOf(words) * raw)),
  cross_entropy: (raw) => 1 / (1 + Math.exp(-raw)),
  cross_entropy_lambda: (raw) => Math.log1p(Math.exp(raw)),
  poisson: Math.exp,
  gamma: Math.exp,
  tweedie: Math.exp,
  regression: (raw, words) => (words.includes('sqrt') ? Math.sign(raw) * raw * raw : raw),
};

/** Objectives whose response is the raw score. */
const UNCHANGED = ['regression_l1', 'huber', 'fair', 'quantile', 'mape', 'lambdarank', 'rank_xendcg'];

const sigmoidOf = (words: readonly string[]): number =>
  Number(words.find((word) => word.startsWith('sigmoid:'))?.slice('sigmoid:'.length) ?? 1);

/**
 * The function from raw score to response; undefined for an unknown objective.
 *
 * @param divisor divides the raw score first: the number of trees in a random forest, else 1
 */
function responseOf(objective: string, divisor: number): ((raw: number) => number) | undefined {
  const [name = '', ...words] = objective.split(' ');
  if (UNCHANGED.includes(name)) return (raw) => raw / divisor;
  const transform = Object.hasOwn(TRANSFORMS, name) ? TRANSFORMS[name] : undefined;
  return transform && sigmoidOf(words) > 0 ? (raw) => transform(raw / divisor, words) : undefined;
}

/**
 * The contribution of each feature to the raw score of one candidate: exact Shapley values by path-dependent TreeSHAP
 * (Lundberg, Erion, Lee: Consistent Individualized Feature Attribution for Tree Ensembles, algorithm 2). It takes the
 * training rows at each split as the distribution of unknown features. O(leaves × depth²).
 *
 * @returns the base, which is the mean over the training rows, and the contribution of each feature; their sum is the
 * raw score
 */
export function treeShap(
  model: TreeModel,
  values: Float64Array,
): { readonly base: number; readonly contributions: Float64Array } {
  const covers = coversOf(model);
  const contributions = new Float64Array(model.names.length);
  const path = new FeaturePath(model.depth + 2);
  let base = 0;
  for (const root of model.roots) {
    base += meanOf(model, covers, root);
    if (root >= 0) new TreeWalk(model, covers, values, contributions, path).visit(root, 0, 0, 1, 1, -1);
  }
  return { base, contributions };
}

const knownCovers = new WeakMap<TreeModel, Float64Array>();

/** The number of training rows at each node, the sum over its leaves. Computed once for a model. */
function coversOf(model: TreeModel): Float64Array {
  const known = knownCovers.get(model);
  if (known) return known;
  const covers = new Float64Array(model.feature.length);
  const cover = (node: number): number => {
    if (node < 0) return model.leafCount[~node]!;
    return (covers[node] = cover(model.left[node]!) + cover(model.right[node]!));
  };
  for (const root of model.roots) cover(root);
  knownCovers.set(model, covers);
  return covers;
}

/** The mean of the leaves of a tree over the training rows. */
function meanOf(model: TreeModel, covers: Float64Array, root: number): number {
  if (root < 0) return model.leafValue[~root]!;
  let sum = 0;
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node >= 0) open.push(model.right[node]!, model.left[node]!);
    else sum += (model.leafCount[~node]! / covers[root]!) * model.leafValue[~node]!;
  }
  return sum;
}

/**
 * The features on the path to a node, each once: the share of the paths that reach the node if the feature is unknown
 * (`zero`) and if it is known (`one`), and the weight of the subsets by size. The paths of all depths are stored one
 * after another; each starts as a copy of the one above it.
 */
class FeaturePath {
  readonly feature: Int32Array;
  readonly zero: Float64Array;
  readonly one: Float64Array;
  readonly weight: Float64Array;

  constructor(depths: number) {
    const size = ((depths + 1) * (depths + 2)) / 2;
    this.feature = new Int32Array(size);
    this.zero = new Float64Array(size);
    this.one = new Float64Array(size);
    this.weight = new Float64Array(size);
  }

  copy(from: number, to: number, length: number): void {
    for (const column of [this.feature, this.zero, this.one, this.weight]) column.copyWithin(to, from, from + length);
  }

  /** Adds a feature to the `length` ones from `start` on: EXTEND. */
  extend(start: number, length: number, zero: number, one: number, feature: number): void {
    const { weight } = this;
    const end = start + length;
    this.feature[end] = feature;
    this.zero[end] = zero;
    this.one[end] = one;
    weight[end] = length === 0 ? 1 : 0;
    for (let k = length - 1; k >= 0; k--) {
      const here = weight[start + k]!;
      weight[start + k + 1]! += (one * here * (k + 1)) / (length + 1);
      weight[start + k] = (zero * here * (length - k)) / (length + 1);
    }
  }

  /** Takes the feature at `at` away again, of which the last is at `last`: UNWIND. */
  unwind(start: number, last: number, at: number): void {
    const { feature, zero, one, weight } = this;
    const oneAt = one[start + at]!;
    const zeroAt = zero[start + at]!;
    let next = weight[start + last]!;
    for (let k = last - 1; k >= 0; k--) {
      if (oneAt === 0) weight[start + k] = (weight[start + k]! * (last + 1)) / (zeroAt * (last - k));
      else {
        const before = weight[start + k]!;
        weight[start + k] = (next * (last + 1)) / ((k + 1) * oneAt);
        next = before - (weight[start + k]! * zeroAt * (last - k)) / (last + 1);
      }
    }
    for (let k = start + at; k < start + last; k++) {
      feature[k] = feature[k + 1]!;
      zero[k] = zero[k + 1]!;
      one[k] = one[k + 1]!;
    }
  }

  /** The sum of the weights without the feature at `at`: UNWOUND-SUM. */
  unwoundSum(start: number, last: number, at: number): number {
    const { zero, one, weight } = this;
    const oneAt = one[start + at]!;
    const zeroAt = zero[start + at]!;
    let next = weight[start + last]!;
    let total = 0;
    for (let k = last - 1; k >= 0; k--) {
      if (oneAt === 0) total += (weight[start + k]! * (last + 1)) / (zeroAt * (last - k));
      else {
        const unwound = (next * (last + 1)) / ((k + 1) * oneAt);
        total += unwound;
        next = weight[start + k]! - (unwound * zeroAt * (last - k)) / (last + 1);
      }
    }
    return total;
  }
}

/** Processes one tree for the values of one candidate (RECURSE in the paper). */
class TreeWalk {
  constructor(
    private readonly model: TreeModel,
    private readonly covers: Float64Array,
    private readonly values: Float64Array,
    private readonly contributions: Float64Array,
    private readonly path: FeaturePath,
  ) {}

  /**
   * @param above   the start of the path above
   * @param length  the number of features of that path
   * @param zero    the share of the rows that go this way
   * @param one     1 if the candidate goes this way, else 0
   * @param feature the feature of the split above
   */
  visit(node: number, above: number, length: number, zero: number, one: number, feature: number): void {
    const { path } = this;
    const start = above + length;
    path.copy(above, start, length);
    path.extend(start, length, zero, one, feature);
    if (node < 0) this.#addLeaf(node, start, length);
    else this.#split(node, start, length);
  }

  #addLeaf(leaf: number, start: number, last: number): void {
    const { path, contributions } = this;
    const value = this.model.leafValue[~leaf]!;
    for (let k = 1; k <= last; k++) {
      const share = path.one[start + k]! - path.zero[start + k]!;
      contributions[path.feature[start + k]!]! += path.unwoundSum(start, last, k) * share * value;
    }
  }

  #split(node: number, start: number, length: number): void {
    const { model, path } = this;
    const feature = model.feature[node]!;
    const [left, right] = [model.left[node]!, model.right[node]!];
    const [hot, cold] = goesLeft(model, node, this.values[feature]!) ? [left, right] : [right, left];
    let last = length;
    let [zero, one] = [1, 1];
    for (let k = 1; k <= length; k++) {
      if (path.feature[start + k] !== feature) continue;
      [zero, one] = [path.zero[start + k]!, path.one[start + k]!];
      path.unwind(start, length, k);
      last -= 1;
      break;
    }
    this.visit(hot, start, last + 1, (zero * this.#cover(hot)) / this.#cover(node), one, feature);
    this.visit(cold, start, last + 1, (zero * this.#cover(cold)) / this.#cover(node), 0, feature);
  }

  #cover(node: number): number {
    return node < 0 ? this.model.leafCount[~node]! : this.covers[node]!;
  }
}
