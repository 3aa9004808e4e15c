import { type ItemMarks, type Mark, recordPlaces } from '../../diagnostics/places.js';
import type { SourceFile } from '../../diagnostics/source-file.js';
import { setOwn } from '../../expression/set-own.js';
import { MAX_DEPTH } from '../limits.js';
import { JsonCursor } from './json-cursor.js';
import { stringEnd } from './string-end.js';
import { invalidKey, invalidNumber, invalidValue, JsonSyntaxError } from './syntax-error.js';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /(?:true|false|null)(?![\w$])/y;

/**
 * Reads JSON step by step: slower than `JSON.parse`, and knows where everything is. It says what is wrong with a text
 * that was refused, and records the places of one that is a document.
 */
export class JsonParser {
  /** Mistakes that reading goes on after: keys written twice. */
  readonly duplicateKeys: JsonSyntaxError[] = [];
  readonly #cursor: JsonCursor;
  /** Where the maps and lists start that are not closed yet. */
  readonly #opened: number[] = [];

  constructor(source: SourceFile, whole: 'file' | 'line' = 'file') {
    this.#cursor = new JsonCursor(source, whole);
  }

  /** The data. Throws a `JsonSyntaxError` at the first thing that is not JSON. */
  parse(): unknown {
    const data = this.#value(0);
    this.#cursor.skip();
    if (this.#cursor.offset < this.#cursor.text.length) {
      const hint =
        this.#cursor.textName === 'file' ? 'one object a line is JSON Lines: name the file .jsonl' : undefined;
      throw new JsonSyntaxError(
        this.#cursor.offset,
        `found ${this.#cursor.describeNext()} after the value, expected the end of the ${this.#cursor.textName}`,
        hint,
      );
    }
    return data;
  }

  #value(depth: number): unknown {
    this.#cursor.skip();
    const first = this.#cursor.peek();
    if (first === '{') return this.#map(depth + 1);
    if (first === '[') return this.#list(depth + 1);
    if (first === '"') return this.#string();
    const start = this.#cursor.offset;
    const word = this.#cursor.match(WORD);
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    const number = this.#cursor.match(NUMBER);
    if (first === undefined && this.#opened.length > 0) throw this.#cut('a value');
    if (number === undefined) throw invalidValue(this.#cursor.text, start, this.#cursor.describeNext());
    if (/[\w.$]/.test(this.#cursor.peek() ?? '')) throw invalidNumber(this.#cursor.text, start);
    return Number(number);
  }

  #map(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const items = new Map<string, ItemMarks>();
    const self = this.#open(depth);
    while (!this.#closed('}', items.size > 0 && 'key')) {
      if (this.#cursor.peek() !== '"')
        throw invalidKey(this.#cursor.text, this.#cursor.offset, this.#cursor.describeNext());
      const key = this.#cursor.mark();
      const name = this.#string();
      const first = items.get(name);
      if (first) this.#twice(name, key.offset, first.key);
      this.#cursor.skip();
      if (this.#cursor.peek() !== ':') throw this.#cursor.unexpected(': after the key');
      this.#cursor.skip(1);
      items.set(name, { key, value: this.#cursor.mark() });
      setOwn(map, name, this.#value(depth));
    }
    recordPlaces(map, { self, items });
    return map;
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    const items = new Map<string, ItemMarks>();
    const self = this.#open(depth);
    while (!this.#closed(']', list.length > 0 && 'value')) {
      const at = this.#cursor.mark();
      items.set(String(list.length), { key: at, value: at });
      list.push(this.#value(depth));
    }
    recordPlaces(list, { self, items });
    return list;
  }

  #open(depth: number): Mark {
    const mark = this.#cursor.mark();
    if (depth > MAX_DEPTH)
      throw new JsonSyntaxError(this.#cursor.offset, `the data is nested more than ${MAX_DEPTH} deep`);
    this.#cursor.offset += 1;
    this.#opened.push(mark.offset);
    return mark;
  }

  /** Steps over what separates two items, or over the end of them all. */
  #closed(end: ']' | '}', next: 'key' | 'value' | false): boolean {
    this.#cursor.skip();
    const found = this.#cursor.peek();
    if (found === end) {
      this.#opened.pop();
      this.#cursor.offset += 1;
      return true;
    }
    if (next === false) {
      if (found === undefined) throw this.#cut(`${end} or a ${end === '}' ? 'key' : 'value'}`);
      return false;
    }
    if (found === undefined) throw this.#cut(`a comma or ${end}`);
    if (found !== ',') throw this.#cursor.unexpected(`a comma or ${end}`);
    const comma = this.#cursor.offset;
    this.#cursor.skip(1);
    if (this.#cursor.peek() === end)
      throw new JsonSyntaxError(comma, `found a comma before ${end}`, 'remove the comma');
    if (this.#cursor.peek() === undefined) throw this.#cut(`a ${next}`);
    return false;
  }

  #cut(expected: string): JsonSyntaxError {
    const open = this.#opened.at(-1) ?? 0;
    const { line, column } = this.#cursor.source.placeAt(open);
    const hint = `the ${this.#cursor.text[open]} at line ${line}, column ${column} is never closed`;
    return new JsonSyntaxError(
      this.#cursor.text.length,
      `found the end of the ${this.#cursor.textName}, expected ${expected}`,
      hint,
    );
  }

  #string(): string {
    const start = this.#cursor.offset;
    this.#cursor.offset = stringEnd(this.#cursor.text, start);
    const string: unknown = JSON.parse(this.#cursor.text.slice(start, this.#cursor.offset));
    return String(string);
  }

  #twice(name: string, offset: number, first: Mark): void {
    const { file, line, column } = this.#cursor.source.placeAt(first.offset);
    const hint = `it is first at ${file}:${line}:${column}`;
    this.duplicateKeys.push(new JsonSyntaxError(offset, `the key ${name} is written twice in one object`, hint));
  }
}
