import { JsonFailure, shown } from './json-failure.js';
import { afterSpace } from './json-scan.js';
import type { Mark } from './places.js';
import type { SourceFile } from './source.js';

/** A position in a JSON text, and the small steps that reading it is made of. */
export class JsonCursor {
  readonly text: string;
  at = 0;

  /** @param whole what the text is called where it ends too early */
  constructor(
    readonly source: SourceFile,
    readonly whole: 'file' | 'line',
  ) {
    this.text = source.text;
  }

  /** The character here; `undefined` at the end. */
  here(): string | undefined {
    return this.text[this.at];
  }

  /** Steps over so many characters and the white space after them. */
  skip(count = 0): void {
    this.at = afterSpace(this.text, this.at + count);
  }

  /** Steps over what a sticky pattern finds here, and gives it. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  mark(): Mark {
    return { source: this.source, offset: this.at };
  }

  /** What stands here, in words. */
  found(): string {
    return shown(this.text, this.at, this.whole);
  }

  unexpected(expected: string): JsonFailure {
    return new JsonFailure(this.at, `found ${this.found()}, expected ${expected}`);
  }
}
