import { cutTo } from '../judged-ranking.js';
import { countRelevant, type Measure, share } from './measure.js';

/**
 * How rarely something judged not relevant stands above what is relevant (Buckley and Voorhees 2004, as trec_eval computes
 * it): what was not judged counts for neither.
 */
export const bpref: Measure = (ranking, { cut, relevantFrom }) => {
  const relevant = countRelevant(ranking.judgements, relevantFrom);
  const others = ranking.judgements.filter((grade) => grade >= 0 && grade < relevantFrom).length;
  const most = Math.min(others, relevant);
  let above = 0;
  let sum = 0;
  for (const grade of cutTo(ranking, cut).grades) {
    if (grade === undefined || grade < 0) continue;
    if (grade < relevantFrom) above += 1;
    else sum += above === 0 ? 1 : 1 - Math.min(above, relevant) / most;
  }
  return share(sum, relevant);
};
