import { didYouMean, toAssizeError } from '../../diagnostics/index.js';
import { auc, averagePrecisionOf } from '../measures/binary.js';
import { kendallTauB, spearman } from '../measures/rank-correlation.js';

/** A measure of scores beside grades, without queries. */
export interface LabelledMeasure {
  readonly summary: string;
  /** @param relevantFrom the least grade of the positive class, where there are two classes */
  readonly of: (scores: readonly number[], grades: readonly number[], relevantFrom: number) => number;
}

const positiveFrom = (grades: readonly number[], least: number): readonly boolean[] =>
  grades.map((grade) => grade >= least);

/** The measures of data without queries, by name. */
export const LABELLED_MEASURES = {
  AUC: {
    summary: 'how likely a positive one scores higher than a negative one; a tie counts half',
    of: (scores, grades, least) => auc({ scores, positive: positiveFrom(grades, least) }),
  },
  AP: {
    summary: 'the mean precision over all thresholds',
    of: (scores, grades, least) => averagePrecisionOf({ scores, positive: positiveFrom(grades, least) }),
  },
  tau: { summary: "Kendall's tau-b of scores and grades", of: (scores, grades) => kendallTauB(scores, grades) },
  rho: { summary: "Spearman's rho of scores and grades", of: (scores, grades) => spearman(scores, grades) },
} as const satisfies Readonly<Record<string, LabelledMeasure>>;

export type LabelledMeasureName = keyof typeof LABELLED_MEASURES;

/** What else they are called. */
const ALIASES: Readonly<Record<string, LabelledMeasureName>> = {
  roc_auc: 'AUC',
  average_precision: 'AP',
  'tau-b': 'tau',
  kendall: 'tau',
  spearman: 'rho',
};

const isName = (name: string): name is LabelledMeasureName => Object.hasOwn(LABELLED_MEASURES, name);

/**
 * A measure of data without queries, by its name in any case.
 *
 * @throws AssizeError (ASZ605) where there is none of this name
 */
export function parseLabelledMeasure(text: string): LabelledMeasureName {
  const names = Object.keys(LABELLED_MEASURES).filter(isName);
  const asked = text.toLowerCase();
  const found = names.find((name) => name.toLowerCase() === asked) ?? (Object.hasOwn(ALIASES, asked) && ALIASES[asked]);
  if (found) return found;
  const hint = didYouMean(text, names, `there are: ${names.join(', ')}; others need queries (group)`);
  throw toAssizeError([{ code: 'ASZ605', message: `there is no measure ${text} of data without queries`, hint }]);
}
