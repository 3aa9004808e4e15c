import { filePlace, ParamFileError } from './params.js';

/** The values that a split sends in its default direction: LightGBM's `missing_type`. With `none`, NaN counts as 0. */
const MISSING_ZERO = 1;
const MISSING_NAN = 2;

/** LightGBM's `kZeroThreshold` as a float. Smaller absolute values count as 0. */
const ZERO_THRESHOLD = Math.fround(1e-35);

const CATEGORICAL = 1;
const DEFAULT_LEFT = 2;

/**
 * A trained model with its trees as flat arrays. A child below 0 is the leaf `~child`. Nodes and leaves are numbered
 * across all trees.
 */
export interface TreeModel {
  /** The names by feature. */
  readonly names: readonly string[];
  /** The root of each tree; below 0 if a tree is a single leaf. */
  readonly roots: Int32Array;
  readonly feature: Int32Array;
  /** The threshold of a split by number; of one by category the number of its set. */
  readonly threshold: Float64Array;
  /** LightGBM's `decision_type`: 1 categorical, 2 default left, 4 and 8 the type of missing values. */
  readonly decision: Uint8Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly leafValue: Float64Array;
  /** The number of training rows in a leaf; at least 1. */
  readonly leafCount: Float64Array;
  /** The categories that go left, a bitset each. */
  readonly categories: readonly Uint32Array[];
  /** Divides the raw score for the response: the number of trees in a random forest, else 1. */
  readonly divisor: number;
  /** The greatest number of splits from a root to a leaf. */
  readonly depth: number;
  /** LightGBM's `objective`; empty if the file has none. */
  readonly objective: string;
}

/** Whether a value goes left at a node, by the decisions of LightGBM's `tree.h`. */
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

/** Whether the integer part of a value is in a set of categories. */
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

/**
 * The least and the greatest possible raw score of a model. Summed in the same order as scores, so that rounding never
 * puts a score outside the range.
 */
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

/** The features that a model uses in splits, in order. */
export const splitFeatures = ({ feature }: TreeModel): readonly number[] =>
  [...new Set(feature)].toSorted((a, b) => a - b);

/** Limits the memory of an explanation, which grows with the square of the depth. No trained tree is deeper. */
const MAX_DEPTH = 1000;
const MAX_LEAVES = 2 ** 24;

/** A model under construction, while its trees are read. */
interface Growing {
  readonly roots: number[];
  readonly feature: number[];
  readonly threshold: number[];
  readonly decision: number[];
  readonly left: number[];
  readonly right: number[];
  readonly leafValue: number[];
  readonly leafCount: number[];
  readonly categories: Uint32Array[];
  depth: number;
}

/**
 * Reads a model in LightGBM's text format, versions 3 and 4.
 *
 * @throws ParamFileError with the place of the first mistake, and for models without a single score: several classes,
 * linear trees
 */
export function parseModel(text: string, file: string): TreeModel {
  const { head, trees } = modelSections(text, file);
  const version = head.text('version');
  if (version !== 'v3' && version !== 'v4')
    head.fail('version', `expected version v3 or v4, found ${version.slice(0, 20)}`);
  for (const key of ['num_class', 'num_tree_per_iteration'])
    if (head.integer(key, 1, 1e6) > 1) head.fail(key, 'the model has several classes, but a scorer needs one score');
  const names = head.words('feature_names');
  if (head.integer('max_feature_idx', 0, 1e9) !== names.length - 1)
    head.fail('feature_names', `expected a name for each feature up to max_feature_idx, found ${names.length}`);
  if (new Set(names).size < names.length) head.fail('feature_names', 'a name occurs twice');
  if (trees.length === 0) head.fail('tree_sizes', 'the model has no trees');
  const model: Growing = {
    roots: [],
    feature: [],
    threshold: [],
    decision: [],
    left: [],
    right: [],
    leafValue: [],
    leafCount: [],
    categories: [],
    depth: 0,
  };
  for (const tree of trees) addTree(model, tree, names.length);
  return {
    names,
    roots: Int32Array.from(model.roots),
    feature: Int32Array.from(model.feature),
    threshold: Float64Array.from(model.threshold),
    decision: Uint8Array.from(model.decision),
    left: Int32Array.from(model.left),
    right: Int32Array.from(model.right),
    leafValue: Float64Array.from(model.leafValue),
    leafCount: Float64Array.from(model.leafCount),
    categories: model.categories,
    divisor: head.has('average_output') ? trees.length : 1,
    depth: model.depth,
    objective: head.has('objective') ? head.text('objective') : '',
  };
}

