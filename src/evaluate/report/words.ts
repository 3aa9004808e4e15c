import type { Influence } from '../../index.js';
import { formatNumber, formatOrdinal, formatSigned } from '../../text/index.js';
import type { PartEarning } from '../ablation/earnings.js';
import type { JudgedMove } from './query-moves.js';
import type { EvaluationReport } from './report.js';

/** A value of a measure, with three decimals. */
export const valueText = (x: number): string => (Number.isNaN(x) ? '–' : x.toFixed(3).replace(/^-(0\.0+)$/, '$1'));

/** A difference with its sign. */
export function differenceText(x: number): string {
  const text = valueText(Math.abs(x));
  if (Number(text) === 0 || Number.isNaN(x)) return text;
  return x > 0 ? `+${text}` : `−${text}`;
}

/** A value and where it lies: `0.561 (0.504 to 0.618)`; the value alone where that is not known. */
export const estimateText = (
  mean: number,
  [low, high]: readonly [number, number],
  show: (x: number) => string = valueText,
): string => (Number.isNaN(low) ? show(mean) : `${show(mean)} (${show(low)} to ${show(high)})`);

/** A p-value with four decimals, or that it is below them. */
export const pText = (p: number): string => (p < 0.0001 ? '<0.0001' : p.toFixed(4));

const count = (n: number): string => n.toLocaleString('en-US');
const counted = (n: number, one: string, more: string): string => `${count(n)} ${n === 1 ? one : more}`;

/** What was measured: `70 queries, 257 candidates, 257 judged, 120 relevant`. */
export function dataText({ data }: EvaluationReport): string {
  const { queries, alike = 0, candidates, judged, relevant, groups } = data;
  const parts = [
    ...(queries === undefined ? [] : [counted(queries, 'query', 'queries')]),
    ...(alike === 0 ? [] : [`${count(alike)} of them of one grade (--rankable leaves them out)`]),
    counted(candidates, 'candidate', 'candidates'),
    `${count(judged)} judged`,
    `${count(relevant)} ${queries === undefined ? 'positive' : 'relevant'}`,
    ...(groups === undefined ? [] : [counted(groups, 'group', 'groups')]),
  ];
  return parts.join(', ');
}

/** On how many queries a profile differs; empty for data without queries. */
export const queriesText = (difference: EvaluationReport['differences'][number]): string =>
  'better' in difference
    ? `${count(difference.better)} better, ${count(difference.worse)} worse, ${count(difference.same)} same`
    : '';

const MAX_INFLUENCES = 3;

/** `Thunder Force (grade 10) 3rd → 1st: votes +0.4, age −0.1`. */
export function moveText({ id, grade, before, after, refused, because }: JudgedMove): string {
  const place = (rank: number | undefined): string => (rank === undefined ? 'not ranked' : formatOrdinal(rank));
  const why = refused ?? (because.slice(0, MAX_INFLUENCES).map(shortText).join(', ') || 'others moved');
  return `${id} (grade ${grade}) ${place(before)} → ${place(after)}: ${why}`;
}

/** `votes +0.4`; where nothing is summed `votes 0.5 → 0.7`. */
function shortText({ kind, id, before, after, difference }: Influence): string {
  const name = kind === 'rule' ? `rule ${id}` : id;
  if (difference !== undefined) return `${name} ${formatSigned(difference)}`;
  const [from, to] = [before, after].map((x) => (x === undefined ? '–' : formatNumber(x)));
  return from === to ? `${name} weighs otherwise` : `${name} ${from} → ${to}`;
}

/** What is said of a part of a profile. */
export const EARNS_TEXT: Readonly<Record<PartEarning['verdict'], string>> = {
  earns: 'earns its place',
  harms: 'harms: better without it',
  'changes nothing': 'redundant here: changes nothing that is measured',
  'not shown': 'not shown to change anything',
};
