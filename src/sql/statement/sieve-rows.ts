import type { Dialect } from '../dialects/dialect.js';
import { fail } from '../problems.js';

/** What a row is about: those of a sieve, and whether a field is there. */
const PARTS = ['count', 'below', 'chosen', 'row', 'run', 'next', 'there'] as const;

const isPart = (part: unknown): part is (typeof PARTS)[number] => PARTS.some((one) => one === part);

/** A row of what a statement gives. */
export interface SieveRow {
  readonly part: (typeof PARTS)[number];
  readonly pos: number;
  readonly verdict: number;
  readonly many: number;
  readonly cells: string | null;
}

/** A query of such a row, up to its FROM. */
export function resultRow(
  { types }: Dialect,
  part: SieveRow['part'],
  numbers: readonly [string, string, string],
  cells: string,
): string {
  const [pos, verdict, many] = numbers.map((value) => `CAST(${value} AS ${types.position})`);
  const text = (value: string): string => `CAST(${value} AS ${types.text})`;
  return `SELECT ${text(`'${part}'`)} AS part, ${pos} AS pos, ${verdict} AS verdict, ${many} AS many, ${text(cells)} AS cells`;
}

/** A row of the input that the process judges. */
export interface ChosenRow {
  readonly pos: number;
  /** What SQL says of it; −1 where it promises nothing. */
  readonly verdict: number;
  readonly cells: string;
}

/** What a statement gave, sorted out. */
export interface SieveResult {
  /** How many rows have each verdict. */
  readonly counts: ReadonlyMap<number, number>;
  /** How many of the scored are below `min_score`. */
  readonly below: number;
  /** By position. */
  readonly chosen: readonly ChosenRow[];
  /** The most that any other row may score; −Infinity where there is none. */
  readonly next: number;
  /** Of the statement that gave them. */
  readonly fingerprint: string | undefined;
}

/** A row as a driver gives it: numbers may be texts or big integers. */
export function toSieveRow(row: Readonly<Record<string, unknown>>): SieveRow {
  const { part, cells } = row;
  const [pos, verdict, many] = ['pos', 'verdict', 'many'].map((key) => Number(row[key] ?? Number.NaN));
  if (!isPart(part) || !Number.isSafeInteger(pos) || !Number.isSafeInteger(verdict) || !Number.isSafeInteger(many)) {
    fail('ASZ572', 'a row is none of the result of a statement', 'its columns are part, pos, verdict, many and cells');
  }
  return {
    part,
    pos: pos!,
    verdict: verdict!,
    many: many!,
    cells: typeof cells === 'string' ? cells : null,
  };
}

/**
 * Sorts out what a statement gave.
 *
 * @throws TypeError where a chosen row has come without its cells
 * @throws AssizeError where not each of them has come once (ASZ570)
 */
export function sortSieveRows(rows: Iterable<SieveRow>): SieveResult {
  const counts = new Map<number, number>();
  let below = 0;
  let expected = 0;
  const chosen: ChosenRow[] = [];
  let next = -Infinity;
  let fingerprint: string | undefined;
  for (const { part, pos, verdict, many, cells } of rows) {
    if (part === 'count') counts.set(verdict, many);
    else if (part === 'below') below = many;
    else if (part === 'chosen') expected = many;
    else if (part === 'next') next = Number(cells ?? Infinity);
    else if (part === 'run') fingerprint = cells ?? undefined;
    else if (cells === null) throw new TypeError(`row ${pos} has come without its values`);
    else chosen.push({ pos, verdict, cells });
  }
  if (new Set(chosen.map(({ pos }) => pos)).size !== expected || chosen.length !== expected) {
    const message = `the column that orders the rows has NULL, or a value twice: ${chosen.length} rows have come for ${expected}`;
    fail('ASZ570', message, 'a column in which each row has a value of its own does, such as a primary key');
  }
  return { counts, below, next, fingerprint, chosen: chosen.toSorted((a, b) => a.pos - b.pos) };
}