function addTree(model: Growing, tree: ModelSection, features: number): void {
  const leaves = tree.integer('num_leaves', 1, MAX_LEAVES);
  const splits = leaves - 1;
  if (tree.has('is_linear') && tree.text('is_linear') !== '0') tree.fail('is_linear', 'linear trees are not supported');
  const firstNode = model.feature.length;
  const firstLeaf = model.leafValue.length;
  // For a tree with a single leaf, LightGBM writes a row count of 0 or none.
  const counts = leaves === 1 ? [1] : tree.integers('leaf_count', leaves, 0, Number.MAX_SAFE_INTEGER);
  for (const value of tree.numbers('leaf_value', leaves)) model.leafValue.push(value);
  for (const count of counts) model.leafCount.push(Math.max(1, count));
  model.roots.push(splits === 0 ? ~firstLeaf : firstNode);
  if (splits === 0) return;

  const children = (key: string): readonly number[] => tree.integers(key, splits, -leaves, splits - 1);
  const left = children('left_child');
  const right = children('right_child');
  model.depth = Math.max(model.depth, depthOf(tree, left, right));
  const inModel = (child: number): number => (child < 0 ? ~(firstLeaf + ~child) : firstNode + child);
  for (const child of left) model.left.push(inModel(child));
  for (const child of right) model.right.push(inModel(child));
  for (const feature of tree.integers('split_feature', splits, 0, features - 1)) model.feature.push(feature);
  const decisions = tree.integers('decision_type', splits, 0, 11);
  for (const decision of decisions) model.decision.push(decision);
  addThresholds(model, tree, decisions);
}

/** Appends the thresholds of a tree and the sets of categories that some of them refer to. */
function addThresholds(model: Growing, tree: ModelSection, decisions: readonly number[]): void {
  const sets = tree.has('num_cat') ? tree.integer('num_cat', 0, MAX_LEAVES) : 0;
  const firstSet = model.categories.length;
  for (const [k, threshold] of tree.numbers('threshold', decisions.length, true).entries()) {
    const isSet = (decisions[k]! & 1) === 1;
    if (isSet && !(Number.isInteger(threshold) && threshold >= 0 && threshold < sets))
      tree.fail('threshold', `expected the number of one of ${sets} sets of categories, found ${threshold}`);
    model.threshold.push(isSet ? firstSet + threshold : threshold);
  }
  if (sets === 0) return;
  const words = tree.words('cat_threshold').length;
  const ends = tree.integers('cat_boundaries', sets + 1, 0, words);
  const bits = tree.integers('cat_threshold', words, 0, 2 ** 32 - 1);
  if (ends.some((end, k) => k > 0 && end < ends[k - 1]!)) tree.fail('cat_boundaries', 'expected them to rise');
  for (let k = 0; k < sets; k++) model.categories.push(Uint32Array.from(bits.slice(ends[k], ends[k + 1])));
}

/** The depth of a tree. Checks that it is a tree: each split and each leaf is reached exactly once from the root. */
function depthOf(tree: ModelSection, left: readonly number[], right: readonly number[]): number {
  const leaves = left.length + 1;
  const reached = new Uint8Array(left.length + leaves);
  const open: (readonly [node: number, depth: number])[] = [[0, 0]];
  let deepest = 0;
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    const at = node < 0 ? left.length + ~node : node;
    if (reached[at] === 1) tree.fail('left_child', `${tree.title} is not a tree: ${nameOf(node)} has two parents`);
    reached[at] = 1;
    count += 1;
    if (depth > MAX_DEPTH) tree.fail('left_child', `${tree.title} is deeper than ${MAX_DEPTH}`);
    deepest = Math.max(deepest, depth);
    if (node >= 0) open.push([left[node]!, depth + 1], [right[node]!, depth + 1]);
  }
  if (count < reached.length) tree.fail('left_child', `${tree.title} is not a tree: a leaf is unreachable`);
  return deepest;
}

const nameOf = (node: number): string => (node < 0 ? `leaf ${~node}` : `split ${node}`);

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

