import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toAssizeError, toError } from '../../diagnostics/index.js';
import { decodeVectors, encodeVectors, type TextVectors } from './text-vectors.js';

const NO_VECTORS: TextVectors = new Map();

/** The vector files of an input: one for each shard, beside it, by the digest of its lines. */
export class VectorFolder {
  constructor(readonly path: string) {}

  /** The vectors of a shard; none where it has no file, or one that was changed: then they are made anew. */
  async read(digest: string): Promise<TextVectors> {
    return (await this.readKept(digest).catch(() => undefined)) ?? NO_VECTORS;
  }

  /**
   * The vectors of a shard; undefined where it has no file.
   *
   * @throws AssizeError where it cannot be read, or was changed (ASZ586)
   */
  async readKept(digest: string): Promise<TextVectors | undefined> {
    const file = this.#file(digest);
    try {
      return decodeVectors(await readFile(file));
    } catch (error) {
      if (toError(error) instanceof SyntaxError) throw brokenError(`the vectors in ${file}`, error);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw brokenError(file, error);
    }
  }

  /**
   * Writes the vectors of a shard, whole: nobody sees half of a file.
   *
   * @throws AssizeError where it cannot be written (ASZ586)
   */
  async write(digest: string, vectors: TextVectors): Promise<void> {
    const file = this.#file(digest);
    const draft = `${file}.${randomUUID()}.part`;
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(draft, encodeVectors(vectors));
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw brokenError(file, error);
    }
  }

  #file(digest: string): string {
    return join(this.path, `${digest}.vectors`);
  }
}

const brokenError = (what: string, error: unknown): Error =>
  toAssizeError(
    [
      {
        code: 'ASZ586',
        message: `${what} cannot be used: ${toError(error).message}`,
        hint: 'vectors are kept beside the input, where all machines of a job read and write them',
      },
    ],
    { cause: error },
  );
