import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import {
  type DataEdit,
  emptiedPath,
  type FileEdit,
  formatSteps,
  isJsonList as isList,
  isSameData,
  type JsonData,
  positionOf,
  type Step,
  valueAt,
  withEdit,
  withoutPath,
} from './data-edit.js';
import {
  apply,
  endOf,
  insertLine,
  lastOf,
  lineStart,
  newlineOf,
  type Splice,
  SpliceError,
  startOf,
  writerOf,
  type WriteValue,
  type YamlPair,
} from './splice.js';
import { insertItem, removeItem } from './splice-items.js';
import { removeKey } from './splice-keys.js';

/** The result of following a path as far as possible. */
interface Found {
  /** The last node on the way; undefined if the path continues in an empty text or value. */
  readonly node: Node | undefined;
  /** The pair that holds the node, if it is a value of a map. */
  readonly pair: YamlPair | undefined;
  /** The remaining steps. */
  readonly rest: readonly Step[];
}

/**
 * Applies edits to a YAML text without changing any other character, so that comments, order, quotes and anchors stay.
 *
 * Existing values are replaced. A missing key is added after the last one of its map, a missing entry after the last one
 * of its list. Places that share the value by an alias keep the old value. The result is parsed and compared with the
 * edited data, so that inexact edits are refused. Each edit is linear in the text.
 *
 * @throws SpliceError if the text is not YAML, or an edit cannot be written
 */
export const spliceYaml = (text: string, edits: readonly FileEdit[]): string => edits.reduce(spliceEdit, text);

function spliceEdit(text: string, edit: FileEdit): string {
  if ('text' in edit) return edit.text;
  return 'remove' in edit ? spliceRemoval(text, edit.path) : spliceFinest(text, edit);
}

/** Removes a key or an element, with the maps and lists that become empty. */
function spliceRemoval(text: string, path: readonly Step[]): string {
  const data = dataOf(parse(text));
  if (valueAt(data, path) === undefined) {
    throw new SpliceError(`${formatSteps(path)} is not in the file, so it cannot be removed`);
  }
  const emptied = emptiedPath(data, path);
  const last = emptied.at(-1)!;
  if (typeof last === 'string') return spliceOne(text, { kind: 'remove', path: emptied });
  const at = positionOf(valueAt(data, emptied.slice(0, -1)), last);
  return spliceOne(text, { kind: 'remove', path: [...emptied.slice(0, -1), at] });
}

/** Edits only the changed elements of a list; the whole list if that is impossible or if it is shared by an alias. */
function spliceFinest(text: string, edit: DataEdit): string {
  const finest = Array.isArray(edit.value) ? finestEdits(dataOf(parse(text)), edit) : [edit];
  try {
    return finest.reduce(spliceOne, text);
  } catch (error) {
    if (!(error instanceof SpliceError) || !Array.isArray(edit.value)) throw error;
    return spliceOne(text, edit);
  }
}

/** @throws SpliceError if the result would differ from the edited data */
function spliceOne(text: string, edit: FinestEdit): string {
  const document = parse(text);
  const result = apply(text, 'kind' in edit ? itemSplices(text, document, edit) : valueSplices(text, document, edit));
  if (!isSameData(dataOf(parse(result)), withFinestEdit(dataOf(document), edit))) {
    throw new SpliceError(`${formatSteps(edit.path)} cannot be written without changing something else`);
  }
  return result;
}

/** Replaces the value of an edit, or adds the missing path to it. */
function valueSplices(text: string, document: Document.Parsed, { path, value }: DataEdit): readonly Splice[] {
  const found = find(document.contents ?? undefined, path);
  const write = writerOf(text);
  return found.rest.length === 0 ? replace(document, found, value, write) : insert(text, found, value, write);
}

/** Inserts an element into a list, or removes it; removes a key of a map. */
function itemSplices(text: string, document: Document.Parsed, edit: ListEdit): readonly Splice[] {
  const { node, rest } = find(document.contents ?? undefined, edit.path.slice(0, -1));
  const at = edit.path.at(-1);
  if (rest.length === 0 && isMap(node) && typeof at === 'string' && edit.kind === 'remove') {
    return removeKey(text, node, at);
  }
  if (rest.length > 0 || !isSeq(node) || typeof at !== 'number') {
    throw new SpliceError(`${formatSteps(edit.path)} is not an element of a list`);
  }
  return edit.kind === 'remove' ? removeItem(text, node, at) : insertItem(text, node, at, edit.value, writerOf(text));
}

function parse(text: string): Document.Parsed {
  const document = parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false, stringKeys: true });
  const [error] = document.errors;
  if (error) throw new SpliceError(`the file is not YAML: ${error.message}`);
  return document;
}

const dataOf = (document: Document.Parsed): JsonData => document.toJS() as JsonData;

