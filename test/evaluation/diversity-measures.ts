/** A document's needed topics; empty if it is not needed. */
export type Topics = readonly string[];

/** The weight of each rank: 1 / log2(rank + 1). */
const discount = (rank: number): number => 1 / Math.log2(rank + 1);

/** The discounted sum of gains, the first of which is of rank 1. */
const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, k) => sum + gain * discount(k + 1), 0);

/** The share of the needed topics that occur in the list: subtopic recall (Zhai, Cohen and Lafferty 2003). */
export function topicRecall(list: readonly Topics[], all: readonly Topics[]): number {
  const needed = new Set(all.flat());
  return needed.size === 0 ? 0 : new Set(list.flat()).size / needed.size;
}

/** The gains of a list: each repetition of a topic counts 1 − α of the one before. */
function gainsOf(list: readonly Topics[], alpha: number): readonly number[] {
  const seen = new Map<string, number>();
  return list.map((topics) => {
    const gain = topics.reduce((sum, topic) => sum + (1 - alpha) ** (seen.get(topic) ?? 0), 0);
    for (const topic of topics) seen.set(topic, (seen.get(topic) ?? 0) + 1);
    return gain;
  });
}

/** The best list of a length, chosen greedily as usual: the optimal one is hard to find. */
function idealList(all: readonly Topics[], length: number, alpha: number): readonly Topics[] {
  const open = [...all];
  const list: Topics[] = [];
  while (list.length < length && open.length > 0) {
    const gains = open.map((one) => gainsOf([...list, one], alpha).at(-1)!);
    list.push(...open.splice(gains.indexOf(Math.max(...gains)), 1));
  }
  return list;
}

/**
 * α-nDCG (Clarke and others, SIGIR 2008) of a list that is cut already: with α = 0 nDCG by the number of topics.
 *
 * @param all the topics of every existing document
 */
export function alphaNdcg(list: readonly Topics[], all: readonly Topics[], length: number, alpha = 0.5): number {
  const needed = all.filter((topics) => topics.length > 0);
  const ideal = discounted(gainsOf(idealList(needed, length, alpha), alpha));
  return ideal === 0 ? 0 : discounted(gainsOf(list.slice(0, length), alpha)) / ideal;
}
