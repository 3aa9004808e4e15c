/** How good one ranking of a query is: each from 0 to 1. */
export interface Quality {
  readonly ndcg: number;
  readonly recall: number;
  readonly mrr: number;
}

const gain = (place: number): number => 1 / Math.log2(place + 1);

/** nDCG over the first 10, recall over the first 5, and the reciprocal of the first relevant one's place. */
export function qualityOf(ranking: readonly string[], relevant: ReadonlySet<string>): Quality {
  const places = ranking.flatMap((id, i) => (relevant.has(id) ? [i + 1] : []));
  const ideal = Array.from({ length: Math.min(10, relevant.size) }, (_, i) => gain(i + 1));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    ndcg: sum(places.filter((place) => place <= 10).map(gain)) / sum(ideal),
    recall: places.filter((place) => place <= 5).length / relevant.size,
    mrr: 1 / (places[0] ?? Number.POSITIVE_INFINITY),
  };
}
