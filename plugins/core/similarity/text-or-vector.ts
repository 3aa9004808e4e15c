import { type Context, type Embeddings, type PathReader, typeMismatch } from '../../../src/sdk.js';
import { mapMaybePromise } from './maybe-promise.js';

/** The problem of params that must have a text or a vector, and not both; undefined where they do. */
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

/** A vector; undefined where its source is absent, an error where that is malformed. */
export type EmbeddingResult = ArrayLike<number> | undefined | Error;

/** Embeds the texts among some results in one call; absent and malformed ones stay as they are. */
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

/** Joins the texts of the paths by spaces; undefined where all are absent. One absent among others counts as empty. */
export function readJoinedText(readers: readonly PathReader[], candidate: unknown): string | undefined {
  let text: string | undefined;
  for (const [k, read] of readers.entries()) {
    const value = read(candidate);
    const piece = Array.isArray(value) ? joinList(read, value) : pieceText(read, value);
    // Absent ones before the first piece count as empty texts as soon as there is a piece.
    if (piece !== undefined) text = (text ?? ' '.repeat(Math.max(0, k - 1))) + (k > 0 ? ` ${piece}` : piece);
    else if (text !== undefined) text += ' ';
  }
  return text;
}

/** Whether `readJoinedText` would give a text, without building it. */
export function hasJoinedText(readers: readonly PathReader[], candidate: unknown): boolean {
  let pieces = 0;
  for (const read of readers) {
    const value = read(candidate);
    // No early return: a value of a wrong type is an error wherever it stands.
    if (!Array.isArray(value)) pieces += pieceText(read, value) === undefined ? 0 : 1;
    else for (const item of value) pieces += pieceText(read, item) === undefined ? 0 : 1;
  }
  return pieces > 0;
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
  throw typeMismatch(read.source, 'a string', item);
}

/** Reads the vector at a path; undefined where it is absent. */
export function readVector(read: PathReader, candidate: unknown): ArrayLike<number> | undefined {
  const value = read(candidate);
  if (value === undefined || value instanceof Float32Array || value instanceof Float64Array) return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  throw typeMismatch(read.source, 'a list of numbers', value);
}

/** Reads the text of a query in the context; undefined where it is absent. */
export function readQueryText(query: PathReader, context: Context): string | undefined {
  const text = query(context);
  if (text === undefined || typeof text === 'string') return text;
  throw typeMismatch(`the context's ${query.source}`, 'a string', text);
}
