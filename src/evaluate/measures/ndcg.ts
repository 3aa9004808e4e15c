import { cutTo } from '../judged-ranking.js';
import { type Measure, share } from './measure.js';

/** What a grade is worth. One of 0 or below is worth nothing. */
type Gain = (grade: number) => number;

const linear: Gain = (grade) => grade;
const exponential: Gain = (grade) => 2 ** grade - 1;

/** Gains discounted by the logarithm of their rank: Σ gain / log₂(rank + 1). */
function discounted(grades: readonly (number | undefined)[], gain: Gain): number {
  let sum = 0;
  for (const [k, grade] of grades.entries())
    if (grade !== undefined && grade > 0) sum += gain(grade) / Math.log2(k + 2);
  return sum;
}

/** The discounted gains of a ranking as a share of those of the best order of everything judged. */
const ndcgWith =
  (gain: Gain): Measure =>
  (ranking, { cut }) => {
    const ideal = ranking.judgements.toSorted((a, b) => b - a).slice(0, cut);
    return share(discounted(cutTo(ranking, cut).grades, gain), discounted(ideal, gain));
  };

/** nDCG where a grade is worth itself, as trec_eval computes it (Järvelin and Kekäläinen 2002). */
export const ndcg: Measure = ndcgWith(linear);

/** nDCG where a grade is worth 2^grade − 1, as in learning to rank (Burges et al. 2005): high grades count for more. */
export const ndcgExponential: Measure = ndcgWith(exponential);
