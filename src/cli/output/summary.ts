import { isMap } from '../../document/map.js';
import { visible } from '../../document/visible.js';
import type { RefusedCount, TopRanking } from '../../pipeline/stream/top-ranking.js';
import type { Look } from '../terminal/io.js';
import { painter } from '../terminal/paint.js';
import { count, counted, cut } from './text.js';

/** Why the profile's `select` left out what it left out, in words. */
const LEFT: Readonly<Record<string, string>> = {
  duplicate: 'like a better one',
  min_score: 'scored below min_score',
  top: 'below the top',
  out_of_reach: 'could not reach the top',
  below_min_score: 'could not reach min_score',
  not_reranked: 'not among the best that were asked about',
};

/** What became of the others, and what the reports say: what stands under the table of a ranking. */
export function summary(ranking: TopRanking<unknown>, { limit, colour }: Look): string {
  const paint = painter(colour);
  const faintly = (line: string): string => (line.startsWith('    ') ? paint('dim', line) : line);
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `\n${paint('bold', title)}\n${lines.map((line) => `${faintly(cut(`  ${line}`, limit))}\n`).join('')}`;
  return [
    section('Refused', refusals(ranking.refused)),
    section(
      'Left out',
      ranking.leftOut.map(
        ({ reason, count: times }) => `${LEFT[reason] ?? reason.replaceAll('_', ' ')}: ${count(times)}`,
      ),
    ),
    section('Asked late', sparedText(ranking)),
    section(
      'Report',
      [...ranking.report].flatMap(([id, value]) => reported(id, value)),
    ),
  ].join('');
}

/** About how many each late scorer was asked; and whether that may have cost anybody a place. */
export function sparedText({ spared }: Pick<TopRanking<unknown>, 'spared'>): readonly string[] {
  if (!spared) return [];
  const lines = spared.entries.map(
    ({ entry, asked, spared: rest }) => `${entry}: about ${count(asked)} of ${counted(asked + rest, 'candidate')}`,
  );
  return spared.exact ? lines : [...lines, 'not exact: one that was spared may belong among the selected'];
}

/** By who refused them, most first, each with a few examples. */
export const refusals = (refused: readonly RefusedCount[]): readonly string[] =>
  refused
    .toSorted((a, b) => b.count - a.count)
    .flatMap(({ by, kind, count: times, examples }) => [
      `${kind === 'veto' ? by : `${by} (${kind})`}: ${count(times)}`,
      ...examples.map(({ id, reason }) => `  ${visible(id)}: ${visible(reason)}`),
    ]);

/** A list of maps has a line for each, whatever else is one line. */
function reported(id: string, value: unknown): readonly string[] {
  const isRows = Array.isArray(value) && value.length > 0 && value.every(isMap);
  if (!isRows) return [`${id}: ${valueText(value)}`];
  return [`${id}:`, ...value.map((item) => `  ${Object.values(item).map(fieldText).join('  ')}`)];
}

const fieldText = (value: unknown): string => (typeof value === 'string' ? visible(value) : valueText(value));

const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

const valueText = (value: unknown): string =>
  visible(JSON.stringify(value, (_key, part: unknown) => rounded(part)) ?? 'nothing');
