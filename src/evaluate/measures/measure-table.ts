import { averagePrecision, inferredAveragePrecision } from './average-precision.js';
import { bpref } from './bpref.js';
import type { Measure } from './measure.js';
import { ndcg, ndcgExponential } from './ndcg.js';
import { agreement, precision, rPrecision, recall, reciprocalRank, success } from './precision.js';

/** A measure by its name in the table. */
export interface NamedMeasure {
  readonly measure: Measure;
  readonly summary: string;
}

/** The measures of a ranking, by the names that ir_measures gives them. Each takes a cut: `nDCG@10`. */
export const MEASURES = {
  nDCG: { measure: ndcg, summary: 'discounted gains, as a share of the best order; a grade is worth itself' },
  nDCGexp: { measure: ndcgExponential, summary: 'the same, where a grade is worth 2^grade − 1' },
  AP: { measure: averagePrecision, summary: 'average precision; its mean over queries is MAP' },
  RR: { measure: reciprocalRank, summary: '1 / the rank of the first relevant; its mean is MRR' },
  P: { measure: precision, summary: 'the share of the first ranks that is relevant' },
  R: { measure: recall, summary: 'the share of what is relevant that is among the first ranks' },
  Success: { measure: success, summary: '1 where anything relevant is among the first ranks' },
  Rprec: { measure: rPrecision, summary: 'the precision at as many ranks as are relevant' },
  Bpref: { measure: bpref, summary: 'how rarely what is judged not relevant is above what is; blind to the unjudged' },
  Agreement: {
    measure: agreement,
    summary: 'how often the better of two judged candidates is ranked higher; 0.5 is chance',
  },
  infAP: { measure: inferredAveragePrecision, summary: 'average precision, where a sample of a pool was judged' },
} as const satisfies Readonly<Record<string, NamedMeasure>>;

export type MeasureName = keyof typeof MEASURES;

/** What the mean over queries is called. */
export const ALIASES: Readonly<Record<string, MeasureName>> = { map: 'AP', mrr: 'RR', precision: 'P', recall: 'R' };
