import { tieGroups } from '../judged-ranking.js';
import { type Measure, share } from './measure.js';

/** What a grade is worth. One of 0 or below is worth nothing. */
type Gain = (grade: number) => number;

const linear: Gain = (grade) => grade;
const exponential: Gain = (grade) => 2 ** grade - 1;

const gainOf = (grade: number | undefined, gain: Gain): number => (grade !== undefined && grade > 0 ? gain(grade) : 0);

/**
 * The discounted gains of a ranking as a share of those of the best order of everything judged. Tied ranks have the mean
 * of their gains each (McSherry and Najork 2008).
 */
const ndcgWith =
  (gain: Gain): Measure =>
  (ranking, { cut }) => {
    let sum = 0;
    for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
      const mean = grades.reduce<number>((total, grade) => total + gainOf(grade, gain), 0) / size;
      if (mean > 0) for (let k = from; k < from + shown; k++) sum += mean / Math.log2(k + 2);
    }
    const ideal = ranking.judgements.toSorted((a, b) => b - a).slice(0, cut);
    return share(
      sum,
      ideal.reduce((total, grade, k) => total + gainOf(grade, gain) / Math.log2(k + 2), 0),
    );
  };

/** nDCG where a grade is worth itself, as trec_eval computes it (Järvelin and Kekäläinen 2002). */
export const ndcg: Measure = ndcgWith(linear);

/** nDCG where a grade is worth 2^grade − 1, as in learning to rank (Burges et al. 2005): high grades count for more. */
export const ndcgExponential: Measure = ndcgWith(exponential);
