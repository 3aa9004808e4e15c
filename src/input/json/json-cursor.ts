import type { Mark } from '../../diagnostics/places.js';
import type { SourceFile } from '../../diagnostics/source-file.js';
import { skipWhitespace } from './scan-json.js';
import { describeToken, JsonSyntaxError } from './syntax-error.js';

/** A position in a JSON text, and the small steps that reading it is made of. */
export class JsonCursor {
  readonly text: string;
  offset = 0;

  /** @param textName what the text is called where it ends too early */
  constructor(
    readonly source: SourceFile,
    readonly textName: 'file' | 'line',
  ) {
    this.text = source.text;
  }

  /** The character here; `undefined` at the end. */
  peek(): string | undefined {
    return this.text[this.offset];
  }

  /** Steps over so many characters and the white space after them. */
  skip(count = 0): void {
    this.offset = skipWhitespace(this.text, this.offset + count);
  }

  /** Steps over what a sticky pattern finds here, and gives it. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    this.offset += found?.length ?? 0;
    return found;
  }

  mark(): Mark {
    return { source: this.source, offset: this.offset };
  }

  /** What stands here, in words. */
  describeNext(): string {
    return describeToken(this.text, this.offset, this.textName);
  }

  unexpected(expected: string): JsonSyntaxError {
    return new JsonSyntaxError(this.offset, `found ${this.describeNext()}, expected ${expected}`);
  }
}
