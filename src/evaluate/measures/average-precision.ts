import { cutTo } from '../judged-ranking.js';
import { countRelevant, isRelevant, type Measure, share } from './measure.js';

/** The mean of the precisions at the rank of each that is relevant; 0 for those that were not ranked. */
export const averagePrecision: Measure = (ranking, { cut, relevantFrom }) => {
  let found = 0;
  let sum = 0;
  for (const [k, grade] of cutTo(ranking, cut).grades.entries()) {
    if (!isRelevant(grade, relevantFrom)) continue;
    found += 1;
    sum += found / (k + 1);
  }
  return share(sum, countRelevant(ranking.judgements, relevantFrom));
};

/** Keeps its quotient defined where nothing before a rank was judged: trec_eval's value. */
const EPSILON = 0.00001;

/**
 * Average precision where only a sample of a pool was judged: each precision is estimated from what is judged above it
 * (Yilmaz and Aslam 2006). A grade below 0 is in the pool and not judged; what has no grade was not in the pool.
 */
export const inferredAveragePrecision: Measure = (ranking, { cut, relevantFrom }) => {
  let relevant = 0;
  let others = 0;
  let unjudged = 0;
  let sum = 0;
  for (const [above, grade] of cutTo(ranking, cut).grades.entries()) {
    if (grade === undefined) continue;
    if (grade < 0) unjudged += 1;
    else if (grade < relevantFrom) others += 1;
    else {
      const judged = (relevant + EPSILON) / (relevant + others + 2 * EPSILON);
      sum += above === 0 ? 1 : 1 / (above + 1) + ((relevant + others + unjudged) / (above + 1)) * judged;
      relevant += 1;
    }
  }
  return share(sum, countRelevant(ranking.judgements, relevantFrom));
};