const INFINITIES: Readonly<Record<string, number | undefined>> = {
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/** One `key=value` of a model's file, with its line. */
interface ModelField {
  readonly value: string;
  readonly line: number;
}

/** The `key=value` lines of one part of a model's file: its head, or a tree. */
class ModelSection {
  readonly #fields = new Map<string, ModelField>();

  /**
   * @param title what it is, in messages: `the head`, `Tree=3`
   * @param line  its first line
   */
  constructor(
    private readonly file: string,
    readonly title: string,
    private readonly line: number,
  ) {}

  /** Adds a line; one without `=`, such as the head's first and its `average_output`, has an empty value. */
  add(text: string, line: number): void {
    const end = text.indexOf('=');
    const key = end < 0 ? text : text.slice(0, end);
    if (this.#fields.has(key)) this.#fail(line, 1, `${key} occurs twice in ${this.title}`);
    this.#fields.set(key, { value: end < 0 ? '' : text.slice(end + 1), line });
  }

  has(key: string): boolean {
    return this.#fields.has(key);
  }

  text(key: string): string {
    return this.#field(key).value;
  }

  /** The words of a value, by single spaces. */
  words(key: string): readonly string[] {
    const { value } = this.#field(key);
    return value === '' ? [] : value.split(' ');
  }

  /** A whole number within bounds. */
  integer(key: string, least: number, most: number): number {
    return this.integers(key, 1, least, most)[0]!;
  }

  /** So many numbers: finite ones, or also `inf`, the threshold of a split that only missing values do not pass. */
  numbers(key: string, count: number, infinite = false): readonly number[] {
    const { line } = this.#field(key);
    const words = this.words(key);
    let column = key.length + 2;
    if (words.length !== count)
      this.#fail(line, column, `expected ${count} numbers in ${key} of ${this.title}, found ${words.length}`);
    return words.map((word) => {
      const number = (infinite ? INFINITIES[word] : undefined) ?? (NUMBER.test(word) ? Number(word) : Number.NaN);
      if (Number.isNaN(number) || (!infinite && !Number.isFinite(number)))
        this.#fail(line, column, `expected a number in ${key}, found ${JSON.stringify(word.slice(0, 40))}`);
      column += word.length + 1;
      return number;
    });
  }

  /** So many whole numbers within bounds. */
  integers(key: string, count: number, least: number, most: number): readonly number[] {
    const numbers = this.numbers(key, count);
    const wrong = numbers.find((number) => !Number.isInteger(number) || number < least || number > most);
    if (wrong !== undefined)
      this.fail(key, `expected whole numbers from ${least} to ${most} in ${key}, found ${wrong}`);
    return numbers;
  }

  /** @throws ParamFileError at the value of a key, or at the start of the section if it is missing */
  fail(key: string, message: string): never {
    return this.#fail(this.#fields.get(key)?.line ?? this.line, this.#fields.has(key) ? key.length + 2 : 1, message);
  }

  #field(key: string): ModelField {
    return this.#fields.get(key) ?? this.fail(key, `${this.title} has no ${key}`);
  }

  #fail(line: number, column: number, message: string): never {
    throw new ParamFileError(`${filePlace(this.file, line, column)}: ${message}`);
  }
}

/**
 * Splits a model file into its head and its trees. The text after `end of trees` is ignored.
 *
 * @throws ParamFileError if it is not a model file, or if it ends before its trees do
 */
function modelSections(
  text: string,
  file: string,
): { readonly head: ModelSection; readonly trees: readonly ModelSection[] } {
  const lines = text.split(/\r?\n/);
  const head = new ModelSection(file, 'the head', 1);
  if (lines[0] !== 'tree')
    head.fail(
      '',
      'expected a model in LightGBM’s text format, which starts with the line tree; OnnxScorer reads the ONNX format',
    );
  const trees: ModelSection[] = [];
  let section = head;
  for (const [k, line] of lines.entries()) {
    if (line === 'end of trees') return { head, trees };
    if (line.startsWith('Tree=')) {
      section = new ModelSection(file, line, k + 1);
      if (line !== `Tree=${trees.length}`)
        section.fail('', `expected Tree=${trees.length}, found ${line.slice(0, 40)}`);
      trees.push(section);
    } else if (line !== '') section.add(line, k + 1);
  }
  throw new ParamFileError(
    `${filePlace(file, lines.length, 1)}: the file ends within ${section.title}: expected a line end of trees`,
  );
}
