import { compareProfiles, evaluateProfiles, type JudgedQuery } from '@assize/evaluate';
import { createPipeline, type Ranking, type Trust } from 'assize';
import type { PairAgreement, UnseenQuality } from '../data/studio-data.js';
import type { PairAnswer } from './studio-judgements.js';

/** New weights by the ids of scorers. */
type Weights = Readonly<Record<string, number>>;

/** The choices between candidates of a query, and its ranking by the profile. */
export interface ChosenPairs {
  readonly ranking: Ranking<object>;
  readonly answers: readonly PairAnswer[];
}

/** How many choices the order agrees with, before and after; undefined without choices. */
export function pairAgreement(chosen: readonly ChosenPairs[], weights: Weights): PairAgreement | undefined {
  const sum = { pairs: 0, before: 0, after: 0 };
  for (const { ranking, answers } of chosen) {
    const [before, after] = [ranksOf(ranking), ranksOf(ranking.reweigh({ weights }))];
    for (const { a, b, choice } of answers) {
      if (choice === 'same') continue;
      const [first, second] = choice === 'a' ? [a, b] : [b, a];
      sum.pairs += 1;
      if (isBefore(before, first, second)) sum.before += 1;
      if (isBefore(after, first, second)) sum.after += 1;
    }
  }
  return sum.pairs === 0 ? undefined : sum;
}

/** By position of the candidate: its rank. */
const ranksOf = ({ order, matrix: { index } }: Ranking<object>): ReadonlyMap<number, number> =>
  new Map(Array.from(order, (row, k) => [index[row]!, k] as const));

const isBefore = (ranks: ReadonlyMap<number, number>, a: number, b: number): boolean =>
  (ranks.get(a) ?? Number.POSITIVE_INFINITY) < (ranks.get(b) ?? Number.POSITIVE_INFINITY);

const MEASURE = 'nDCG@10';

/** The quality by grades that weights were not found from, as `assize evaluate` measures it; undefined without grades. */
export async function unseenQuality(
  profile: string,
  change: object,
  queries: readonly JudgedQuery<object>[],
  trust: Trust,
): Promise<UnseenQuality | undefined> {
  if (queries.length === 0) return undefined;
  const pipelines = {
    before: await createPipeline<object>(profile, { trust }),
    after: await createPipeline<object>({ extends: [profile], ...change }, { trust }),
  };
  const evaluation = await evaluateProfiles(pipelines, queries, { measures: [MEASURE] });
  const [before, after] = evaluation.profiles.map(({ means }) => means[MEASURE]!);
  const [difference] = compareProfiles(evaluation);
  const isSure = difference?.verdict === 'better' || difference?.verdict === 'worse';
  return { measure: MEASURE, before: before!, after: after!, isSure };
}
