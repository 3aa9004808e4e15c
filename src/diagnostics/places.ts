import { isObject } from './describe-value.js';
import { offsetInScalar } from './offset-in-scalar.js';
import type { Place } from './problem.js';
import type { SourceFile } from './source-file.js';

/** An offset of a file. Its line and column are counted only when a place is needed. */
export interface Mark {
  readonly source: SourceFile;
  readonly offset: number;
}

/** Where an item of a map or list was written. In a list, the mark of the key is that of the value. */
export interface ItemMarks {
  readonly key: Mark;
  readonly value: Mark;
}

/** Where a map or list was written, and each of its items, by key or index as text. */
export interface ContainerMarks {
  readonly self: Mark | undefined;
  readonly items: Map<string, ItemMarks>;
}

/** A path through data: keys of maps and indexes of lists. */
export type DataPath = readonly (string | number)[];

// Beside the data, which stays as plain as a program's own. An entry is collected with its container.
const marks = new WeakMap<object, ContainerMarks>();

const placeOfMark = (mark: Mark | undefined): Place | undefined => mark?.source.placeAt(mark.offset);

/** Records where a map or list and its items were written. Called by parsers, once for each container. */
export function recordPlaces(container: object, places: ContainerMarks): void {
  marks.set(container, places);
}

/** The start of a map or list. */
export function placeOf(container: object): Place | undefined {
  return placeOfMark(marks.get(container)?.self);
}

/** The place of the key of an item; in a list, of the item. */
export function placeOfKey(container: object, key: string | number): Place | undefined {
  return placeOfMark(marks.get(container)?.items.get(String(key))?.key);
}

/** The place of the value of an item. */
export function placeOfValue(container: object, key: string | number): Place | undefined {
  return placeOfMark(marks.get(container)?.items.get(String(key))?.value);
}

/**
 * The place of a character of a text value, as for an error inside an expression. Exact in plain, quoted and block
 * scalars, escapes included; for an alias, the place of the alias.
 *
 * @param offset in UTF-16 units of the value, from 0
 */
export function placeWithin(container: object, key: string | number, offset: number): Place | undefined {
  const mark = marks.get(container)?.items.get(String(key))?.value;
  const value = isObject(container) ? container[key] : undefined;
  if (mark === undefined || typeof value !== 'string') return placeOfMark(mark);
  return mark.source.placeAt(offsetInScalar(mark.source.text, mark.offset, value, offset));
}

const marksOf = (container: object): ContainerMarks => {
  const existing = marks.get(container);
  if (existing) return existing;
  const created: ContainerMarks = { self: undefined, items: new Map() };
  marks.set(container, created);
  return created;
};

/**
 * Copies the places of an item to another container, as when profiles are merged. An item without a place, such as one of an
 * object, removes the place of the item that it replaces: that place is in another file.
 */
export function copyPlace(from: object, fromKey: string | number, to: object, toKey: string | number): void {
  const item = marks.get(from)?.items.get(String(fromKey));
  if (item) marksOf(to).items.set(String(toKey), item);
  else marks.get(to)?.items.delete(String(toKey));
}

/** Copies the places of a container and of its items to another, over those that it has. */
export function copyPlaces(from: object, to: object): void {
  const known = marks.get(from);
  if (!known) return;
  const items = new Map([...marksOf(to).items, ...known.items]);
  marks.set(to, { self: known.self ?? marksOf(to).self, items });
}

/** The place of a character of the text at a path, else the place of the text. */
export function locateWithin(root: unknown, path: DataPath, offset: number): Place | undefined {
  const key = path.at(-1);
  let container = root;
  for (const step of path.slice(0, -1)) {
    container = isObject(container) && Object.hasOwn(container, step) ? container[step] : undefined;
  }
  const within = isObject(container) && key !== undefined ? placeWithin(container, key, offset) : undefined;
  return within ?? locate(root, path);
}

/**
 * The place of the data at a path. For a path that does not exist, that of its deepest part that does: the place of a
 * missing key is the map that lacks it.
 *
 * @param at whether to give the place of the last key of the path, or of its value
 */
export function locate(root: unknown, path: DataPath, at: 'key' | 'value' = 'value'): Place | undefined {
  let mark = isObject(root) ? marks.get(root)?.self : undefined;
  let data = root;
  for (const [step, key] of path.entries()) {
    if (!isObject(data) || !Object.hasOwn(data, key)) break;
    const item = marks.get(data)?.items.get(String(key));
    mark = (at === 'key' && step === path.length - 1 ? item?.key : item?.value) ?? mark;
    data = data[key];
  }
  return placeOfMark(mark);
}
