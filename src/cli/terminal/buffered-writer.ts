import type { Output } from './io.js';

/** So much is written at once: a write a line would cost more than the line. */
const BUFFER_LENGTH = 65_536;

/** Writes many short texts, no faster than they are read, and each as soon as nothing else is to be done. */
export class BufferedWriter {
  #text = '';
  #planned: NodeJS.Immediate | undefined;

  constructor(private readonly out: Output) {}

  /** Adds a text. Wait for the promise, where there is one: the reader is behind. */
  add(text: string): Promise<void> | undefined {
    this.#text += text;
    if (this.#text.length >= BUFFER_LENGTH) return this.flush();
    this.#planned ??= setImmediate(() => this.#write());
    return undefined;
  }

  /** Writes what is left. */
  flush(): Promise<void> {
    this.#write();
    return this.out.drained();
  }

  #write(): void {
    clearImmediate(this.#planned);
    this.#planned = undefined;
    if (this.#text !== '') this.out.write(this.#text);
    this.#text = '';
  }
}
