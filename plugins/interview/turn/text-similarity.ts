import { cosineSimilarity, type Embedder } from '../../../src/sdk.js';

/** The similarity of two texts, −1 to 1. */
export type TextSimilarity = (a: string, b: string) => number;

/** Embeds texts in one call; the similarity of two of them is the cosine of their embeddings, 0 where one is blank. */
export async function embeddingSimilarity(
  embedder: Embedder,
  texts: readonly string[],
  abort: AbortSignal,
): Promise<TextSimilarity> {
  const distinct = [...new Set(texts)].filter((text) => text.trim() !== '');
  const embedded = distinct.length === 0 ? [] : await embedder.embed(distinct, abort);
  const vectors = new Map(distinct.map((text, i) => [text, embedded[i]]));
  return (a, b) => {
    const [x, y] = [vectors.get(a), vectors.get(b)];
    return x === undefined || y === undefined ? 0 : cosineSimilarity(x, y);
  };
}

/** The n-grams of a text: how often each occurs, and how many there are. */
interface NgramCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countNgrams(text: string, minLength: number, maxLength: number): NgramCounts {
  const characters = Array.from(text.toLowerCase());
  const counts = new Map<string, number>();
  let total = 0;
  for (let length = minLength; length <= maxLength; length++) {
    for (let start = 0; start + length <= characters.length; start++) {
      const gram = characters.slice(start, start + length).join('');
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
      total += 1;
    }
  }
  return { counts, total };
}

/** The inverse document frequencies `ln(1 + 2 / (1 + df))`, the two texts being the whole collection. */
const IDF_IN_ONE = Math.log(2);
const IDF_IN_BOTH = Math.log(5 / 3);

/**
 * The similarity of two texts as they are written, 0 to 1: the cosine of their TF-IDF weights over n-grams of
 * characters in lower case, spaces and punctuation included. 0 where a text is shorter than the shortest n-gram.
 */
export function ngramSimilarity(a: string, b: string, minLength = 2, maxLength = 3): number {
  const [x, y] = [countNgrams(a, minLength, maxLength), countNgrams(b, minLength, maxLength)];
  if (x.total === 0 || y.total === 0) return 0;
  const squared = (one: NgramCounts, other: NgramCounts): number => {
    let sum = 0;
    for (const [gram, count] of one.counts)
      sum += ((count / one.total) * (other.counts.has(gram) ? IDF_IN_BOTH : IDF_IN_ONE)) ** 2;
    return sum;
  };
  let shared = 0;
  for (const [gram, count] of x.counts)
    shared += (count / x.total) * ((y.counts.get(gram) ?? 0) / y.total) * IDF_IN_BOTH * IDF_IN_BOTH;
  return shared / Math.sqrt(squared(x, y) * squared(y, x));
}
