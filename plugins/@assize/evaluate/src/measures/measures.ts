import { didYouMean, toAssizeError } from 'assize/browser';
import type { Judgements } from '../judged-query.js';
import { meanOf } from '../significance/distributions.js';
import {
  agreement,
  averagePrecision,
  bpref,
  ERR_MAX,
  expectedReciprocalRank,
  inferredAveragePrecision,
  type JudgedRanking,
  judgedRanks,
  type Measure,
  ndcg,
  ndcgExponential,
  precision,
  rankBiasedPrecision,
  RBP_P,
  recall,
  reciprocalRank,
  rPrecision,
  success,
} from './ranking-measures.js';

/** A measure with its documentation. */
interface NamedMeasure {
  readonly measure: Measure;
  readonly summary: string;
  /** Explains a value to readers who do not know the measure. */
  readonly meaning: string;
  /** Set if the measure reads judged candidates only, so that unjudged candidates do not count as not relevant. */
  readonly ignoresUnjudged?: true;
  /** The options in parentheses, as in `RBP(p=0.9)@10`. */
  readonly settings?: Readonly<Record<string, Setting>>;
}

/** An option of a measure. */
interface Setting {
  readonly default: number;
  /** The condition on a value, as text and as a test. */
  readonly expected: string;
  readonly allows: (value: number) => boolean;
}

/** The measures of a ranking, by the names that ir_measures gives them. Each takes a cut: `nDCG@10`. */
export const MEASURES = {
  nDCG: {
    measure: ndcg,
    summary: 'the discounted gains divided by those of the best order; the gain is the grade',
    meaning:
      'How close the order is to the best possible one, with more weight at the top. 1: no order is better. Grade 3 counts three times as much as grade 1, and 3rd place half as much as 1st.',
  },
  nDCGexp: {
    measure: ndcgExponential,
    summary: 'the same with the gain 2^grade − 1',
    meaning:
      'As nDCG, but high grades count for much more: a result of grade 3 counts seven times as much as one of grade 1.',
  },
  AP: {
    measure: averagePrecision,
    summary: 'average precision; its mean over queries is MAP',
    meaning:
      'How early the relevant results come, and whether all of them do. 1: all of them are on top. Two relevant results in 1st and 3rd place: (1/1 + 2/3) / 2 = 0.83.',
  },
  RR: {
    measure: reciprocalRank,
    summary: '1 / the rank of the first relevant; its mean is MRR',
    meaning:
      'How far a user reads to the first relevant result. 1: it is in 1st place, 0.5: in 2nd, 0.33: in 3rd, 0: not there.',
  },
  ERR: {
    measure: expectedReciprocalRank,
    summary: '1 / the rank at which a user stops, who stops at high grades; of grades up to 4, or ERR(max_rel=3)',
    meaning:
      'How far a user reads who stops at a result of the highest grade almost always, and at lower ones less often. 1: in 1st place, 0: never. After one good result, the next counts little.',
    settings: {
      max_rel: {
        default: ERR_MAX,
        expected: 'a whole number from 1 to 50',
        allows: (value) => Number.isInteger(value) && value >= 1 && value <= 50,
      },
    },
  },
  RBP: {
    measure: rankBiasedPrecision,
    summary: 'the share of relevant results for a user who reads the next one with probability 0.8, or RBP(p=0.95)',
    meaning:
      'How many of the results that a user reads are relevant, if most users read only a few. 1: all are. With p = 0.8, a user reads five on average.',
    settings: {
      p: { default: RBP_P, expected: 'a number above 0 and below 1', allows: (value) => value > 0 && value < 1 },
    },
  },
  P: {
    measure: precision,
    summary: 'the share of relevant results among the first',
    meaning: 'How many of the first results are relevant. P@5 = 0.6: three of the first five.',
  },
  R: {
    measure: recall,
    summary: 'the share of all relevant results that are among the first',
    meaning: 'How many of all relevant results are among the first. R@10 = 0.5: half of them are in the first ten.',
  },
  Success: {
    measure: success,
    summary: '1 if a relevant result is among the first, else 0',
    meaning: 'How often a user finds anything relevant. Success@3 = 0.9: in 90 of 100 searches within the first three.',
  },
  Rprec: {
    measure: rPrecision,
    summary: 'the precision at rank n, for n relevant results',
    meaning: 'With n relevant results, how many of the first n are relevant. 1: the relevant ones come first.',
  },
  Bpref: {
    measure: bpref,
    summary: 'how rarely a result judged not relevant is above a relevant one; ignores unjudged results',
    meaning:
      'How rarely a result judged bad is above one judged good. Results without a judgement do not count. 1: never.',
    ignoresUnjudged: true,
  },
  infAP: {
    measure: inferredAveragePrecision,
    summary: 'average precision, estimated from a judged sample of the pool',
    meaning: 'An estimate of AP if only a random sample was judged. 1: all relevant results are on top.',
    ignoresUnjudged: true,
  },
  Agreement: {
    measure: agreement,
    summary: 'how often the better of two judged candidates is ranked higher; 0.5 is chance',
    meaning: 'How often the better of two judged results is higher. 1: always, 0.5: as often as by chance.',
    ignoresUnjudged: true,
  },
  Judged: {
    measure: judgedRanks,
    summary: 'the share of the first results that are judged',
    meaning: 'How many of the first results have a judgement. 1: all. Below that, other measures may be too low.',
  },
} as const satisfies Readonly<Record<string, NamedMeasure>>;