/** Follows a path as far as it goes. */
function find(root: Node | undefined, path: readonly Step[]): Found {
  let [node, pair]: [Node | undefined, YamlPair | undefined] = [root, undefined];
  for (const [depth, step] of path.entries()) {
    const rest = path.slice(depth);
    if (node === undefined || isNull(node)) return { node: undefined, pair, rest };
    if (!isCollection(node)) throw new SpliceError(`${formatSteps(path.slice(0, depth))} is not a map or a list`);
    const next = typeof step === 'string' ? pairOf(node, step) : elementOf(node, step);
    if (next === undefined) return { node, pair, rest };
    pair = 'range' in next ? undefined : (next as YamlPair);
    node = pair ? (pair.value ?? undefined) : (next as Node);
  }
  return { node, pair, rest: [] };
}

const isNull = (node: Node): boolean => isScalar(node) && node.value === null;

const pairOf = (node: Node, key: string): YamlPair | undefined =>
  isMap(node) ? (node.items as YamlPair[]).find((one) => isScalar(one.key) && one.key.value === key) : undefined;

function elementOf(node: Node, step: Exclude<Step, string>): Node | undefined {
  if (!isSeq(node)) return undefined;
  const items = node.items as Node[];
  if (typeof step === 'number') return items[step];
  return items.find((item) => {
    const id = pairOf(item, 'id')?.value;
    return isScalar(id) && id.value === step.id;
  });
}

/** Replaces the value at a path. Aliases of the value are replaced by the old value. */
function replace(document: Document.Parsed, { node, pair }: Found, value: JsonData, write: WriteValue): Splice[] {
  const put = write(value);
  if (node === undefined || (isScalar(node) && startOf(node) === endOf(node))) {
    const start = node ? startOf(node) : endOf(pair?.key);
    return [{ start, end: start, text: node ? ` ${put}` : `: ${put}` }];
  }
  const shared =
    isAlias(node) || !('anchor' in node) || node.anchor === undefined ? [] : aliasesOf(document, node.anchor);
  const old = shared.length > 0 ? write((node as Scalar).toJS(document) as JsonData) : '';
  return [
    { start: startOf(node), end: endOf(node), text: put },
    ...shared.map((alias) => ({ start: startOf(alias), end: endOf(alias), text: old })),
  ];
}

function aliasesOf(document: Document.Parsed, anchor: string): Node[] {
  const aliases: Node[] = [];
  visit(document, { Alias: (_key, alias) => void (alias.source === anchor && aliases.push(alias)) });
  return aliases;
}

/** Adds the missing part of a path. */
function insert(text: string, { node, pair, rest }: Found, value: JsonData, write: WriteValue): readonly Splice[] {
  const [step, ...inner] = rest;
  if (pair && node === undefined) {
    const at = endOf(lastOf(pair));
    const put = write(withEdit(undefined, rest, value));
    return [{ start: at, end: at, text: pair.value ? ` ${put}` : `: ${put}` }];
  }
  if (isSeq(node) && typeof step !== 'string') {
    const element = typeof step === 'object' ? { id: step.id } : undefined;
    return insertItem(text, node, node.items.length, withEdit(element, inner, value), write);
  }
  if (typeof step !== 'string' || (node && !isMap(node))) {
    throw new SpliceError(`${formatSteps(rest)} cannot be added there`);
  }
  const added = withEdit(undefined, inner, value);
  const put = `${write(step)}: ${write(added)}`;
  if (!node) return [insertLine(text, text.length, put)];
  if (node.flow || put.length <= LONGEST_LINE || !isList(added)) return [insertKey(text, node, put)];
  const column = startOf(node) - lineStart(text, startOf(node));
  const lines = added.map((item) => `${newlineOf(text)}${' '.repeat(column + 2)}- ${write(item)}`);
  return [insertKey(text, node, `${write(step)}:${lines.join('')}`)];
}

/** Longer new lists are written with one element per line. */
const LONGEST_LINE = 90;

/** Adds a key after the last one of a map: on the same line in a flow map, else on its own line with the same indentation. */
function insertKey(text: string, map: YAMLMap, put: string): Splice {
  const last = map.items.at(-1) as YamlPair | undefined;
  if (!map.flow) {
    const column = startOf(map) - lineStart(text, startOf(map));
    return insertLine(text, endOf(map), `${' '.repeat(column)}${put}`);
  }
  if (!last) return { start: startOf(map) + 1, end: endOf(map) - 1, text: ` ${put} ` };
  const at = endOf(lastOf(last));
  return { start: at, end: at, text: `, ${put}` };
}

/** Inserts an element into a list before the one at the path, or removes the element or key at the path. */
type ListEdit =
  | { readonly kind: 'insert'; readonly path: readonly Step[]; readonly value: JsonData }
  | { readonly kind: 'remove'; readonly path: readonly Step[] };

/** An edit of the smallest unit. */
type FinestEdit = DataEdit | ListEdit;

/** Lists with more pairs of elements (a thousand elements each) are replaced as a whole. */
const MOST_PAIRS = 1e6;

