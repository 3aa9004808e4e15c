import { hypergeometric, tieGroups } from '../judged-ranking.js';
import { countRelevant, type Measure, share } from './measure.js';

/**
 * The mean of the precisions at the rank of each that is relevant; 0 for those that were not ranked. A tied rank is
 * relevant with the share of its group, and then so many before it are as on average (McSherry and Najork 2008).
 */
export const averagePrecision: Measure = (ranking, { cut, relevantFrom }) => {
  let found = 0;
  let sum = 0;
  for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    if (relevant === 0) continue;
    for (let k = 0; k < shown; k++) {
      const before = k === 0 ? 0 : (k * (relevant - 1)) / (size - 1);
      sum += (relevant / size) * ((found + before + 1) / (from + k + 1));
    }
    found += relevant;
  }
  return share(sum, countRelevant(ranking.judgements, relevantFrom));
};

/** Keeps its quotient defined where nothing before a rank was judged: trec_eval's value. */
const EPSILON = 0.00001;

/** What was seen above a rank of a sampled pool. */
interface SeenAbove {
  readonly relevant: number;
  readonly others: number;
  readonly unjudged: number;
}

/** The precision at a relevant rank, as it is estimated from what is above it. */
function inferredPrecision(above: number, { relevant, others, unjudged }: SeenAbove): number {
  const judged = (relevant + EPSILON) / (relevant + others + 2 * EPSILON);
  return above === 0 ? 1 : 1 / (above + 1) + ((relevant + others + unjudged) / (above + 1)) * judged;
}

/**
 * Average precision where only a sample of a pool was judged: each precision is estimated from what is judged above it
 * (Yilmaz and Aslam 2006). A grade below 0 is in the pool and not judged; what has no grade was not in the pool. Tied
 * ranks count with the mean over their orders: O(size × relevant × others) for a group.
 */
export const inferredAveragePrecision: Measure = (ranking, { cut, relevantFrom }) => {
  let seen: SeenAbove = { relevant: 0, others: 0, unjudged: 0 };
  let sum = 0;
  for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    const others = grades.filter((grade) => grade !== undefined && grade >= 0 && grade < relevantFrom).length;
    const unjudged = grades.filter((grade) => grade !== undefined && grade < 0).length;
    for (let k = 0; k < (relevant > 0 ? shown : 0); k++) {
      const own = { relevant: relevant - 1, others, unjudged };
      sum += (relevant / size) * (size === 1 ? inferredPrecision(from, seen) : meanPrecision(from, k, seen, own, size));
    }
    seen = {
      relevant: seen.relevant + relevant,
      others: seen.others + others,
      unjudged: seen.unjudged + unjudged,
    };
  }
  return share(sum, countRelevant(ranking.judgements, relevantFrom));
};

/**
 * The mean inferred precision at the k-th of tied ranks, given that it is relevant.
 *
 * @param own what its group has besides it
 */
function meanPrecision(from: number, k: number, seen: SeenAbove, own: SeenAbove, size: number): number {
  const rest = size - 1 - own.relevant - own.others; // in the pool and not judged, or not in the pool
  let mean = 0;
  for (let others = 0; others <= Math.min(k, own.others); others++) {
    const ofOthers = hypergeometric(others, k, own.others, size - 1);
    for (let relevant = 0; relevant <= Math.min(k - others, own.relevant); relevant++) {
      const chance = ofOthers * hypergeometric(relevant, k - others, own.relevant, size - 1 - own.others);
      const unjudged = rest === 0 ? 0 : ((k - others - relevant) * own.unjudged) / rest;
      mean +=
        chance *
        inferredPrecision(from + k, {
          relevant: seen.relevant + relevant,
          others: seen.others + others,
          unjudged: seen.unjudged + unjudged,
        });
    }
  }
  return mean;
}
