import type { Output } from './io.js';

/** How many characters are written in one call: a call a line costs more than the line itself. */
const BUFFER_LENGTH = 65_536;

/** Joins short texts into large writes, with back-pressure; what is buffered is written in the next turn of the event loop. */
export class BufferedWriter {
  #text = '';
  #scheduled: NodeJS.Immediate | undefined;

  constructor(private readonly out: Output) {}

  /** Adds a text. A promise is to be awaited: the buffer is full, or its reader is behind. */
  add(text: string): Promise<void> | undefined {
    this.#text += text;
    if (this.#text.length >= BUFFER_LENGTH) return this.flush();
    this.#scheduled ??= setImmediate(() => this.#write());
    return undefined;
  }

  /** Writes what is buffered. */
  flush(): Promise<void> {
    this.#write();
    return this.out.drained();
  }

  #write(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#text !== '') this.out.write(this.#text);
    this.#text = '';
  }
}
