import type { Cursor, Path, Quote } from './types.js';

/** A map or list in brackets. */
interface Frame {
  readonly bracket: '{' | '[';
  key: string | undefined;
  index: number;
  /** Whether the value of the key is next. */
  inValue: boolean;
}

/** Reads a value in brackets or quotes. If the text ends inside it, `cursor` says where. */
export class FlowScanner {
  readonly cursor: Omit<Cursor, 'indent'> | undefined;
  /** The offset of the line after the value. */
  readonly next: number;
  readonly #frames: Frame[] = [];
  /** The start of the current key or value. */
  #start: number;
  #quote: Quote = '';
  /** The text in quotes that has just ended. */
  #last = '';
  #isClosed = false;
  #isComment = false;

  constructor(
    private readonly text: string,
    start: number,
    limit: number,
    private readonly base: Path,
  ) {
    this.#start = start;
    const end = this.#scan(start, limit);
    this.next = this.#after(end);
    this.cursor = end >= text.length && !this.#isClosed ? this.#cursor() : undefined;
  }

  #isQuoted(): boolean {
    return this.#quote !== '';
  }

  #after(end: number): number {
    if (this.text[end - 1] === '\n') return end;
    const line = this.text.indexOf('\n', end);
    return line < 0 ? this.text.length : line + 1;
  }

  /** Reads up to the end of the value. Returns the offset after it. */
  #scan(start: number, limit: number): number {
    const { text } = this;
    let at = start;
    while (at < limit) {
      const character = text[at] ?? '';
      if (this.#isQuoted()) {
        at = this.#inQuote(at, limit);
        if (this.#isClosed) return at;
        continue;
      }
      if (character === '#' && /\s/.test(text[at - 1] ?? ' ')) {
        const end = text.indexOf('\n', at);
        if (end < 0 || end >= limit) {
          this.#isComment = end < 0;
          return limit;
        }
        at = end;
        continue;
      }
      if (this.#token(character, at)) return at + 1;
      at += 1;
    }
    return limit;
  }

  /** Handles a character outside of quotes. Returns whether it ends the value. */
  #token(character: string, at: number): boolean {
    const top = this.#frames.at(-1);
    switch (character) {
      case '{':
      case '[':
        this.#frames.push({ bracket: character, key: undefined, index: 0, inValue: false });
        this.#start = at + 1;
        this.#last = '';
        return false;
      case '}':
      case ']':
        this.#frames.pop();
        this.#start = at + 1;
        this.#last = '';
        this.#isClosed = this.#frames.length === 0;
        return this.#isClosed;
      case ',':
        if (top) {
          top.index += 1;
          top.key = undefined;
          top.inValue = false;
        }
        this.#start = at + 1;
        this.#last = '';
        return false;
      case ':':
        if (top?.bracket === '{' && !top.inValue && /[\s,\]}]|^$/.test(this.text[at + 1] ?? '')) {
          top.key = this.#last === '' ? this.text.slice(this.#start, at).trim() : this.#last;
          top.inValue = true;
          this.#start = at + 1;
          this.#last = '';
        }
        return false;
      case '"':
      case "'":
        if (this.text.slice(this.#start, at).trim() === '') {
          this.#quote = character;
          this.#start = at + 1;
        }
        return false;
      default:
        return false;
    }
  }

  /** Reads a quoted text up to its end. Returns the offset after it. */
  #inQuote(from: number, limit: number): number {
    const { text } = this;
    for (let at = from; at < limit; at += 1) {
      if (this.#quote === '"' && text[at] === '\\') at += 1;
      else if (this.#quote === "'" && text[at] === "'" && text[at + 1] === "'" && at + 1 < limit) at += 1;
      else if (text[at] === this.#quote) {
        this.#last = text.slice(this.#start, at);
        this.#quote = '';
        this.#isClosed = this.#frames.length === 0;
        return at + 1;
      }
    }
    return limit;
  }

  /** What the end of the text is part of. */
  #cursor(): Omit<Cursor, 'indent'> | undefined {
    const { text } = this;
    const open = this.#frames.map(({ bracket }) => bracket).join('');
    const path = this.base.concat(
      this.#frames.flatMap(
        ({ bracket, key, index }): Path => (bracket === '[' ? [index] : key === undefined ? [] : [key]),
      ),
    );
    const top = this.#frames.at(-1);
    const isKey = top?.bracket === '{' && !top.inValue;
    const nothing = { keyOf: undefined, valueAt: undefined, start: text.length, text: '', quote: '' as const, open };
    // After a quoted text, only a comma or a colon can follow.
    if (this.#isComment || (this.#quote === '' && this.#last !== '')) return nothing;
    let start = this.#start;
    if (this.#quote === '') while (/\s/.test(text[start] ?? '')) start += 1;
    // A value starts after the space that follows the colon.
    if (top?.inValue && this.#quote === '' && text[start - 1] === ':') return nothing;
    return {
      keyOf: isKey ? path : undefined,
      valueAt: isKey ? undefined : path,
      start,
      text: text.slice(start),
      quote: this.#quote,
      open,
    };
  }
}
