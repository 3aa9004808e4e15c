/** How often each run of characters occurs, and how many runs there are. */
interface NgramCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countNgrams(text: string, least: number, most: number): NgramCounts {
  const characters = Array.from(text.toLowerCase());
  const counts = new Map<string, number>();
  let total = 0;
  for (let size = least; size <= most; size++) {
    for (let start = 0; start + size <= characters.length; start++) {
      const gram = characters.slice(start, start + size).join('');
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
      total += 1;
    }
  }
  return { counts, total };
}

/** ln(1 + 2 / (1 + df)): the two texts are the whole collection. */
const IDF_IN_ONE = Math.log(2);
const IDF_IN_BOTH = Math.log(5 / 3);

/**
 * How alike two texts are written, 0 to 1: the cosine of their TF-IDF weights over runs of characters, spaces and
 * punctuation included, in lower case. A text shorter than the shortest run is like nothing.
 */
export function ngramSimilarity(a: string, b: string, least = 2, most = 3): number {
  const [x, y] = [countNgrams(a, least, most), countNgrams(b, least, most)];
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
