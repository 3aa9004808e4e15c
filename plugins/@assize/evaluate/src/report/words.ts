import type { Influence, Problem } from 'assize';
import { formatNumber } from 'assize/internal';
import type { PartEarning } from '../ablation.js';
import type { EvaluationReport, JudgedMove, ReportedProfile } from './report.js';
import { differenceText, estimateText, valueText } from './value-texts.js';
import { count, counted, formatSigned } from '../values.js';

/** `1st`, `2nd`, `3rd`, `11th`. */
function ordinal(rank: number): string {
  const teens = rank % 100 >= 11 && rank % 100 <= 13;
  return `${count(rank)}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][rank % 10] ?? 'th')}`;
}

/** The size of the data: `70 queries, 257 candidates, 257 judged, 120 relevant`. */
export function dataText({ data }: EvaluationReport): string {
  const { queries, pairs, alike = 0, candidates, judged, relevant, groups } = data;
  const inGroups = groups === undefined ? [] : [counted(groups, 'group', 'groups')];
  if (pairs !== undefined) return [counted(pairs, 'pair', 'pairs'), ...inGroups].join(', ');
  const parts = [
    ...(queries === undefined ? [] : [counted(queries, 'query', 'queries')]),
    ...(alike === 0 ? [] : [`${count(alike)} of them with only one grade (--rankable skips them)`]),
    counted(candidates, 'candidate', 'candidates'),
    `${count(judged)} judged`,
    `${count(relevant)} ${queries === undefined ? 'positive' : 'relevant'}`,
    ...inGroups,
  ];
  return parts.join(', ');
}

const MAX_INFLUENCES = 3;

/** `Thunder Force (grade 10) 3rd → 1st: votes +0.4, age −0.1`. */
export function moveText({ id, grade, before, after, refused, because }: JudgedMove): string {
  const place = (rank: number | undefined): string => (rank === undefined ? 'not ranked' : ordinal(rank));
  const why = refused ?? (because.slice(0, MAX_INFLUENCES).map(shortText).join(', ') || 'others moved');
  return `${id} (grade ${grade}) ${place(before)} → ${place(after)}: ${why}`;
}

/** `votes +0.4`, or `votes 0.5 → 0.7` if the combine is not a sum. */
function shortText({ kind, id, before, after, difference }: Influence): string {
  const name = kind === 'rule' ? `rule ${id}` : id;
  if (difference !== undefined) return `${name} ${formatSigned(difference)}`;
  const [from, to] = [before, after].map((x) => (x === undefined ? '–' : formatNumber(x)));
  return from === to ? `${name} has another weight` : `${name} ${from} → ${to}`;
}

/** The verdict on a part of a profile, as text. */
export const EARNS_TEXT: Readonly<Record<PartEarning['verdict'], string>> = {
  earns: 'contributes',
  harms: 'harms: the profile is better without it',
  'changes nothing': 'redundant on this data: changes no measure',
  'not shown': 'no effect shown',
};

/** The columns of the table of values: each measure, and Judged@k after the last measure with the same cut. */
export function valueColumns({ measures, profiles }: EvaluationReport): readonly {
  readonly head: string;
  readonly cell: (profile: ReportedProfile) => string;
}[] {
  const cutOf = (measure: string | undefined): string => measure?.split('@')[1] ?? '';
  const hasJudged = profiles.some(({ values }) => values.some(({ judged }) => judged !== undefined));
  return measures.flatMap((measure, m) => {
    const value = {
      head: measure,
      cell: ({ values }: ReportedProfile) => estimateText(values[m]!.mean, values[m]!.interval),
    };
    const isLast = m + 1 === measures.length || cutOf(measures[m + 1]) !== cutOf(measure);
    if (!hasJudged || !isLast) return [value];
    const cut = cutOf(measure);
    const judged = ({ values }: ReportedProfile): string => {
      const share = values[m]!.judged;
      return share === undefined ? '–' : `${Math.round(share * 100)} %`;
    };
    return [value, { head: cut === '' ? 'Judged' : `Judged@${cut}`, cell: judged }];
  });
}

/** The certainty of a verdict, for readers who do not know p-values. */
const CERTAINTY: Readonly<Record<string, string>> = {
  better: 'Chance alone rarely does this.',
  worse: 'Chance alone rarely does this.',
  'no difference shown': 'This could be chance.',
};

