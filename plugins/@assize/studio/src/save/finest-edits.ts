import { isDeepStrictEqual } from 'node:util';
import { type DataEdit, isJsonMap, type JsonData, type Step, withEdit } from './data-edit.js';

/** Inserts an element into a list before the one at the path, or removes the one at the path. */
export type ListEdit =
  | { readonly kind: 'insert'; readonly path: readonly Step[]; readonly value: JsonData }
  | { readonly kind: 'remove'; readonly path: readonly Step[] };

/** An edit of the smallest unit. */
export type FinestEdit = DataEdit | ListEdit;

/** Lists with more pairs of elements (a thousand elements each) are replaced as a whole. */
const MOST_PAIRS = 1e6;

/**
 * Splits an edit into edits of the values that differ. In a list, these are the changed, new and removed elements, the last
 * one first, so that earlier positions stay valid.
 */
export function finestEdits(data: JsonData, { path, value }: DataEdit): readonly FinestEdit[] {
  return differences(at(data, path), path, value);
}

function differences(old: JsonData | undefined, path: readonly Step[], value: JsonData): readonly FinestEdit[] {
  if (isDeepStrictEqual(old, value)) return [];
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
export function withFinestEdit(data: JsonData, edit: FinestEdit): JsonData {
  if (!('kind' in edit)) return withEdit(data, edit.path, edit.value);
  const path = edit.path.slice(0, -1);
  const list = at(data, path);
  const position = Number(edit.path.at(-1));
  const put = edit.kind === 'insert' ? [edit.value] : [];
  return isList(list) ? withEdit(data, path, list.toSpliced(position, 1 - put.length, ...put)) : data;
}

/** The value at a path; undefined if there is none. */
function at(data: JsonData | undefined, path: readonly Step[]): JsonData | undefined {
  return path.reduce<JsonData | undefined>((inner, step) => {
    if (typeof step === 'string') return isJsonMap(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
    if (!isList(inner)) return undefined;
    return typeof step === 'number' ? inner[step] : inner.find((one) => isJsonMap(one) && one['id'] === step.id);
  }, data);
}

const isList = (data: JsonData | undefined): data is readonly JsonData[] => Array.isArray(data);

/** The positions of an element in two lists; undefined in a list that does not contain it. */
type Aligned = readonly [from: number | undefined, to: number | undefined];

/**
 * The cheapest way from one list to another (Wagner and Fischer, 1974). An insertion or a removal costs 1. A replacement
 * costs 2/3 plus up to 1/3 by distance, so that an element that moved a little counts as the same element. O(n × m) time and
 * memory, without equal beginnings and ends.
 */
function alignLists(old: readonly JsonData[], now: readonly JsonData[]): readonly Aligned[] {
  const isSame = (i: number, k: number) => i >= 0 && k >= 0 && isDeepStrictEqual(old[i], now[k]);
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

const replacing = (a: JsonData, b: JsonData): number => (isDeepStrictEqual(a, b) ? 0 : (2 + distance(a, b)) / 3);

/** A distance from 0 to 1: relative for numbers (Lance and Williams, 1967), the mean over elements for lists. */
function distance(a: JsonData, b: JsonData): number {
  if (typeof a === 'number' && typeof b === 'number')
    return a === b ? 0 : Math.abs(a - b) / (Math.abs(a) + Math.abs(b));
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return isDeepStrictEqual(a, b) ? 0 : 1;
  const [one, other] = [a as readonly JsonData[], b as readonly JsonData[]];
  return one.reduce<number>((sum, x, k) => sum + distance(x, other[k]!), 0) / Math.max(1, one.length);
}