/**
 * Splits an edit into edits of the values that differ. In a list, these are the changed, new and removed elements, the last
 * one first, so that earlier positions stay valid.
 */
function finestEdits(data: JsonData, { path, value }: DataEdit): readonly FinestEdit[] {
  return differences(valueAt(data, path), path, value);
}

function differences(old: JsonData | undefined, path: readonly Step[], value: JsonData): readonly FinestEdit[] {
  if (isSameData(old, value)) return [];
  if (!isList(old) || !isList(value) || old.length * value.length > MOST_PAIRS) return [{ path, value }];
  const edits: FinestEdit[] = [];
  let next = old.length;
  for (const [from, to] of alignLists(old, value).toReversed()) {
    if (from === undefined) edits.push({ kind: 'insert', path: [...path, next], value: value[to!]! });
    else if (to === undefined) edits.push({ kind: 'remove', path: [...path, from] });
    else edits.push(...differences(old[from], [...path, from], value[to]!));
    next = from ?? next;
  }
  return edits;
}

/** A copy of the data with the edit applied. */
function withFinestEdit(data: JsonData, edit: FinestEdit): JsonData {
  if (!('kind' in edit)) return withEdit(data, edit.path, edit.value);
  if (edit.kind === 'remove') return withoutPath(data, edit.path);
  const path = edit.path.slice(0, -1);
  const list = valueAt(data, path);
  return isList(list) ? withEdit(data, path, list.toSpliced(Number(edit.path.at(-1)), 0, edit.value)) : data;
}

/** The positions of an element in two lists; undefined in a list that does not contain it. */
type Aligned = readonly [from: number | undefined, to: number | undefined];

/**
 * The cheapest way from one list to another (Wagner and Fischer, 1974). An insertion or a removal costs 1. A replacement
 * costs 2/3 plus up to 1/3 by distance, so that an element that moved a little counts as the same element. O(n × m) time and
 * memory, without equal beginnings and ends.
 */
function alignLists(old: readonly JsonData[], now: readonly JsonData[]): readonly Aligned[] {
  const isSame = (i: number, k: number) => i >= 0 && k >= 0 && isSameData(old[i], now[k]);
  const shorter = Math.min(old.length, now.length);
  let [start, same] = [0, 0];
  while (start < shorter && isSame(start, start)) start += 1;
  while (same < shorter - start && isSame(old.length - 1 - same, now.length - 1 - same)) same += 1;
  const pairs = (length: number, from: number, to: number): Aligned[] =>
    Array.from({ length }, (_, k) => [from + k, to + k]);
  const between = cheapest(old.slice(start, old.length - same), now.slice(start, now.length - same));
  return [
    ...pairs(start, 0, 0),
    ...between.map(([from, to]): Aligned => [later(from, start), later(to, start)]),
    ...pairs(same, old.length - same, now.length - same),
  ];
}

const later = (position: number | undefined, by: number): number | undefined =>
  position === undefined ? undefined : position + by;

function cheapest(old: readonly JsonData[], now: readonly JsonData[]): readonly Aligned[] {
  const width = now.length + 1;
  const costs = new Float64Array((old.length + 1) * width);
  const replaced = (i: number, k: number): number =>
    costs[(i - 1) * width + k - 1]! + replacing(old[i - 1]!, now[k - 1]!);
  const taken = (i: number, k: number): number => costs[(i - 1) * width + k]! + 1;
  for (let k = 1; k < width; k++) costs[k] = k;
  for (let i = 1; i <= old.length; i++) {
    costs[i * width] = i;
    for (let k = 1; k < width; k++) {
      costs[i * width + k] = Math.min(replaced(i, k), taken(i, k), costs[i * width + k - 1]! + 1);
    }
  }
  const aligned: Aligned[] = [];
  for (let [i, k] = [old.length, now.length]; i > 0 || k > 0; ) {
    const cost = costs[i * width + k]!;
    if (i > 0 && k > 0 && cost === replaced(i, k)) aligned.push([--i, --k]);
    else if (i > 0 && cost === taken(i, k)) aligned.push([--i, undefined]);
    else aligned.push([undefined, --k]);
  }
  return aligned.toReversed();
}

const replacing = (a: JsonData, b: JsonData): number => (isSameData(a, b) ? 0 : (2 + distance(a, b)) / 3);

/** A distance from 0 to 1: relative for numbers (Lance and Williams, 1967), the mean over elements for lists. */
function distance(a: JsonData, b: JsonData): number {
  if (typeof a === 'number' && typeof b === 'number')
    return a === b ? 0 : Math.abs(a - b) / (Math.abs(a) + Math.abs(b));
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return isSameData(a, b) ? 0 : 1;
  const [one, other] = [a as readonly JsonData[], b as readonly JsonData[]];
  return one.reduce<number>((sum, x, k) => sum + distance(x, other[k]!), 0) / Math.max(1, one.length);
}
