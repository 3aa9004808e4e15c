import { isDeepStrictEqual } from 'node:util';
import type { JsonData } from './data-edit.js';

/** Positions of what is the same element in two lists; of one that is only in one of them, the other is undefined. */
export type Aligned = readonly [from: number | undefined, to: number | undefined];

/**
 * The cheapest way from one list to another (Wagner and Fischer, 1974): an element put in or taken out costs 1, one that
 * is replaced 2/3, and up to 1/3 by how far it is from the other: an element that moved a little is the same element.
 * O(n × m) time and memory, of what is left between equal beginnings and ends.
 */
export function alignLists(old: readonly JsonData[], now: readonly JsonData[]): readonly Aligned[] {
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

/** From 0 to 1: of numbers relative to their sizes (Lance and Williams, 1967), of lists the mean over their elements. */
function distance(a: JsonData, b: JsonData): number {
  if (typeof a === 'number' && typeof b === 'number')
    return a === b ? 0 : Math.abs(a - b) / (Math.abs(a) + Math.abs(b));
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return isDeepStrictEqual(a, b) ? 0 : 1;
  const [one, other] = [a as readonly JsonData[], b as readonly JsonData[]];
  return one.reduce<number>((sum, x, k) => sum + distance(x, other[k]!), 0) / Math.max(1, one.length);
}
