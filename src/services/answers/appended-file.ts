import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A line of a file, and its number from 1. */
interface NumberedLine {
  readonly text: string;
  readonly number: number;
}

/**
 * A file of lines that several processes append to. A line is written by one call, and starts on a line of its own even
 * if a process ended in the middle of an earlier one.
 */
export class AppendedFile {
  #file: number | undefined;
  #offset = 0;
  #lines = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(readonly path: string) {}

  async append(text: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    await appendFile(this.path, `\n${text}\n`, { mode: 0o600 }); // a file may contain data of persons
  }

  /** The complete lines that were not read yet. Reads from the start if the file was replaced. */
  readNew(): Promise<readonly NumberedLine[]> {
    const read = this.#last.then(() => this.#readNew());
    this.#last = read.catch(() => {});
    return read;
  }

  async #readNew(): Promise<readonly NumberedLine[]> {
    const file = await open(this.path, 'r').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return [];
    try {
      const { ino, size } = await file.stat();
      if (ino !== this.#file || size < this.#offset) [this.#file, this.#offset, this.#lines] = [ino, 0, 0];
      if (size === this.#offset) return [];
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - this.#offset), { position: this.#offset });
      const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1; // another process may be writing the rest
      this.#offset += end;
      const texts = buffer.toString('utf8', 0, end).split('\n').slice(0, -1);
      const before = this.#lines;
      this.#lines += texts.length;
      return texts.flatMap((text, k) => (text === '' ? [] : [{ text, number: before + k + 1 }]));
    } finally {
      await file.close();
    }
  }
}
