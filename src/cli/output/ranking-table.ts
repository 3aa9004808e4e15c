import type { Pipeline } from '../../pipeline/index.js';
import { labelOf, type Labels } from '../../profile/index.js';
import type { RankingResult, ScoreTerms } from '../../ranking/index.js';
import {
  formatNumber,
  type TableColumn,
  tableText,
  displayWidth,
  extentOf,
  escapeInvisible,
  maxWidth,
  truncateEnd,
  truncateMiddle,
  wrap,
} from '../../base/index.js';
import { createStyler, type Styler } from '../terminal/styler.js';
import type { Io, Output, OutputStyle } from '../terminal/io.js';
import { writeProblems } from '../terminal/problems.js';
import { bar, columnFormatter, partialCells } from './format.js';
import { rankingJsonLines } from './json.js';
import { countsLine, isUrgent, runWarningsText, summary } from './summary.js';

/** Writes the rows of a ranking to standard output, and warnings and notices to standard error. */
export function writeRanking(
  pipeline: Pick<Pipeline<object>, 'warnings' | 'describe'>,
  ranking: RankingResult<unknown>,
  format: 'table' | 'jsonl',
  io: Io,
): void {
  writeProblems([...pipeline.warnings, ...ranking.warnings.filter(isUrgent)], io);
  if (format === 'jsonl') io.out.write(rankingJsonLines(ranking));
  else io.out.write(rankingTable(ranking, pipeline.describe().scorers, io.out) + summary(ranking, io.out));
  io.err.write(ranking.notices.map((notice) => `${notice}\n`).join('') + runWarningsText(ranking, io.err));
}

/** The width and the style of a table. */
export type TableStyle = OutputStyle & Pick<Output, 'bars'>;

/** Shown in place of a number if the scorer abstained or did not run. */
const DASH = '–';
/** Marks the rank of a row that is listed before one with a better rank. */
const MOVED = '↑';
/** Shown in place of a number if the scorer failed. */
const CROSS = '✗';

/**
 * The selected candidates of a ranking as a table that fits the width, below a line of counts.
 *
 * @param scorers the ids of the profile's scorers: one column each, with values before weights
 */
export function rankingTable(ranking: RankingResult<unknown>, scorers: readonly string[], style: TableStyle): string {
  const paint = createStyler(style.colour);
  const { counts, selected } = ranking;
  const head = `${paint('bold', escapeInvisible(ranking.profile))}: ${countsLine(counts, 'selected')}\n`;
  if (selected.length === 0) return head;
  return `${head}\n${body(ranking, scorerColumns(ranking, scorers), style, paint)}`;
}

/** The widest name of a case. */
const MAX_CASE_WIDTH = 16;

