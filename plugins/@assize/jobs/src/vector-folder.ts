import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toAssizeError } from 'assize';
import { toError } from 'assize/internal';
import { digestOf } from './job.js';

const NO_VECTORS: TextVectors = new Map();

/** A folder of vector files: one per shard of an input, named by the digest of its lines. */
export class VectorFolder {
  constructor(readonly path: string) {}

  /** The vectors of a shard. Empty if its file is missing or damaged; the texts are then embedded again. */
  async read(digest: string): Promise<TextVectors> {
    return (await this.readKept(digest).catch(() => undefined)) ?? NO_VECTORS;
  }

  /**
   * The vectors of a shard; undefined if it has no file.
   *
   * @throws AssizeError if the file cannot be read, or was changed (ASZ586)
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
   * Writes the vectors of a shard atomically: a reader never sees a partial file.
   *
   * @throws AssizeError if the file cannot be written (ASZ586)
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
        hint: 'vectors are stored next to the input, where all machines of a job must be able to read and write',
      },
    ],
    { cause: error },
  );

/** Vectors of texts, by `keyOf`. */
export type TextVectors = ReadonlyMap<string, Float32Array>;

/** The key of a vector: a digest of its text, and the name of its embedder, which identifies the model and its settings. */
export const keyOf = (embedder: string, text: string): string =>
  `${createHash('sha256').update(text).digest('hex').slice(0, 32)} ${embedder}`;

/** The first line of a file of vectors. */
interface Header {
  readonly format: 'assize vectors';
  readonly version: 1;
  /** A digest of the bytes after the header. */
  readonly digest: string;
  /** The digests of the texts by embedder and number of dimensions, in the order of their vectors. */
  readonly sets: readonly {
    readonly embedder: string;
    readonly dimensions: number;
    readonly texts: readonly string[];
  }[];
}

const NEWLINE = 10;
const FLOAT_BYTES = 4;

/** Encodes vectors: a line of JSON that describes them, then their numbers as 32-bit little-endian floats. */
export function encodeVectors(vectors: TextVectors): Uint8Array {
  const sets = new Map<string, { embedder: string; dimensions: number; texts: string[]; vectors: Float32Array[] }>();
  for (const [key, vector] of vectors) {
    const [text, embedder] = [key.slice(0, 32), key.slice(33)];
    const name = `${vector.length} ${embedder}`;
    const set = sets.get(name) ?? { embedder, dimensions: vector.length, texts: [], vectors: [] };
    set.texts.push(text);
    set.vectors.push(vector);
    sets.set(name, set);
  }
  const all = [...sets.values()];
  const numbers = Buffer.concat(all.flatMap((set) => set.vectors.map(floatsToBytes)));
  const header: Header = {
    format: 'assize vectors',
    version: 1,
    digest: digestOf(numbers),
    sets: all.map(({ embedder, dimensions, texts }) => ({ embedder, dimensions, texts })),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), numbers]);
}

/**
 * Decodes vectors.
 *
 * @throws SyntaxError if the bytes are not vectors, or were changed
 */
export function decodeVectors(bytes: Uint8Array): TextVectors {
  const end = bytes.indexOf(NEWLINE);
  const numbers = bytes.subarray(end + 1);
  const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(0, Math.max(0, end))));
  if (!isHeader(header) || digestOf(numbers) !== header.digest)
    throw new SyntaxError('they were changed since they were written');
  const vectors = new Map<string, Float32Array>();
  let at = 0;
  for (const { embedder, dimensions, texts } of header.sets) {
    for (const text of texts) {
      vectors.set(`${text} ${embedder}`, bytesToFloats(numbers.subarray(at, at + dimensions * FLOAT_BYTES)));
      at += dimensions * FLOAT_BYTES;
    }
  }
  if (at === numbers.length) return vectors;
  throw new SyntaxError('their number does not match the header');
}

const isHeader = (value: unknown): value is Header =>
  typeof value === 'object' &&
  value !== null &&
  Reflect.get(value, 'format') === 'assize vectors' &&
  Reflect.get(value, 'version') === 1 &&
  isListOf(Reflect.get(value, 'sets'), isSet);

const isSet = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'embedder') === 'string' &&
  Number.isSafeInteger(Reflect.get(value, 'dimensions')) &&
  isListOf(Reflect.get(value, 'texts'), (text) => typeof text === 'string');

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);

function floatsToBytes(vector: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(vector.length * FLOAT_BYTES));
  for (let k = 0; k < vector.length; k++) view.setFloat32(k * FLOAT_BYTES, vector[k]!, true);
  return new Uint8Array(view.buffer);
}

function bytesToFloats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, k) => view.getFloat32(k * FLOAT_BYTES, true));
}
