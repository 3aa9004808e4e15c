import { didYouMean, toAssizeError } from '../../diagnostics/index.js';
import { type Labelled, type SampledMeasure, sampledAuc, sampledAveragePrecision } from '../measures/binary.js';
import { kendallTauB, spearman } from '../measures/rank-correlation.js';

/** A measure of scores beside grades, without queries. */
export interface LabelledMeasure {
  readonly summary: string;
  /** What a value means, with an example, for readers who do not know the measure. */
  readonly meaning: string;
  /**
   * Prepares it for many samples of the rows.
   *
   * @param relevantFrom the least grade of the positive class, where there are two classes
   */
  readonly of: (scores: readonly number[], grades: readonly number[], relevantFrom: number) => SampledMeasure;
}

const classes = (scores: readonly number[], grades: readonly number[], least: number): Labelled => ({
  scores,
  positive: grades.map((grade) => grade >= least),
});

/** A correlation of samples: the rows that were drawn, each as often as it was. */
const correlation =
  (of: (x: readonly number[], y: readonly number[]) => number): LabelledMeasure['of'] =>
  (scores, grades) =>
  (counts) => {
    if (!counts) return of(scores, grades);
    const drawn = (values: readonly number[]): readonly number[] =>
      values.flatMap((value, row) => Array.from<number>({ length: counts[row]! }).fill(value));
    return of(drawn(scores), drawn(grades));
  };

/** The measures of data without queries, by name. */
export const LABELLED_MEASURES = {
  AUC: {
    summary: 'how likely a positive one scores higher than a negative one; a tie counts half',
    meaning:
      'Of a positive and a negative case, how often the positive one scores higher. 1: always, 0.5: as often as by chance.',
    of: (scores, grades, least) => sampledAuc(classes(scores, grades, least)),
  },
  AP: {
    summary: 'the mean precision over all thresholds',
    meaning:
      'How pure the top is, down to each positive case. 1: all positives come first; chance is the share of positives.',
    of: (scores, grades, least) => sampledAveragePrecision(classes(scores, grades, least)),
  },
  tau: {
    summary: "Kendall's tau-b of scores and grades",
    meaning:
      'Of two cases with different grades, how many more pairs are in the right order than in the wrong one. 1: all, 0: chance.',
    of: correlation(kendallTauB),
  },
  rho: {
    summary: "Spearman's rho of scores and grades",
    meaning: 'Whether ranks by score follow ranks by grade. 1: exactly, 0: not at all, −1: in reverse.',
    of: correlation(spearman),
  },
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
