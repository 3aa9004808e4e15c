import type { TreeModel } from './model.js';
import { type ModelSection, modelSections } from './model-lines.js';

/** No trained tree is deeper; the memory of an explanation grows with its square. */
const MAX_DEPTH = 1000;
const MAX_LEAVES = 2 ** 24;

/** A model while its trees are read. */
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
 * @throws ParamFileError with the place of the first mistake, and for what gives no single score: several classes, linear trees
 */
export function parseModel(text: string, file: string): TreeModel {
  const { head, trees } = modelSections(text, file);
  const version = head.text('version');
  if (version !== 'v3' && version !== 'v4')
    head.fail('version', `expected version v3 or v4, found ${version.slice(0, 20)}`);
  for (const key of ['num_class', 'num_tree_per_iteration'])
    if (head.integer(key, 1, 1e6) > 1) head.fail(key, 'the model has several classes, and a scorer one score');
  const names = head.words('feature_names');
  if (head.integer('max_feature_idx', 0, 1e9) !== names.length - 1)
    head.fail('feature_names', `expected a name for each feature up to max_feature_idx, found ${names.length}`);
  if (new Set(names).size < names.length) head.fail('feature_names', 'a name is there twice');
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
  if (tree.has('is_linear') && tree.text('is_linear') !== '0') tree.fail('is_linear', 'linear trees are not read');
  const firstNode = model.feature.length;
  const firstLeaf = model.leafValue.length;
  // LightGBM counts the rows of a tree with a single leaf as 0, or leaves them out.
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

/** Adds the thresholds of a tree, and the sets of categories that some of them number. */
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

/** The depth of a tree, which is one: from its root each split and each leaf is reached once. */
function depthOf(tree: ModelSection, left: readonly number[], right: readonly number[]): number {
  const leaves = left.length + 1;
  const reached = new Uint8Array(left.length + leaves);
  const open: (readonly [node: number, depth: number])[] = [[0, 0]];
  let deepest = 0;
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    const at = node < 0 ? left.length + ~node : node;
    if (reached[at] === 1) tree.fail('left_child', `${tree.title} is no tree: ${nameOf(node)} has two parents`);
    reached[at] = 1;
    count += 1;
    if (depth > MAX_DEPTH) tree.fail('left_child', `${tree.title} is deeper than ${MAX_DEPTH}`);
    deepest = Math.max(deepest, depth);
    if (node >= 0) open.push([left[node]!, depth + 1], [right[node]!, depth + 1]);
  }
  if (count < reached.length) tree.fail('left_child', `${tree.title} is no tree: not every leaf is reached`);
  return deepest;
}

const nameOf = (node: number): string => (node < 0 ? `leaf ${~node}` : `split ${node}`);
