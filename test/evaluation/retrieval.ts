import { judge, parseMeasure } from '../../src/evaluate/index.js';

/** How good one ranking of a query is: each from 0 to 1. */
export interface Quality {
  readonly ndcg: number;
  readonly recall: number;
  readonly mrr: number;
}

const ndcg = parseMeasure('nDCG@10');
const recall = parseMeasure('R@5');
const reciprocalRank = parseMeasure('RR');

/** nDCG over the first 10, recall over the first 5, and the reciprocal of the first relevant one's place. */
export function qualityOf(ranking: readonly string[], relevant: ReadonlySet<string>): Quality {
  const judged = judge(ranking, new Map(Array.from(relevant, (id) => [id, 1])));
  return { ndcg: ndcg.of(judged), recall: recall.of(judged), mrr: reciprocalRank.of(judged) };
}
