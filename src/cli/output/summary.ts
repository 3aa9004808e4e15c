import { isMap } from '../../expression/is-map.js';
import type { RefusedCount } from '../../ranking/counts.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import { escapeInvisible } from '../../text/escape-invisible.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';
import { count, counted, truncateEnd } from './text.js';

/** Why the profile's `select` left out what it left out, in words. */
const LEFT_OUT_TEXT: Readonly<Record<string, string>> = {
  duplicate: 'like a better one',
  min_score: 'scored below min_score',
  top: 'below the top',
  out_of_reach: 'could not reach the top',
  below_min_score: 'could not reach min_score',
  not_reranked: 'not among the best that were asked about',
};

/** What became of the others, and what the reports say: what stands under the table of a ranking. */
export function summary(ranking: TopRanking<unknown>, { limit, colour }: OutputStyle): string {
  const paint = createStyler(colour);
  const faintly = (line: string): string => (line.startsWith('    ') ? paint('dim', line) : line);
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `\n${paint('bold', title)}\n${lines.map((line) => `${faintly(truncateEnd(`  ${line}`, limit))}\n`).join('')}`;
  return [
    section('Refused', refusalLines(ranking.refused)),
    section(
      'Left out',
      ranking.leftOut.map(
        ({ reason, count: times }) => `${LEFT_OUT_TEXT[reason] ?? reason.replaceAll('_', ' ')}: ${count(times)}`,
      ),
    ),
    section('Asked late', prunedLines(ranking)),
    section(
      'Report',
      [...ranking.report].flatMap(([id, value]) => reportLines(id, value)),
    ),
  ].join('');
}

/** About how many each late scorer was asked; and whether that may have cost anybody a place. */
export function prunedLines({ pruned }: Pick<TopRanking<unknown>, 'pruned'>): readonly string[] {
  if (!pruned) return [];
  const lines = pruned.entries.map(
    ({ entry, asked, pruned: rest }) => `${entry}: about ${count(asked)} of ${counted(asked + rest, 'candidate')}`,
  );
  return pruned.exact ? lines : [...lines, 'not exact: one that was pruned may belong among the selected'];
}

/** By who refused them, most first, each with a few examples. */
export const refusalLines = (refused: readonly RefusedCount[]): readonly string[] =>
  refused
    .toSorted((a, b) => b.count - a.count)
    .flatMap(({ by, kind, count: times, examples }) => [
      `${kind === 'veto' ? by : `${by} (${kind})`}: ${count(times)}`,
      ...examples.map(({ id, reason }) => `  ${escapeInvisible(id)}: ${escapeInvisible(reason)}`),
    ]);

/** A list of maps has a line for each, whatever else is one line. */
function reportLines(id: string, value: unknown): readonly string[] {
  const isRows = Array.isArray(value) && value.length > 0 && value.every(isMap);
  if (!isRows) return [`${id}: ${valueText(value)}`];
  return [`${id}:`, ...value.map((item) => `  ${Object.values(item).map(fieldText).join('  ')}`)];
}

const fieldText = (value: unknown): string => (typeof value === 'string' ? escapeInvisible(value) : valueText(value));

const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

const valueText = (value: unknown): string =>
  escapeInvisible(JSON.stringify(value, (_key, part: unknown) => rounded(part)) ?? 'nothing');
