import { excerpt } from './code-frame.js';
import { lowerBound } from './lower-bound.js';
import type { Place } from './problem.js';

/** The text of a file, with the line and column of every offset. Line ends may be LF or CRLF. */
export class SourceFile {
  /** The text without a byte order mark. Offsets count its UTF-16 units from 0. */
  readonly text: string;
  #starts: readonly number[] | undefined;

  /**
   * @param name      its name in problems: the path as it was given, or `stdin`
   * @param text      the whole text
   * @param firstLine the number of its first line, for a text that is part of a longer one
   */
  constructor(
    readonly name: string,
    text: string,
    readonly firstLine = 1,
  ) {
    this.text = firstLine === 1 && text.startsWith('\ufeff') ? text.slice(1) : text; // in a later part it is a character
  }

  /** The number of the line that an offset is in. */
  lineAt(offset: number): number {
    return this.firstLine + this.#lineIndex(offset);
  }

  /** The offset at which a line starts. */
  lineStart(line: number): number {
    return this.#lineStarts()[line - this.firstLine] ?? this.text.length;
  }

  /** The place of an offset, with its line for the code frame. An offset outside is the nearest one inside. */
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
