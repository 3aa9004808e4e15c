import { didYouMean, toAssizeError } from '../../diagnostics/index.js';
import type { JudgedRanking } from '../judged-ranking.js';
import { ALIASES, type MeasureName, MEASURES } from './measure-table.js';

/** A measure as it was asked for. */
export interface AskedMeasure {
  /** As the table has it, with its cut: `nDCG@10`. */
  readonly name: string;
  /** How many ranks it reads; all when undefined. */
  readonly cut: number | undefined;
  readonly of: (ranking: JudgedRanking) => number;
}

const NAMES = Object.keys(MEASURES) as readonly MeasureName[];
const BY_NAME = new Map<string, MeasureName>([
  ...NAMES.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(ALIASES),
]);

/**
 * A measure from its name: `nDCG@10`, `AP`, `MRR@5`. Upper and lower case are the same.
 *
 * @param relevantFrom the least grade that is relevant, where a measure knows two classes only
 * @throws AssizeError (ASZ605) where there is none of this name, or its cut is no whole number above 0
 */
export function parseMeasure(text: string, relevantFrom = 1): AskedMeasure {
  const [name = '', cutText, ...rest] = text.split('@');
  const known = BY_NAME.get(name.toLowerCase());
  if (known === undefined) {
    const hint = didYouMean(name, NAMES, `there are: ${NAMES.join(', ')}`);
    throw toAssizeError([{ code: 'ASZ605', message: `there is no measure ${name}`, hint }]);
  }
  const cut = cutText === undefined ? undefined : Number(cutText);
  if (rest.length > 0 || (cut !== undefined && !(Number.isSafeInteger(cut) && cut > 0))) {
    const message = `the cut of ${text} is ${text.slice(name.length + 1)}; expected a whole number of at least 1`;
    throw toAssizeError([{ code: 'ASZ605', message, hint: `${known}@10 looks at the first ten` }]);
  }
  const { measure } = MEASURES[known];
  return {
    name: cut === undefined ? known : `${known}@${cut}`,
    cut,
    of: (ranking) => measure(ranking, { cut, relevantFrom }),
  };
}
