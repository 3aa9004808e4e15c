import { excerpt } from './format.js';
import { isObject, type Place } from './problem.js';

/** An offset in a file. Its line and column are computed only when a place is needed. */
export interface Mark {
  readonly source: SourceFile;
  readonly offset: number;
}

/** The position of an item of a map or list. In a list, both marks are the same. */
export interface ItemMarks {
  readonly key: Mark;
  readonly value: Mark;
}

/** The position of a map or list, and of its items, by key or index as text. */
interface ContainerMarks {
  readonly self: Mark | undefined;
  readonly items: Map<string, ItemMarks>;
}

/** A path through data: keys of maps and indexes of lists. */
export type DataPath = readonly (string | number)[];

// Kept outside of the data, so that it stays plain. An entry is collected together with its container.
const marks = new WeakMap<object, ContainerMarks>();

const placeOfMark = (mark: Mark | undefined): Place | undefined => mark?.source.placeAt(mark.offset);

/** Records the positions of a map or list and its items. A parser calls it once per container. */
export function recordPlaces(container: object, places: ContainerMarks): void {
  marks.set(container, places);
}

/** The place where a map or list starts. */
export function placeOf(container: object): Place | undefined {
  return placeOfMark(marks.get(container)?.self);
}

/** The place of an item's value. */
export function placeOfValue(container: object, key: string | number): Place | undefined {
  return placeOfMark(marks.get(container)?.items.get(String(key))?.value);
}

/**
 * The place of a character inside a string value, such as an error in an expression. It is exact in plain, quoted and
 * block scalars, including escapes. For an alias, it is the place of the alias.
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
 * Copies the places of an item to another container, for merging profiles. An item without places, such as one of a
 * program's object, deletes the places of the item that it replaces, because they point to another file.
 */
export function copyPlace(from: object, fromKey: string | number, to: object, toKey: string | number): void {
  const item = marks.get(from)?.items.get(String(fromKey));
  if (item) marksOf(to).items.set(String(toKey), item);
  else marks.get(to)?.items.delete(String(toKey));
}

/** Copies the places of a container and its items to another container, replacing those it has. */
export function copyPlaces(from: object, to: object): void {
  const known = marks.get(from);
  if (!known) return;
  const items = new Map([...marksOf(to).items, ...known.items]);
  marks.set(to, { self: known.self ?? marksOf(to).self, items });
}

/** The place of a character of the string at a path, or the place of the string if that is not known. */
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
 * The place of the data at a path. If the path does not exist, it is the place of the deepest part that exists: the place
 * of a missing key is the map that lacks it.
 *
 * @param at whether to return the place of the last key of the path, or of its value
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

/** Matches one character in the notation of each YAML style: an escape, a doubled quote, or the character itself. */
const STYLES = {
  double: /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|\r?\n[ \t]*|[^])|[^]/gy,
  single: /''|[^]/gy,
  plain: /[^]/gy,
} as const;

const BLANK_ESCAPE = /^\\(?:[ntrvf_LP \t]|\r?\n[ \t]*)$/;
const BLANK = /^\s$/;

/**
 * The offset in a file of a character of a YAML or JSON scalar.
 *
 * Folding, indentation and escapes only add, change or remove white space. So the n-th character of the value that is not
 * white space is also the n-th one of its notation in the file.
 *
 * @param start  the start of the scalar in the file: its quote, its `|` or `>`, or its first character
 * @param value  the parsed text
 * @param offset the position of the character in the value, in UTF-16 units
 */