/** The measures that are shares of correctly ordered pairs. */
const PAIR_MEASURES: readonly string[] = ['AUC', 'Agreement'];

/**
 * Summarizes the report by the first measure: one sentence for each compared profile, or for the only profile. Names no
 * other statistic.
 */
export function leadTexts(report: EvaluationReport): readonly string[] {
  const [measure = ''] = report.measures;
  const [first] = report.profiles;
  const own = report.differences.filter((one) => one.measure === measure);
  if (own.length === 0) {
    const value = first?.values[0];
    return value ? [`${first.profile} reaches ${valueText(value.mean)} in ${measure}, where 1 is best.`] : [];
  }
  return own.map((difference) => differenceLead(difference, report));
}

/** Warnings that a verdict may be wrong: rows are not independent, or a profile was tuned on this data. */
const UNSAFE: readonly string[] = ['ASZ738', 'ASZ739'];

/** Says how far a verdict can be trusted, for readers who do not know p-values. */
function certaintyText(verdict: string, { data, warnings }: EvaluationReport): string {
  if (verdict === 'no difference shown') return tooFewText(data) ?? CERTAINTY[verdict]!;
  return `${CERTAINTY[verdict] ?? `There are ${verdict}.`}${distrustText(warnings)}`;
}

/** Points to the warnings that a verdict may be wrong; empty without one. */
export function distrustText(warnings: readonly Problem[]): string {
  const codes = [...new Set(warnings.map(({ code }) => code))].filter((code) => UNSAFE.includes(code));
  return codes.length === 0 ? '' : ` But see the warning ${codes.join(' and ')}: this verdict may be wrong.`;
}

/** With fewer units, even if all are better, the p-value of a test of signs is not below 0.05. */
const FEWEST_UNITS = 6;

/** Says that so few queries or groups cannot show any difference. Undefined if they can, or for data without queries. */
export function tooFewText({
  queries,
  groups,
}: Pick<EvaluationReport['data'], 'queries' | 'groups'>): string | undefined {
  const units = queries === undefined ? FEWEST_UNITS : (groups ?? queries);
  if (units >= FEWEST_UNITS) return undefined;
  const [one, many] = groups === undefined ? ['query', 'queries'] : ['group', 'groups'];
  return `With ${counted(units, one, many)} this is always so, however large the difference is: at least ${FEWEST_UNITS} are needed.`;
}

function differenceLead(difference: EvaluationReport['differences'][number], report: EvaluationReport): string {
  const { profile, baseline, measure, mean, verdict } = difference;
  if (verdict === 'too little judged')
    return `Too few of the first ranks are judged to tell whether ${profile} is better than ${baseline}.`;
  const sure = certaintyText(verdict, report);
  const more = mean >= 0 ? 'more' : 'fewer';
  if (PAIR_MEASURES.includes(measure)) {
    const pairs = Math.round(Math.abs(mean) * 100);
    return `${profile} puts the better of two first in ${pairs} ${more} of 100 pairs than ${baseline}. ${sure}`;
  }
  if (!('better' in difference)) return `${profile}: ${measure} ${differenceText(mean)} against ${baseline}. ${sure}`;
  const { better, worse, same } = difference;
  const counts = `it is better in ${count(better)}, worse in ${count(worse)} and the same in ${count(same)}`;
  const head = verdict === 'better' || verdict === 'worse' ? `is ${verdict} than` : 'is not shown to differ from';
  return `${profile} ${head} ${baseline}: of ${counted(better + worse + same, 'query', 'queries')} ${counts}. ${sure}`;
}

/** The smallest difference that data of this size can detect; empty if nothing is compared. */
export function smallestText({ smallest, data }: EvaluationReport): string {
  if (smallest.length === 0 || tooFewText(data) !== undefined) return '';
  const size =
    data.groups === undefined
      ? data.queries === undefined
        ? counted(data.judged, 'candidate', 'candidates')
        : counted(data.queries, 'query', 'queries')
      : counted(data.groups, 'group', 'groups');
  const each = smallest.map(({ measure, difference }) => `${difference.toFixed(2)} in ${measure}`).join(' or ');
  return `With ${size}, a difference below about ${each} often goes unnoticed.`;
}