export type MeasureName = keyof typeof MEASURES;

/** Other names; some of them name the mean over queries. */
const ALIASES: Readonly<Record<string, MeasureName>> = { map: 'AP', mrr: 'RR', precision: 'P', recall: 'R' };

/** Whether a measure reads judged candidates only. The name may have a cut. */
export const ignoresUnjudged = (name: string): boolean =>
  Object.entries<NamedMeasure>(MEASURES).some(
    ([known, { ignoresUnjudged: ignores }]) => ignores === true && known === name.split('@')[0],
  );

/** A parsed measure name. */
export interface AskedMeasure {
  /** The normalized name with its options and its cut: `nDCG@10`, `RBP(p=0.9)`. */
  readonly name: string;
  /** The number of ranks that the measure reads; all if undefined. */
  readonly cut: number | undefined;
  readonly of: (ranking: JudgedRanking) => number;
}

const NAMES = Object.keys(MEASURES) as readonly MeasureName[];
const BY_NAME = new Map<string, MeasureName>([
  ...NAMES.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(ALIASES),
]);

const invalidMeasure = (message: string, hint: string): Error => toAssizeError([{ code: 'ASZ605', message, hint }]);

/**
 * Parses the name of a measure, ignoring case: `nDCG@10`, `AP`, `MRR@5`, `RBP(p=0.9)@10`.
 *
 * @param relevantFrom the lowest relevant grade, for binary measures
 * @throws AssizeError (ASZ605) if the name is unknown, or an option or the cut is invalid
 */
export function parseMeasure(text: string, relevantFrom = 1): AskedMeasure {
  const [head = '', cutText, ...rest] = text.split('@');
  const [, name = head, options] = /^([^(]*)\((.*)\)$/.exec(head) ?? [];
  const known = BY_NAME.get(name.toLowerCase());
  if (known === undefined) {
    const hint = didYouMean(name, NAMES, `the measures are ${NAMES.join(', ')}`);
    throw invalidMeasure(`there is no measure ${name}`, hint);
  }
  const cut = cutText === undefined ? undefined : Number(cutText);
  if (rest.length > 0 || (cut !== undefined && !(Number.isSafeInteger(cut) && cut > 0))) {
    const message = `the cut of ${text} is ${text.slice(head.length + 1)}; expected a whole number of at least 1`;
    throw invalidMeasure(message, `write ${known}@10 to measure the first ten`);
  }
  const settings = options === undefined ? {} : parseSettings(known, options);
  const { measure } = MEASURES[known];
  const written = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  return {
    name: `${known}${written.length > 0 ? `(${written.join(', ')})` : ''}${cut === undefined ? '' : `@${cut}`}`,
    cut,
    of: (ranking) => measure(ranking, { cut, relevantFrom, settings }),
  };
}

/** Parses the options of a measure: `p=0.9`. Those with the default value are not in the name. */
function parseSettings(name: MeasureName, text: string): Readonly<Record<string, number>> {
  const known = Object.entries((MEASURES[name] as NamedMeasure).settings ?? {});
  const settings: Record<string, number> = {};
  for (const option of text.split(',')) {
    const [key = '', value = ''] = option.split('=').map((part) => part.trim());
    const setting = known.find(([other]) => other === key)?.[1];
    if (setting === undefined) {
      const examples = known.map(([other, { default: usual }]) => `${name}(${other}=${usual})`);
      const hint = examples.length > 0 ? `write ${examples.join(' or ')}` : `write ${name} or ${name}@10`;
      throw invalidMeasure(`${name} has no option ${key || text}`, hint);
    }
    const number = value === '' ? Number.NaN : Number(value);
    if (!setting.allows(number)) {
      const message = `the option ${key} of ${name} is ${value}; expected ${setting.expected}`;
      throw invalidMeasure(message, `write ${name}(${key}=${setting.default})`);
    }
    if (number !== setting.default) settings[key] = number;
  }
  return settings;
}

/** The result of `measureRun`. */
export interface Measured {
  /** The measured queries: those that are judged and, unless `allJudged` is set, ranked. */
  readonly queries: readonly string[];
  /** By measure, then by query, in the order of the queries. */
  readonly values: Readonly<Record<string, Float64Array>>;
  /** By measure: the mean over the queries. */
  readonly means: Readonly<Record<string, number>>;
}

/** Joins a ranked list of ids with the judgements of its query. */
export const judge = (ids: readonly string[], grades: ReadonlyMap<string, number>): JudgedRanking => ({
  grades: ids.map((id) => grades.get(id)),
  judgements: [...grades.values()],
});

/**
 * Measures a run query by query. Queries without judgements are ignored.
 *
 * @param run ids by query, best first
 * @param allJudged whether judged queries without a ranking count as 0, as with trec_eval -c
 */
export function measureRun(
  run: ReadonlyMap<string, readonly string[]>,
  judgements: Judgements,
  measures: readonly AskedMeasure[],
  allJudged = false,
): Measured {
  const queries = [...judgements.keys()].filter((query) => allJudged || run.has(query));
  const judged = queries.map((query) => judge(run.get(query) ?? [], judgements.get(query)!));
  const columns = measures.map(({ name, of }) => [name, Float64Array.from(judged, of)] as const);
  const means = columns.map(([name, all]) => [name, meanOf(all)] as const);
  return { queries, values: Object.fromEntries(columns), means: Object.fromEntries(means) };
}
