import { goesLeft, type TreeModel } from './lightgbm-model.js';

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
