import { offsetInScalar } from './offset-in-scalar.js';
import type { Place } from './problem.js';
import type { SourceFile } from './source-file.js';

/** An offset of a file: where something was written, without the cost of counting lines before somebody asks. */
export interface Mark {
  readonly source: SourceFile;
  readonly offset: number;
}

/** Where an item of a map or list was written. In a list, the key is where the value is. */
export interface ItemMarks {
  readonly key: Mark;
  readonly value: Mark;
}

/** Where a map or list was written, and each of its items, by key or index as text. */
export interface ContainerMarks {
  readonly self: Mark | undefined;
  readonly items: Map<string, ItemMarks>;
}

/** A way through data: keys of maps and indexes of lists. */
export type DataPath = readonly (string | number)[];

// Kept beside the data, so that the data stays as plain as a program's own, and goes when the data goes.
const marks = new WeakMap<object, ContainerMarks>();

const placeOfMark = (mark: Mark | undefined): Place | undefined => mark?.source.placeAt(mark.offset);

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Records where a map or list and its items were written. A parser says so once for each that it makes. */
export function recordPlaces(container: object, places: ContainerMarks): void {
  marks.set(container, places);
}

/** Where a map or list starts. */
export function placeOf(container: object): Place | undefined {
  return placeOfMark(marks.get(container)?.self);
}

/** Where the key of an item was written; in a list, where the item was. */
export function placeOfKey(container: object, key: string | number): Place | undefined {
  return placeOfMark(marks.get(container)?.items.get(String(key))?.key);
}

/** Where the value of an item was written. */
export function placeOfValue(container: object, key: string | number): Place | undefined {
  return placeOfMark(marks.get(container)?.items.get(String(key))?.value);
}

/**
 * The place of a character inside a text value, as for an error in the middle of an expression. Exact in plain, quoted
 * and block texts, escapes included; where the value is an alias, the alias.
 *
 * @param offset counts the UTF-16 units of the value from 0
 */
export function placeWithin(container: object, key: string | number, offset: number): Place | undefined {
  const mark = marks.get(container)?.items.get(String(key))?.value;
  const value = isContainer(container) ? container[key] : undefined;
  if (mark === undefined || typeof value !== 'string') return placeOfMark(mark);
  return mark.source.placeAt(offsetInScalar(mark.source.text, mark.offset, value, offset));
}

const marksOf = (container: object): ContainerMarks => {
  const known = marks.get(container);
  if (known) return known;
  const made: ContainerMarks = { self: undefined, items: new Map() };
  marks.set(container, made);
  return made;
};

/** Carries the places of one item over to another container, as when profiles are merged. */
export function copyPlace(from: object, fromKey: string | number, to: object, toKey: string | number): void {
  const item = marks.get(from)?.items.get(String(fromKey));
  if (item) marksOf(to).items.set(String(toKey), item);
}

/** Carries the place of a container and of all its items over to another. What the other knew of the same is replaced. */
export function copyPlaces(from: object, to: object): void {
  const known = marks.get(from);
  if (!known) return;
  const items = new Map([...marksOf(to).items, ...known.items]);
  marks.set(to, { self: known.self ?? marksOf(to).self, items });
}

/** Where a character of the text at a path was written; the place of the text itself where that is not known. */
export function locateWithin(root: unknown, path: DataPath, offset: number): Place | undefined {
  const key = path.at(-1);
  let container = root;
  for (const step of path.slice(0, -1)) {
    container = isContainer(container) && Object.hasOwn(container, step) ? container[step] : undefined;
  }
  const within = isContainer(container) && key !== undefined ? placeWithin(container, key, offset) : undefined;
  return within ?? locate(root, path);
}

/**
 * Where the data at a path was written. A path that leads nowhere is answered for the deepest part that was written:
 * a missing key is the place of the map that lacks it.
 *
 * @param at whether the last step of the path asks for its key or its value
 */
export function locate(root: unknown, path: DataPath, at: 'key' | 'value' = 'value'): Place | undefined {
  let mark = isContainer(root) ? marks.get(root)?.self : undefined;
  let data = root;
  for (const [step, key] of path.entries()) {
    if (!isContainer(data) || !Object.hasOwn(data, key)) break;
    const item = marks.get(data)?.items.get(String(key));
    mark = (at === 'key' && step === path.length - 1 ? item?.key : item?.value) ?? mark;
    data = data[key];
  }
  return placeOfMark(mark);
}