function body(
  ranking: RankingResult<unknown>,
  scorers: readonly ScorerColumn[],
  style: TableStyle,
  paint: Styler,
): string {
  const rows = ranking.selected;
  const ids = rows.map((row) => escapeInvisible(ranking.nameOf(row)));
  const movedBy = new Set(rows.flatMap(({ moved }) => moved ?? []));
  const ranks = rankCells(rows, movedBy.size > 0);
  const format = columnFormatter(ranking.extent());
  const scores = rows.map(({ score, because = '' }) => (score === undefined ? because : format(score)));
  const scoreWidth = maxWidth(['score', ...scores]);
  const partial = partialCells(rows);
  const terms = rows.map(({ index }) => (index < 0 ? undefined : ranking.terms({ index })));
  const cases = caseCells(terms);
  const rules = terms.map((one) => changedBy(one, ranking.labels));
  const subheads = cases ? [] : weightHeads(ranking, scorers);
  const layout = layOutTable({
    columns: style.limit,
    fixed: [
      maxWidth(ranks),
      scoreWidth,
      ...(partial ? [maxWidth(['scorers', ...partial])] : []),
      ...(cases ? [maxWidth(['case', ...cases])] : []),
    ],
    id: maxWidth(ids),
    scorers: scorers.map(({ name, cells }, k) => {
      return { name: displayWidth(name), values: maxWidth([...cells, subheads[k] ?? '']) };
    }),
    rules: rules.some(Boolean) ? maxWidth(['rules', ...rules]) : 0,
    bars: style.bars,
  });
  const full = rows.reduce((most, { score }) => Math.max(most, score ?? 0), 1);
  const barOf = (row: number): string =>
    layout.bar === 0 ? '' : ` ${paint('cyan', bar(rows[row]!.score ?? 0, full, layout.bar))}`;
  const scoreCells = scores.map((score, row) => paint('bold', score.padStart(scoreWidth)) + barOf(row));
  const scoreHead = layout.bar === 0 ? 'score' : 'score'.padStart(scoreWidth).padEnd(scoreWidth + 1 + layout.bar);
  const columns: TableColumn[] = [
    { head: '#', align: 'right', cells: ranks.map((rank) => paint('dim', rank)) },
    { head: 'id', align: 'left', cells: ids.map((id) => truncateMiddle(id, layout.id)) },
    { head: scoreHead, align: 'right', cells: scoreCells },
    ...(partial ? [{ head: 'scorers', align: 'right', cells: partial } as const] : []),
    ...(cases ? [{ head: 'case', align: 'left', cells: cases } as const] : []),
    ...layout.scorers.map((width, i): TableColumn => {
      const { name, cells } = scorers[i]!;
      const faint = cells.map((cell) => (cell === DASH || cell === CROSS ? paint('dim', cell) : cell));
      return { head: truncateEnd(name, width), subhead: subheads[i] ?? '', align: 'right', cells: faint };
    }),
    ...(layout.rules > 0
      ? [{ head: 'rules', align: 'left', cells: rules.map((fired) => truncateEnd(fired, layout.rules)) } as const]
      : []),
  ];
  const hidden = scorers.slice(layout.scorers.length).map(({ name }) => name);
  const notes = [
    ...(movedBy.size > 0 ? [`${MOVED} put before better ranks by ${[...movedBy].join(' and ')}`] : []),
    ...(hidden.length > 0 ? [`not shown: ${hidden.join(', ')}`] : []),
  ];
  const lines = notes.map((note) => `${paint('dim', wrap(note, style.columns, ''))}\n`);
  return tableText(columns, paint, layout.gap) + lines.join('');
}

/** The ranks, with a mark at each row that is listed before one with a better rank. */
const rankCells = (rows: RankingResult<unknown>['selected'], anyMoved: boolean): readonly string[] =>
  rows.map(({ rank, moved }) => {
    const mark = anyMoved ? (moved ? MOVED : ' ') : '';
    return rank === undefined ? '' : `${rank}${mark}`;
  });

/** The case of each row; undefined if no row has a case. */
function caseCells(terms: readonly (ScoreTerms | undefined)[]): readonly string[] | undefined {
  if (terms.every((one) => one?.case === undefined)) return undefined;
  return terms.map((one) => truncateEnd(escapeInvisible(one?.case ?? ''), MAX_CASE_WIDTH));
}

/** The rules that changed a score. */
function changedBy(terms: ScoreTerms | undefined, labels: Labels | undefined): string {
  let before = terms?.combined;
  const ids = (terms?.rules ?? []).filter(({ score }) => {
    const changed = score !== before;
    before = score;
    return changed;
  });
  return ids.map(({ id }) => escapeInvisible(labelOf(labels, id))).join(', ');
}

/** The weight of each scorer; empty if there is only one scorer with weight 1. */
function weightHeads({ weights }: RankingResult<unknown>, scorers: readonly ScorerColumn[]): readonly string[] {
  if (!weights || (scorers.length === 1 && Object.values(weights)[0] === 1)) return [];
  return scorers.map(({ id }) => weightText(weights[id]));
}

const weightText = (weight: number | null | undefined): string =>
  typeof weight === 'number' ? `×${formatNumber(Number(weight.toPrecision(3)))}` : DASH;

