import { createHash } from 'node:crypto';

/** Vectors of texts, by `keyOf`. */
export type TextVectors = ReadonlyMap<string, Float32Array>;

/** What a vector is kept by: its embedder, whose name says all that determines its numbers, and a digest of its text. */
export const keyOf = (embedder: string, text: string): string =>
  `${createHash('sha256').update(text).digest('hex').slice(0, 32)} ${embedder}`;

/** How a file of vectors begins. */
interface Header {
  readonly format: 'assize vectors';
  readonly version: 1;
  /** A digest of all that follows the header. */
  readonly digest: string;
  /** By embedder and number of dimensions, the digests of the texts, in the order of their vectors. */
  readonly sets: readonly {
    readonly embedder: string;
    readonly dimensions: number;
    readonly texts: readonly string[];
  }[];
}

const NEWLINE = 10;
const FLOAT_BYTES = 4;
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** Vectors as bytes: a line of JSON that says whose they are, and then their numbers, 32-bit floats, little-endian. */
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
 * The vectors that were encoded.
 *
 * @throws SyntaxError where the bytes are none, or were changed
 */
export function decodeVectors(bytes: Uint8Array): TextVectors {
  const end = bytes.indexOf(NEWLINE);
  const numbers = bytes.subarray(end + 1);
  const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(0, Math.max(0, end))));
  if (!isHeader(header) || digestOf(numbers) !== header.digest) throw new SyntaxError('they are not what was written');
  const vectors = new Map<string, Float32Array>();
  let at = 0;
  for (const { embedder, dimensions, texts } of header.sets) {
    for (const text of texts) {
      vectors.set(`${text} ${embedder}`, bytesToFloats(numbers.subarray(at, at + dimensions * FLOAT_BYTES)));
      at += dimensions * FLOAT_BYTES;
    }
  }
  if (at === numbers.length) return vectors;
  throw new SyntaxError('there are not as many as it says');
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