function offsetInScalar(file: string, start: number, value: string, offset: number): number {
  const first = file[start];
  if (first === '*') return start;
  const quoted = first === '"' || first === "'";
  const block = first === '|' || first === '>';
  const style = STYLES[first === '"' ? 'double' : first === "'" ? 'single' : 'plain'];
  let at = block ? file.indexOf('\n', start) + 1 || file.length : quoted ? start + 1 : start;

  const before = value.slice(0, offset);
  const visible = before.trimEnd();
  const wanted = countNonSpace(visible);
  const isVisible = offset < value.length && !BLANK.test(value[offset]!);
  let seen = 0;
  let end = at;
  for (style.lastIndex = at; ; at = style.lastIndex) {
    const piece = style.exec(file)?.[0];
    if (piece === undefined) break;
    const count = nonSpaceUnits(piece);
    if (count === 0) continue;
    // A visible character is the next one. White space follows the last visible one.
    if (isVisible && seen + count > wanted) return at;
    if (seen >= wanted) break;
    seen += count;
    end = style.lastIndex;
  }
  const gap = before.length - visible.length;
  const room = /^[ \t]*/.exec(file.slice(end, end + gap))![0].length;
  return end + room;
}

const countNonSpace = (text: string): number => text.replace(/\s+/g, '').length;

/** The number of UTF-16 units, without white space, that one match of a style represents. */
function nonSpaceUnits(piece: string): number {
  if (piece.length === 1) return BLANK.test(piece) ? 0 : 1;
  if (piece === "''") return 1;
  if (BLANK_ESCAPE.test(piece)) return 0;
  const hexadecimal = /^\\[xuU](?<code>[\dA-Fa-f]+)$/.exec(piece)?.groups?.['code'];
  if (hexadecimal === undefined) return 1;
  const code = Number.parseInt(hexadecimal, 16);
  if (code > 0xffff) return 2;
  return BLANK.test(String.fromCharCode(code)) ? 0 : 1;
}

/** The text of a file. It converts offsets to lines and columns. Line ends may be LF or CRLF. */
export class SourceFile {
  /** The text without a byte order mark. Offsets count its UTF-16 units from 0. */
  readonly text: string;
  #starts: readonly number[] | undefined;

  /**
   * @param name      its name in problems: the path as the caller wrote it, or `stdin`
   * @param text      the whole text
   * @param firstLine the number of its first line, if the text is a part of a longer one
   */
  constructor(
    readonly name: string,
    text: string,
    readonly firstLine = 1,
  ) {
    this.text = firstLine === 1 && text.startsWith('\ufeff') ? text.slice(1) : text; // in a later part, U+FEFF is a normal character
  }

  /** The number of the line that contains an offset. */
  lineAt(offset: number): number {
    return this.firstLine + this.#lineIndex(offset);
  }

  /** The offset at which a line starts. */
  lineStart(line: number): number {
    return this.#lineStarts()[line - this.firstLine] ?? this.text.length;
  }

  /** The place of an offset, with its line for the code frame. An offset outside of the text is clamped. */
  placeAt(offset: number): Place {
    const at = Math.max(0, Math.min(offset, this.text.length));
    const index = this.#lineIndex(at);
    const starts = this.#lineStarts();
    const start = starts[index]!;
    const end = (starts[index + 1] ?? this.text.length + 1) - 1;
    const line = this.text.slice(start, this.text[end - 1] === '\r' ? end - 1 : end);
    const column = at - start + 1;
    const shown = excerpt(line, column);
    const place: Place = { file: this.name, line: this.firstLine + index, column, text: shown.text };
    return shown.column === column ? place : { ...place, textColumn: shown.column };
  }

  #lineIndex(offset: number): number {
    return Math.max(0, lowerBound(this.#lineStarts(), offset + 1) - 1);
  }

  #lineStarts(): readonly number[] {
    if (this.#starts) return this.#starts;
    const starts = [0];
    for (let end = this.text.indexOf('\n'); end >= 0; end = this.text.indexOf('\n', end + 1)) starts.push(end + 1);
    return (this.#starts = starts);
  }
}

/**
 * Binary search in ascending numbers, like `lower_bound` in C++ and `bisect_left` in Python.
 *
 * @param from the first position to search
 * @param to   the position after the last one
 * @returns the position of the first number that is not less than the value, or `to` if all are less
 */
export function lowerBound(
  ascending: ArrayLike<number>,
  value: number,
  from = 0,
  to: number = ascending.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
