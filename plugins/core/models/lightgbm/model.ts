/** Which values a split sends its default way: LightGBM's `missing_type`; with none, NaN is 0. */
const MISSING_ZERO = 1;
const MISSING_NAN = 2;

/** LightGBM's `kZeroThreshold`, a float: what is nearer to 0 counts as 0. */
const ZERO_THRESHOLD = Math.fround(1e-35);

const CATEGORICAL = 1;
const DEFAULT_LEFT = 2;

/** A trained model: its trees as flat arrays. A child below 0 is the leaf `~child`; nodes and leaves are numbered through all trees. */
export interface TreeModel {
  /** The names by feature. */
  readonly names: readonly string[];
  /** The root of each tree; below 0 where a tree is one leaf. */
  readonly roots: Int32Array;
  readonly feature: Int32Array;
  /** The threshold of a split by number; of one by category the number of its set. */
  readonly threshold: Float64Array;
  /** LightGBM's `decision_type`: 1 categorical, 2 default left, 4 and 8 the type of missing values. */
  readonly decision: Uint8Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly leafValue: Float64Array;
  /** How many rows of the training a leaf has; at least 1. */
  readonly leafCount: Float64Array;
  /** The categories that go left, a bitset each. */
  readonly categories: readonly Uint32Array[];
  /** Divides the raw score for the response: the number of trees in a random forest, else 1. */
  readonly divisor: number;
  /** The greatest number of splits from a root to a leaf. */
  readonly depth: number;
  /** LightGBM's `objective`; empty where the file says none. */
  readonly objective: string;
}

/** Whether a value goes left at a node: LightGBM's decisions of `tree.h`, one by one. */
export function goesLeft(model: TreeModel, node: number, value: number): boolean {
  const decision = model.decision[node]!;
  const threshold = model.threshold[node]!;
  if ((decision & CATEGORICAL) !== 0) return isCategory(model.categories[threshold]!, value);
  const missing = decision >> 2;
  const isNaN = value !== value;
  const isMissing =
    missing === MISSING_ZERO ? isNaN || Math.abs(value) <= ZERO_THRESHOLD : isNaN && missing === MISSING_NAN;
  if (isMissing) return (decision & DEFAULT_LEFT) !== 0;
  return (isNaN ? 0 : value) <= threshold;
}

/** Whether the whole part of a value is in a set of categories. */
function isCategory(bits: Uint32Array, value: number): boolean {
  const category = Math.trunc(value);
  const word = Math.floor(category / 32);
  return category >= 0 && word < bits.length && ((bits[word]! >>> (category % 32)) & 1) === 1;
}

/** The raw score: the sum of one leaf of each tree, in order. O(trees × depth). */
export function rawScore(model: TreeModel, values: Float64Array): number {
  const { roots, feature, left, right, leafValue } = model;
  let sum = 0;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree]!;
    while (node >= 0) node = goesLeft(model, node, values[feature[node]!]!) ? left[node]! : right[node]!;
    sum += leafValue[~node]!;
  }
  return sum;
}

/** The least and the greatest raw score that a model can give. Summed as scores are, so that rounding leads no score beyond. */
export function rawRange({ roots, left, right, leafValue }: TreeModel): readonly [number, number] {
  let [least, most] = [0, 0];
  for (const root of roots) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node >= 0) open.push(left[node]!, right[node]!);
      else {
        low = Math.min(low, leafValue[~node]!);
        high = Math.max(high, leafValue[~node]!);
      }
    }
    least += low;
    most += high;
  }
  return [least, most];
}

/** The features that a model splits by, in order. */
export const splitFeatures = ({ feature }: TreeModel): readonly number[] =>
  [...new Set(feature)].toSorted((a, b) => a - b);
