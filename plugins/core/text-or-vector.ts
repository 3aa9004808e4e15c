import { describeValue, type Embeddings, type PathReader } from '../../src/sdk.js';
import { mapMaybePromise } from './maybe-promise.js';

/** What is wrong where a text or a vector is wanted, and not both; undefined where nothing is. */
export function textOrVectorProblem({
  text,
  vector,
}: {
  readonly text?: unknown;
  readonly vector?: unknown;
}): string | undefined {
  if (text === undefined && vector === undefined) return 'missing text or vector';
  return text !== undefined && vector !== undefined ? 'expected either text or vector, found both' : undefined;
}

/** A vector; undefined where what makes it is absent, an error where it is of a wrong kind. */
export type EmbeddingResult = ArrayLike<number> | undefined | Error;

/** The vectors of the texts that there are, asked for at once; what is no text stays as it is. */
export function embedTexts(
  texts: readonly (string | undefined | Error)[],
  embed: (texts: readonly string[]) => Embeddings | Promise<Embeddings>,
): readonly EmbeddingResult[] | Promise<readonly EmbeddingResult[]> {
  const present = texts.filter((text) => typeof text === 'string');
  return mapMaybePromise(present.length === 0 ? [] : embed(present), (vectors) => {
    let next = 0;
    return texts.map((text) => (typeof text === 'string' ? vectors[next++] : text));
  });
}

/** The texts of the paths, joined; undefined where all are absent. What is missing among others counts as empty. */
export function readJoinedText(readers: readonly PathReader[], candidate: unknown): string | undefined {
  let text: string | undefined;
  for (const [k, read] of readers.entries()) {
    const value = read(candidate);
    const piece = Array.isArray(value) ? joinList(read, value) : pieceText(read, value);
    // Those before it were all absent, and count as empty now.
    if (piece !== undefined) text = (text ?? ' '.repeat(Math.max(0, k - 1))) + (k > 0 ? ` ${piece}` : piece);
    else if (text !== undefined) text += ' ';
  }
  return text;
}

/** Whether `readJoinedText` gives a text, without making it. */
export function hasJoinedText(readers: readonly PathReader[], candidate: unknown): boolean {
  let present = false;
  for (const read of readers) {
    const value = read(candidate);
    // All of it is looked at: what is no text is an error wherever it stands.
    for (const item of Array.isArray(value) ? value : [value]) if (pieceText(read, item) !== undefined) present = true;
  }
  return present;
}

function joinList(read: PathReader, list: readonly unknown[]): string | undefined {
  let text = '';
  let present = false;
  for (let k = 0; k < list.length; k++) {
    const piece = pieceText(read, list[k]);
    if (k > 0) text += ' ';
    if (piece === undefined) continue;
    present = true;
    text += piece;
  }
  return present ? text : undefined;
}

function pieceText(read: PathReader, item: unknown): string | undefined {
  if (item === undefined || item === null) return undefined;
  if (typeof item === 'string') return item;
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  throw new TypeError(`${read.source}: expected a string, found ${describeValue(item)}`);
}

/** The vector that a path gives; undefined where it is absent. */
export function readVector(read: PathReader, candidate: unknown): ArrayLike<number> | undefined {
  const value = read(candidate);
  if (value === undefined || value instanceof Float32Array || value instanceof Float64Array) return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  throw new TypeError(`${read.source}: expected a list of numbers, found ${describeValue(value)}`);
}
