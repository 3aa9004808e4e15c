import { hypergeometric, tieGroups } from '../judged-ranking.js';
import { countRelevant, type Measure, share } from './measure.js';

/**
 * How rarely something judged not relevant stands above what is relevant (Buckley and Voorhees 2004, as trec_eval computes
 * it): what was not judged counts for neither. Tied ranks count with the mean over their orders.
 */
export const bpref: Measure = (ranking, { cut, relevantFrom }) => {
  const isOther = (grade: number | undefined): boolean => grade !== undefined && grade >= 0 && grade < relevantFrom;
  const relevant = countRelevant(ranking.judgements, relevantFrom);
  const most = Math.min(ranking.judgements.filter(isOther).length, relevant);
  const valueOf = (above: number): number => (above === 0 ? 1 : 1 - Math.min(above, relevant) / most);
  let above = 0;
  let sum = 0;
  for (const { size, shown, grades } of tieGroups(ranking, cut)) {
    const others = grades.filter(isOther).length;
    const own = countRelevant(grades, relevantFrom);
    for (let k = 0; k < (own > 0 ? shown : 0); k++) {
      for (let before = 0; before <= Math.min(k, others); before++) {
        const chance = size === 1 ? 1 : hypergeometric(before, k, others, size - 1);
        sum += (own / size) * chance * valueOf(above + before);
      }
    }
    above += others;
  }
  return share(sum, relevant);
};
