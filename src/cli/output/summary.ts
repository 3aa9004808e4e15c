import type { Problem } from '../../diagnostics/problem.js';
import type { Degraded } from '../../engine/failures/failures.js';
import { isMap } from '../../expression/plain-data.js';
import { labelOf, type Labels } from '../../profile/labels.js';
import type { RefusedCount, TopCounts } from '../../ranking/counts.js';
import type { Ranking } from '../../ranking/ranking.js';
import type { NumberByScorer } from '../../ranking/score-terms.js';
import { escapeInvisible } from '../../text/escape-invisible.js';
import { formatNumber } from '../../text/format-number.js';
import { truncateEnd, wrap } from '../../text/wrap.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';
import { count, counted } from './format.js';
import type { RankingView } from './ranking-view.js';

/** The reasons of the profile's `select`, in words. */
const LEFT_OUT_TEXT: Readonly<Record<string, string>> = {
  duplicate: 'like a better one',
  min_score: 'scored below min_score',
  offset: 'before the offset',
  per: 'enough of their group are selected',
  per_before: 'enough of their group came before them',
  top: 'below the top',
  out_of_reach: 'could not reach the top',
  below_min_score: 'could not reach min_score',
  not_reranked: 'not among the best that were asked about',
};

/**
 * The line above a table: `1,832 candidates, 12 selected, 5 refused`.
 *
 * @param word what the selected are called
 */
export function countsLine({ given, selected, leftOut, refused }: TopCounts, word: 'selected' | 'in'): string {
  const parts = [
    counted(given, 'candidate'),
    `${count(selected)} ${word}`,
    ...(leftOut > 0 ? [`${count(leftOut)} left out`] : []),
    ...(refused > 0 ? [`${count(refused)} refused`] : []),
  ];
  return parts.join(', ');
}

/** The sections below the table of a ranking: the refused and the left out by reason, pruning, and the reports. */
export function summary(ranking: RankingView, { limit, colour }: OutputStyle): string {
  const paint = createStyler(colour);
  const faintly = (line: string): string => (line.startsWith('    ') ? paint('dim', line) : line);
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `\n${paint('bold', title)}\n${lines.map((line) => `${faintly(truncateEnd(`  ${line}`, limit))}\n`).join('')}`;
  return [
    section('Weights', caseWeightLines(ranking)),
    section('Refused', refusalLines(ranking)),
    section(
      'Left out',
      ranking.leftOut.map(
        ({ reason, count: times }) => `${LEFT_OUT_TEXT[reason] ?? reason.replaceAll('_', ' ')}: ${count(times)}`,
      ),
    ),
    section('Asked late', prunedLines(ranking)),
    section(
      'Report',
      [...ranking.report].flatMap(([id, value]) => reportLines(labelOf(ranking.labels, id), value)),
    ),
  ].join('');
}

/** The weights of each case that one of the selected is in, and of those that are in none. */
function caseWeightLines(ranking: RankingView): readonly string[] {
  const { selected, weights, caseWeights } = ranking;
  if (caseWeights.size === 0 || !weights) return [];
  const cases = selected.map(({ index }) => (index < 0 ? undefined : ranking.terms({ index })?.case));
  const used = [...caseWeights].filter(([name]) => cases.includes(name));
  if (used.length === 0) return [];
  const text = (numbers: NumberByScorer): string =>
    Object.entries(numbers)
      .map(([id, weight]) => `${labelOf(ranking.labels, id)} ${weight === null ? '–' : formatNumber(weight)}`)
      .join(', ');
  const others = cases.includes(undefined) ? [`no case: ${text(weights)}`] : [];
  return [...used.map(([name, numbers]) => `${escapeInvisible(name)}: ${text(numbers)}`), ...others];
}

/** On about how many candidates each deferred scorer was run, and whether that may have changed what is selected. */
export function prunedLines({ pruned, labels }: Pick<RankingView, 'pruned' | 'labels'>): readonly string[] {
  if (!pruned) return [];
  const lines = pruned.entries.map(
    ({ entry, asked, pruned: rest }) =>
      `${labelOf(labels, entry)}: about ${count(asked)} of ${counted(asked + rest, 'candidate')}`,
  );
  return pruned.exact ? lines : [...lines, 'not exact: one that was pruned may belong among the selected'];
}

