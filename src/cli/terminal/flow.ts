import type { Output } from './io.js';

/** So much is written at once: a write a line would cost more than the line. */
const PART = 65_536;

/** Writes many short texts, no faster than they are read, and each as soon as nothing else is to be done. */
export class Flow {
  #text = '';
  #planned: NodeJS.Immediate | undefined;

  constructor(private readonly out: Output) {}

  /** Adds a text. Wait for the promise, where there is one: the reader is behind. */
  add(text: string): Promise<void> | undefined {
    this.#text += text;
    if (this.#text.length >= PART) return this.end();
    this.#planned ??= setImmediate(() => this.#write());
    return undefined;
  }

  /** Writes what is left. */
  end(): Promise<void> {
    this.#write();
    return this.out.ready();
  }

  #write(): void {
    clearImmediate(this.#planned);
    this.#planned = undefined;
    if (this.#text !== '') this.out.write(this.#text);
    this.#text = '';
  }
}
