import type { Embedder } from '../../../src/sdk.js';
import { ngramSimilarity } from './ngram-similarity.js';

/** How alike two of the texts are that it was made for, −1 to 1. */
export type TextSimilarity = (a: string, b: string) => number;

/** By the characters that they are written with. */
export const characterSimilarity =
  (least: number, most: number): TextSimilarity =>
  (a, b) =>
    ngramSimilarity(a, b, least, most);

/** By what they mean: the cosine of their embeddings, all of them made at once. */
export async function embeddingSimilarity(
  embedder: Embedder,
  texts: readonly string[],
  abort: AbortSignal,
): Promise<TextSimilarity> {
  const distinct = [...new Set(texts)].filter((text) => text.trim() !== '');
  const made = distinct.length === 0 ? [] : await embedder.embed(distinct, abort);
  const vectors = new Map(distinct.map((text, i) => [text, made[i]]));
  return (a, b) => {
    const [x, y] = [vectors.get(a), vectors.get(b)];
    return x === undefined || y === undefined ? 0 : cosine(x, y);
  };
}

function cosine(x: Float32Array, y: Float32Array): number {
  let [dot, xx, yy] = [0, 0, 0];
  for (const [i, value] of x.entries()) {
    const other = y[i] ?? 0;
    dot += value * other;
    xx += value * value;
    yy += other * other;
  }
  return xx === 0 || yy === 0 ? 0 : dot / Math.sqrt(xx * yy);
}