/** The refused of a ranking by entry and kind, and how they are named. */
interface RefusalView extends Pick<RankingView, 'labels'> {
  readonly refused: readonly RefusedCount[];
  nameOf(row: { readonly id: string; readonly index: number }): string;
}

/** The name of the entry that refused, with the kind of its refusal where it is no veto. */
export const refuserText = (labels: Labels | undefined, by: string, kind: RefusedCount['kind']): string =>
  `${escapeInvisible(labelOf(labels, by))}${kind === 'veto' ? '' : ` (${kind})`}`;

/** The refused by entry, the largest count first, each with a few examples. */
export const refusalLines = (ranking: RefusalView): readonly string[] =>
  ranking.refused
    .toSorted((a, b) => b.count - a.count)
    .flatMap(({ by, kind, count: times, examples }) => [
      `${refuserText(ranking.labels, by, kind)}: ${count(times)}`,
      ...examples.map(({ reason, ...row }) => `  ${escapeInvisible(ranking.nameOf(row))}: ${escapeInvisible(reason)}`),
    ]);

/** A report: a line for each item of a list of maps, one line for any other value. */
function reportLines(id: string, value: unknown): readonly string[] {
  const isRows = Array.isArray(value) && value.length > 0 && value.every(isMap);
  if (!isRows) return [`${id}: ${valueText(value)}`];
  return [`${id}:`, ...value.map((item) => `  ${Object.values(item).map(fieldText).join('  ')}`)];
}

const fieldText = (value: unknown): string => (typeof value === 'string' ? escapeInvisible(value) : valueText(value));

const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

const valueText = (value: unknown): string =>
  escapeInvisible(JSON.stringify(value, (_key, part: unknown) => rounded(part)) ?? 'nothing');

const MAX_WARNINGS = 8;

/** Whether a warning says why a run has no result: it stands above the result, and not below it. */
export const isUrgent = ({ code }: Problem): boolean => code === 'ASZ721' || code === 'ASZ722';

/** What a failed entry's candidates got in its place. */
const SUBSTITUTE_TEXT = { absent: 'it was left out', refused: 'refused', passed: 'passed' } as const;

/** How many causes of one entry are shown; of those that came once each, one. */
const MAX_CAUSES = 3;

/** What made an entry fail: each cause with its count, where there are several. */
function causesText({ cause, causes, count: times }: Degraded): string {
  if (!causes) return cause;
  const shown = causes.slice(0, times > MAX_CAUSES && causes[0]?.count === 1 ? 1 : MAX_CAUSES);
  const rest = times - shown.reduce((sum, one) => sum + one.count, 0);
  const texts = shown.map((one) => `${one.cause} (${count(one.count)})`);
  return [...texts, ...(rest > 0 ? [`and others (${count(rest)})`] : [])].join('; ');
}

/** The failures that did not fail the run, and its warnings but for the urgent ones, as one block; empty when there are none. */
export function runWarningsText(
  { degraded, warnings: all }: Pick<Ranking<unknown>, 'degraded' | 'warnings'>,
  { columns, colour }: OutputStyle,
): string {
  const paint = createStyler(colour);
  const block = (title: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `\n${paint(['bold', 'yellow'], title)}\n${lines.map((line) => `${wrap(escapeInvisible(line), columns, '  ')}\n`).join('')}`;
  const failures = degraded.map((failure) => {
    const { entry, stage, count: times, instead } = failure;
    const where = `${entry} failed in ${stage}${times > 1 ? ` on ${counted(times, 'candidate')}` : ''}`;
    const substitute = typeof instead === 'number' ? `${instead} stands in` : SUBSTITUTE_TEXT[instead];
    return `${where}; ${substitute}: ${causesText(failure)}`;
  });
  const warnings = all.filter((warning) => !isUrgent(warning));
  const more = warnings.length - MAX_WARNINGS;
  const shown = [
    ...warnings
      .slice(0, MAX_WARNINGS)
      .map(({ code, message, hint }) => `${message}${hint === undefined ? '' : `; ${hint}`} (${code})`),
    ...(more > 0 ? [`… and ${count(more)} more: --format json has them all`] : []),
  ];
  return block('Degraded', failures) + block('Warnings', shown);
}
