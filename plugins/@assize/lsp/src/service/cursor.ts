import { FlowScanner } from './flow.js';
import type { Cursor, Path } from './types.js';

/** A map or list in block style. Its items start at one column. */
interface Frame {
  readonly column: number;
  readonly isList: boolean;
  /** The last key of a map. */
  key: string | undefined;
  /** The last position of a list. */
  index: number;
}

/** A key at the start of a text, plain or in quotes, up to its colon. */
const KEY = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|(?![-?][ \t])[^\s"'#&*!|>%@`[\]{},][^\n]*?):(?=[ \t\r\n]|$)/y;
const DASH = /-(?=[ \t\r\n]|$)[ \t]*/y;
const PROPERTY = /[&!][^\s]*[ \t]*/y;
const BLOCK_HEADER = /^[|>][-+\d]*[ \t]*(?:#.*)?$/;

/** The text of a key without its quotes. */
function unquoted(written: string): string {
  const key = written.trim();
  if (key.startsWith("'")) return key.slice(1, -1).replaceAll("''", "'");
  return key.startsWith('"') ? key.slice(1, -1).replaceAll(/\\(.)/g, '$1') : key;
}

/**
 * Finds what an offset of a YAML text is part of. It reads only indentation, keys, brackets and quotes, and recovers at
 * each line that is indented less than an open bracket or quote. So a mistake elsewhere does not matter.
 */
export function cursorAt(text: string, offset: number): Cursor {
  return new Scanner(text.slice(0, offset)).scan();
}

/** What the end of a text is part of. */
class Scanner {
  readonly #frames: Frame[] = [];
  #at = 0;

  constructor(private readonly text: string) {}

  scan(): Cursor {
    const { text } = this;
    for (;;) {
      const end = lineEnd(text, this.#at);
      const cursor = this.#line(this.#at, end);
      if (cursor) return cursor;
      if (this.#at >= text.length)
        return text.endsWith('\n') ? this.#atLineStart(0, text.length) : this.#nothing(text.length);
    }
  }

  /** Reads one line, or several if a value continues. Returns the cursor if the text ends in it. */
  #line(start: number, end: number): Cursor | undefined {
    const { text } = this;
    const isLast = end === text.length;
    this.#at = end + 1;
    const first = skipBlank(text, start);
    if (first >= end) return isLast ? this.#atLineStart(end - start, end) : undefined;
    if (text[first] === '#') return isLast ? this.#nothing(end) : undefined;
    if (first === start && /^(?:---|\.\.\.|%)/.test(text.slice(start, start + 3))) {
      this.#frames.length = 0;
      return isLast ? this.#nothing(end) : undefined;
    }
    return this.#items(start, first, end);
  }

  /** Reads the dashes and the key at the start of a line, then the value. */
  #items(start: number, first: number, end: number): Cursor | undefined {
    const { text } = this;
    let at = first;
    for (;;) {
      DASH.lastIndex = at;
      const dash = DASH.exec(text.slice(0, end))?.[0];
      if (dash === undefined) break;
      this.#item(at - start);
      at += dash.length;
      if (at < end) continue;
      if (end < text.length) return undefined;
      return dash.length > 1 ? this.#newItem(at, at - start) : this.#nothing(end);
    }
    const column = at - start;
    KEY.lastIndex = at;
    const key = KEY.exec(text.slice(0, end));
    if (!key) return this.#value(at, end, at > first ? column : undefined, column);
    this.#key(column, unquoted(key[1] ?? ''));
    at = skipBlank(text, KEY.lastIndex);
    // The value starts after the space that follows the colon.
    if (at >= end && end === text.length) {
      return at > KEY.lastIndex ? this.#pending(at, '') : this.#nothing(end);
    }
    return this.#value(at, end, undefined, column);
  }

  /** Opens a list, or its next item. */
  #item(column: number): void {
    this.#close(column);
    const top = this.#frames.at(-1);
    if (top?.isList && top.column === column) top.index += 1;
    else this.#frames.push({ column, isList: true, key: undefined, index: 0 });
  }

  /** Opens a map, or its next key. */
  #key(column: number, key: string): void {
    this.#close(column);
    while (this.#frames.at(-1)?.isList && this.#frames.at(-1)?.column === column) this.#frames.pop();
    const top = this.#frames.at(-1);
    if (top && !top.isList && top.column === column) top.key = key;
    else this.#frames.push({ column, isList: false, key, index: 0 });
  }

  /** Closes what is indented more. */
  #close(column: number): void {
    while ((this.#frames.at(-1)?.column ?? -1) > column) this.#frames.pop();
  }

  /** Reads a value. `keyColumn` is the column of a new map, if the value may be its first key. */
  #value(start: number, end: number, keyColumn: number | undefined, column: number): Cursor | undefined {
    const { text } = this;
    let at = start;
    for (PROPERTY.lastIndex = at; PROPERTY.test(text.slice(0, end)); PROPERTY.lastIndex = at) at = PROPERTY.lastIndex;
    const parent = this.#frames.at(-1)?.column ?? -1;
    const character = text[at] ?? '';
    if (character === '#') return end === text.length ? this.#nothing(end) : undefined;
    if (BLOCK_HEADER.test(text.slice(at, end))) return this.#block(end, parent);
    if (character !== '' && '{["\''.includes(character)) {
      const limit = continuationEnd(text, end, parent);
      const flow = new FlowScanner(text, at, limit, this.#path());
      this.#at = Math.max(this.#at, flow.next);
      if (!flow.cursor) return undefined;
      const isKey = keyColumn !== undefined && !flow.cursor.open && character !== '{' && character !== '[';
      return { ...flow.cursor, indent: parent, keyOf: flow.cursor.keyOf ?? (isKey ? this.#path() : undefined) };
    }
    if (end < text.length) {
      // A plain text may continue in lines that are indented more. A line with a key or a dash starts something new.
      return undefined;
    }
    const comment = / #/.test(text.slice(at, end));
    if (comment) return this.#nothing(end);
    return this.#plain(at, end, keyColumn, column);
  }

  /** The cursor in a plain text: a value, or the start of a key. */
  #plain(start: number, end: number, keyColumn: number | undefined, column: number): Cursor {
    const text = this.text.slice(start, end);
    const common = { start, text, quote: '' as const, open: '', indent: column };
    const lineStart = this.text.lastIndexOf('\n', start - 1) + 1;
    const isAlone = skipBlank(this.text, lineStart) === start;
    if (keyColumn !== undefined) return { ...common, keyOf: this.#path(), valueAt: this.#path() };
    if (!isAlone) return { ...common, keyOf: undefined, valueAt: this.#path() };
    return { ...common, ...this.#whereAlone(column) };
  }

  /** What a new line at a column may be: a key of a map that is open, or the first key or the value of a nested one. */
  #whereAlone(column: number): Pick<Cursor, 'keyOf' | 'valueAt'> {
    this.#close(column);
    const list = this.#frames.at(-1);
    if (list?.isList && list.column === column) this.#frames.pop();
    const top = this.#frames.at(-1);
    if (top === undefined) return { keyOf: [], valueAt: undefined };
    if (!top.isList && top.column === column) return { keyOf: this.#path().slice(0, -1), valueAt: undefined };
    const path = this.#path();
    return { keyOf: path, valueAt: path };
  }

  #atLineStart(column: number, end: number): Cursor {
    return { start: end, text: '', quote: '', open: '', indent: column, ...this.#whereAlone(column) };
  }

  /** After a dash: the first key of a map, or a value. */
  #newItem(start: number, indent: number): Cursor {
    return { start, text: '', quote: '', open: '', indent, keyOf: this.#path(), valueAt: this.#path() };
  }

  /** After a key and its colon. */
  #pending(at: number, text: string): Cursor {
    const indent = this.#frames.at(-1)?.column ?? 0;
    return { start: at, text, quote: '', open: '', indent, keyOf: undefined, valueAt: this.#path() };
  }

  #nothing(at: number): Cursor {
    return { start: at, text: '', quote: '', open: '', indent: 0, keyOf: undefined, valueAt: undefined };
  }

  /** A text after `|` or `>`, up to a line that is not indented more than its key. */
  #block(headerEnd: number, parent: number): Cursor | undefined {
    const { text } = this;
    const end = continuationEnd(text, headerEnd, parent);
    this.#at = Math.max(this.#at, end);
    if (headerEnd >= text.length) return this.#nothing(end);
    if (end < text.length) return undefined;
    const start = Math.min(skipBlank(text, headerEnd + 1), text.length);
    return {
      start,
      text: text.slice(start),
      quote: '|',
      open: '',
      indent: parent,
      keyOf: undefined,
      valueAt: this.#path(),
    };
  }

  /** The path of the value that is read now. */
  #path(): Path {
    return this.#frames.flatMap(({ isList, index, key }): Path => (isList ? [index] : key === undefined ? [] : [key]));
  }
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

function skipBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at += 1;
  return at;
}

/** The end of the lines after `from` that are blank or indented more than a column, or close a bracket. */
function continuationEnd(text: string, from: number, column: number): number {
  let end = from;
  while (end < text.length) {
    const start = end + 1;
    const first = skipBlank(text, start);
    const next = lineEnd(text, start);
    const isBlank = first >= next;
    const isInside = first - start > column || (!isBlank && /[\]}]/.test(text[first] ?? ''));
    if (isBlank ? next === text.length && first - start <= column : !isInside) return start;
    end = next;
  }
  return text.length;
}
