import { JsonCursor } from './json-cursor.js';
import { JsonFailure, oddNumber, oddText, oddValue } from './json-failure.js';
import { stringEnd } from './json-string.js';
import { MAX_DEPTH } from './limits.js';
import { setOwn } from './own.js';
import { type ItemMarks, type Mark, setPlaces } from './places.js';
import type { SourceFile } from './source.js';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /(?:true|false|null)(?![\w$])/y;

/**
 * Reads JSON step by step: slower than `JSON.parse`, and knows where everything is. It says what is wrong with a text
 * that was refused, and records the places of one that is a document.
 */
export class JsonReader {
  /** Mistakes that reading goes on after: keys written twice. */
  readonly mistakes: JsonFailure[] = [];
  readonly #cursor: JsonCursor;
  /** Where the maps and lists start that are not closed yet. */
  readonly #opened: number[] = [];

  constructor(source: SourceFile, whole: 'file' | 'line' = 'file') {
    this.#cursor = new JsonCursor(source, whole);
  }

  /** The data. Throws a `JsonFailure` at the first thing that is not JSON. */
  read(): unknown {
    const data = this.#value(0);
    this.#cursor.skip();
    if (this.#cursor.at < this.#cursor.text.length) {
      const hint = this.#cursor.whole === 'file' ? 'one object a line is JSON Lines: name the file .jsonl' : undefined;
      throw new JsonFailure(
        this.#cursor.at,
        `found ${this.#cursor.found()} after the value, expected the end of the ${this.#cursor.whole}`,
        hint,
      );
    }
    return data;
  }

  #value(depth: number): unknown {
    this.#cursor.skip();
    const first = this.#cursor.here();
    if (first === '{') return this.#map(depth + 1);
    if (first === '[') return this.#list(depth + 1);
    if (first === '"') return this.#string();
    const start = this.#cursor.at;
    const word = this.#cursor.match(WORD);
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    const number = this.#cursor.match(NUMBER);
    if (first === undefined && this.#opened.length > 0) throw this.#cut('a value');
    if (number === undefined) throw oddValue(this.#cursor.text, start, this.#cursor.found());
    if (/[\w.$]/.test(this.#cursor.here() ?? '')) throw oddNumber(this.#cursor.text, start);
    return Number(number);
  }

  #map(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const items = new Map<string, ItemMarks>();
    const self = this.#open(depth);
    while (!this.#closed('}', items.size > 0 && 'key')) {
      if (this.#cursor.here() !== '"') throw oddText(this.#cursor.text, this.#cursor.at, this.#cursor.found());
      const key = this.#cursor.mark();
      const name = this.#string();
      const first = items.get(name);
      if (first) this.#twice(name, key.offset, first.key);
      this.#cursor.skip();
      if (this.#cursor.here() !== ':') throw this.#cursor.unexpected(': after the key');
      this.#cursor.skip(1);
      items.set(name, { key, value: this.#cursor.mark() });
      setOwn(map, name, this.#value(depth));
    }
    setPlaces(map, { self, items });
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
    setPlaces(list, { self, items });
    return list;
  }

  #open(depth: number): Mark {
    const mark = this.#cursor.mark();
    if (depth > MAX_DEPTH) throw new JsonFailure(this.#cursor.at, `the data is nested more than ${MAX_DEPTH} deep`);
    this.#cursor.at += 1;
    this.#opened.push(mark.offset);
    return mark;
  }

  /** Steps over what separates two items, or over the end of them all. */
  #closed(end: ']' | '}', next: 'key' | 'value' | false): boolean {
    this.#cursor.skip();
    const found = this.#cursor.here();
    if (found === end) {
      this.#opened.pop();
      this.#cursor.at += 1;
      return true;
    }
    if (next === false) {
      if (found === undefined) throw this.#cut(`${end} or a ${end === '}' ? 'key' : 'value'}`);
      return false;
    }
    if (found === undefined) throw this.#cut(`a comma or ${end}`);
    if (found !== ',') throw this.#cursor.unexpected(`a comma or ${end}`);
    const comma = this.#cursor.at;
    this.#cursor.skip(1);
    if (this.#cursor.here() === end) throw new JsonFailure(comma, `found a comma before ${end}`, 'remove the comma');
    if (this.#cursor.here() === undefined) throw this.#cut(`a ${next}`);
    return false;
  }

  #cut(expected: string): JsonFailure {
    const open = this.#opened.at(-1) ?? 0;
    const { line, column } = this.#cursor.source.place(open);
    const hint = `the ${this.#cursor.text[open]} at line ${line}, column ${column} is never closed`;
    return new JsonFailure(
      this.#cursor.text.length,
      `found the end of the ${this.#cursor.whole}, expected ${expected}`,
      hint,
    );
  }

  #string(): string {
    const start = this.#cursor.at;
    this.#cursor.at = stringEnd(this.#cursor.text, start);
    const string: unknown = JSON.parse(this.#cursor.text.slice(start, this.#cursor.at));
    return String(string);
  }

  #twice(name: string, offset: number, first: Mark): void {
    const { file, line, column } = this.#cursor.source.place(first.offset);
    const hint = `it is first at ${file}:${line}:${column}`;
    this.mistakes.push(new JsonFailure(offset, `the key ${name} is written twice in one object`, hint));
  }
}