/** The column of one scorer: its values before weights, dashes and crosses. */
interface ScorerColumn {
  readonly id: string;
  /** Its label, else its id. */
  readonly name: string;
  readonly cells: readonly string[];
}

function scorerColumns(ranking: RankingResult<unknown>, scorers: readonly string[]): readonly ScorerColumn[] {
  const { matrix, selected } = ranking;
  const rowOf = new Map(Array.from(matrix.index, (position, row) => [position, row]));
  const rows = selected.map(({ index }) => rowOf.get(index));
  return scorers.map((id) => {
    const cells = rows.map((row) => (row === undefined ? undefined : matrix.cell(id, row)));
    const format = columnFormatter(extentOf(cells.map((cell) => cell?.value ?? Number.NaN)));
    const text = (cell: (typeof cells)[number]) =>
      cell?.value !== undefined ? format(cell.value) : cell?.state === 'failed' ? CROSS : DASH;
    return { id, name: escapeInvisible(labelOf(ranking.labels, id)), cells: cells.map(text) };
  });
}

/** The widths that the parts of a ranking's table would have without a limit. */
interface LayoutRequest {
  readonly columns: number;
  /** The columns that cannot shrink: rank, score, number of scorers. */
  readonly fixed: readonly number[];
  readonly id: number;
  /** Each scorer's column: its name, and its numbers. */
  readonly scorers: readonly { readonly name: number; readonly values: number }[];
  /** The ids of the rules; 0 if none is shown. */
  readonly rules: number;
  readonly bars: boolean;
}

/** The widths that fit. */
interface TableLayout {
  readonly gap: number;
  readonly id: number;
  /** 0 for no bar. */
  readonly bar: number;
  readonly rules: number;
  /** The widths of the visible columns of scorers. */
  readonly scorers: readonly number[];
}

/** The maximum of each part. */
interface ColumnLimits {
  gap: number;
  id: number;
  rules: number;
  /** The width of a scorer's name. */
  name: number;
  /** The number of scorers that have a column. */
  shown: number;
}

const GAP = 2;
const MAX_ID_WIDTH = 48;
const BAR = { least: 5, most: 16 };

/** Which part shrinks to which width, in this order, until the table fits. */
const SHRINK_ORDER: readonly [part: keyof ColumnLimits, least: number][] = [
  ['name', 7],
  ['rules', 12],
  ['id', 32],
  ['name', 5],
  ['gap', 1],
  ['id', 24],
  ['rules', 5],
  ['shown', 0],
  ['id', 8],
];

/** Fits a table into its width; the bar takes the rest. */
export function layOutTable({ columns, fixed, id, scorers, rules, bars }: LayoutRequest): TableLayout {
  const most = { name: Math.max(0, ...scorers.map(({ name }) => name)), id: Math.min(id, MAX_ID_WIDTH), rules };
  const widths = ({ name, shown }: ColumnLimits) =>
    scorers.slice(0, shown).map((scorer) => Math.max(scorer.values, Math.min(scorer.name, name)));
  const slack = (shape: ColumnLimits): number => {
    const all = [...fixed, shape.id, ...widths(shape), ...(rules > 0 ? [shape.rules] : [])];
    return columns - all.reduce((sum, width) => sum + width + shape.gap, -shape.gap);
  };

  const shape: ColumnLimits = { ...most, gap: GAP, shown: scorers.length };
  for (const [part, least] of SHRINK_ORDER) while (slack(shape) < 0 && shape[part] > least) shape[part] -= 1;
  // A step may have freed more than was needed.
  for (const part of ['name', 'id', 'rules'] as const)
    while (shape[part] < most[part] && slack({ ...shape, [part]: shape[part] + 1 }) >= 0) shape[part] += 1;

  const barWidth = Math.min(BAR.most, slack(shape) - 1);
  return {
    gap: shape.gap,
    id: shape.id,
    rules: shape.rules,
    bar: bars && barWidth >= BAR.least ? barWidth : 0,
    scorers: widths(shape),
  };
}
