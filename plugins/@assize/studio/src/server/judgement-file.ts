import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { toError } from 'assize/internal';
import { mergeFile } from '../save/merge-file.js';
import { NotSavedError } from '../save/save-file.js';

/** More bytes than people can judge. A larger file is probably another one. */
const MOST_BYTES = 32 << 20;

/** A file of judgements, read again when it changes. `Content` is its parsed text. */
export class JudgementFile<Content> {
  #stamp = '';
  #version: string | undefined;
  #problem: string | undefined;
  #content: Content;

  /** @param parse throws NotSavedError with the place of the first invalid line */
  constructor(
    readonly path: string,
    private readonly parse: (text: string, file: string) => Content,
  ) {
    this.#content = parse('', this.name);
  }

  get name(): string {
    return basename(this.path);
  }

  /** The last content that could be read. */
  get content(): Content {
    return this.#content;
  }

  /** A digest of the text; undefined if the file does not exist. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Why the file cannot be read. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Reads the file if it has changed. */
  async look(): Promise<void> {
    const found = await stat(this.path, { bigint: true }).catch(() => undefined);
    const stamp = found ? [found.ino, found.size, found.mtimeNs, found.ctimeNs].join() : 'missing';
    if (stamp === this.#stamp) return;
    try {
      if (found && found.size > MOST_BYTES) {
        throw new NotSavedError(
          `${this.name} has ${found.size >> 20n} MB, and at most ${MOST_BYTES >> 20} MB are read: name another file`,
        );
      }
      this.#take(found ? await readFile(this.path, 'utf8') : '', found !== undefined);
    } catch (error) {
      this.#version = stamp; // pages are notified once
      const reason = toError(error).message;
      this.#problem = error instanceof NotSavedError ? reason : `${this.name} cannot be read: ${reason}`;
    }
    this.#stamp = stamp;
  }

  /**
   * Changes the file atomically. Concurrent changes of other programs are kept.
   *
   * @param change receives the current text; throws if nothing is to be written
   * @throws NotSavedError with the reason
   */
  async change(change: (text: string) => string): Promise<void> {
    await this.look();
    if (this.#problem !== undefined) throw new NotSavedError(this.#problem);
    this.#take(await mergeFile(this.path, change), true);
    this.#stamp = ''; // the next look reads what other programs may have written since
  }

  #take(text: string, exists: boolean): void {
    this.#content = this.parse(text, this.name);
    this.#version = exists ? createHash('sha256').update(text).digest('hex').slice(0, 16) : undefined;
    this.#problem = undefined;
  }
}
