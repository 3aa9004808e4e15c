import type { Snapshot } from '../model/snapshot.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatValue } from '../parts/format.js';
import { type ListColumn, SCORE } from './list-columns.js';

/** From one number to another, both included. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What is searched for, narrowed by, shown and sorted by. */
export interface ListSettings {
  readonly search: string;
  /** By the keys of columns. A candidate without a number is in no range. */
  readonly ranges: Readonly<Record<string, Range>>;
  /** The keys of the columns that are shown beside the score. */
  readonly shown: readonly string[];
  /** The key of a column, `moved`, or `id`. */
  readonly sortBy: string;
  readonly descending: boolean;
}

export const WHOLE_LIST: ListSettings = { search: '', ranges: {}, shown: [], sortBy: SCORE.key, descending: true };

/** Whether a list is the ranking itself, from the first on. */
export const isPlain = ({ search, ranges, sortBy, descending }: ListSettings): boolean =>
  search.trim() === '' && Object.keys(ranges).length === 0 && sortBy === SCORE.key && descending;

/** A list with another range of a column; without one, where that is undefined. */
export function withRange(list: ListSettings, key: string, range: Range | undefined): ListSettings {
  const { [key]: _, ...ranges } = list.ranges;
  return { ...list, ranges: range ? { ...ranges, [key]: range } : ranges };
}

/**
 * The positions of the candidates to list, in order: their ranks stay those of the ranking. Linear, and where it is sorted
 * by something else than the score, a sort.
 */
export function viewOf(
  model: StudioModel,
  shown: Snapshot,
  list: ListSettings,
  columns: readonly ListColumn[],
): Int32Array {
  if (isPlain(list)) return shown.order;
  const { ranking } = model;
  const positions = ranking.matrix.index;
  const rows = ranking.order.filter(both(inRanges(model, list, columns), found(model, list.search)));
  if (list.sortBy === SCORE.key) {
    const ordered = rows.map((row) => positions[row]!);
    return list.descending ? ordered : ordered.reverse();
  }
  const by = sortValue(model, shown, list.sortBy, columns);
  const sorted = Array.from(rows, (row) => ({ position: positions[row]!, value: by(row) }));
  sorted.sort((a, b) => order(a.value, b.value, list.descending));
  return Int32Array.from(sorted, ({ position }) => position);
}

type RowTest = (row: number) => boolean;

const both =
  (a: RowTest, b: RowTest): RowTest =>
  (row) =>
    a(row) && b(row);

function inRanges({ ranking }: StudioModel, { ranges }: ListSettings, columns: readonly ListColumn[]): RowTest {
  const tests = columns.flatMap((column) => {
    const range = ranges[column.key];
    return range ? [{ ...range, numbers: column.numbers(ranking) }] : [];
  });
  return (row) => tests.every(({ numbers, least, most }) => numbers[row]! >= least && numbers[row]! <= most);
}

function found({ data, ranking }: StudioModel, search: string): RowTest {
  const words = search.trim().toLowerCase();
  if (words === '') return () => true;
  return (row) => textOf(data.candidates[ranking.matrix.index[row]!]!).includes(words);
}

/** The texts and numbers of a candidate, to search in. */
const textOf = (candidate: object): string =>
  Object.values(candidate)
    .map((value: unknown) => (value instanceof Date ? value.toISOString() : value))
    .filter((value) => typeof value !== 'object')
    .join('\n')
    .toLowerCase();

function sortValue(
  { ranking, baseline }: StudioModel,
  shown: Snapshot,
  key: string,
  columns: readonly ListColumn[],
): (row: number) => unknown {
  const positions = ranking.matrix.index;
  if (key === 'moved') {
    return (row) => {
      const before = baseline.ranks[positions[row]!]!;
      return before === 0 ? undefined : before - shown.ranks[positions[row]!]!;
    };
  }
  if (key === 'id') return (row) => ranking.rankedAt(shown.ranks[positions[row]!]!)?.id;
  const column = columns.find((one) => one.key === key);
  return (row) => column?.valueOf(ranking, row);
}

/** Numbers by size, others as texts; what is absent comes last, in either direction. */
function order(a: unknown, b: unknown, descending: boolean): number {
  const [left, right] = [a ?? undefined, b ?? undefined];
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  const sign = descending ? -1 : 1;
  if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
  return sign * compareTexts(formatValue(left), formatValue(right));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a !== b));
