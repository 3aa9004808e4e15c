import type { Problem } from '../../base/index.js';
import { parsePath, type PathStep } from '../../expression/index.js';
import { candidateReads, type Profile } from '../../profile/index.js';
import { infiniteDateWarnings, UnseenPaths } from '../../ranking/index.js';
import { type Dialect, fail } from './dialect.js';
import { Fields } from './fields.js';
import type { Relation } from './relation.js';
import { Layers } from './values.js';

/** The kinds of rows that statements return. */
const PARTS = ['count', 'below', 'chosen', 'row', 'run', 'next', 'there'] as const;

const isPart = (part: unknown): part is (typeof PARTS)[number] => PARTS.some((one) => one === part);

/** A row of a statement's result. */
export interface PrefilterRow {
  readonly part: (typeof PARTS)[number];
  readonly pos: number;
  readonly verdict: number;
  readonly many: number;
  readonly cells: string | null;
}

/** The SELECT clause for such a row. */
export function resultRow(
  { types }: Dialect,
  part: PrefilterRow['part'],
  numbers: readonly [string, string, string],
  cells: string,
): string {
  const [pos, verdict, many] = numbers.map((value) => `CAST(${value} AS ${types.position})`);
  const text = (value: string): string => `CAST(${value} AS ${types.text})`;
  return `SELECT ${text(`'${part}'`)} AS part, ${pos} AS pos, ${verdict} AS verdict, ${many} AS many, ${text(cells)} AS cells`;
}

/** A row of the input that the process evaluates. */
export interface ChosenRow {
  readonly pos: number;
  /** SQL's verdict; −1 if the row is uncertain. */
  readonly verdict: number;
  readonly cells: string;
}

/** The parsed result of a statement. */
export interface PrefilterResult {
  /** The number of rows with each verdict. */
  readonly counts: ReadonlyMap<number, number>;
  /** The number of scored rows below `min_score`. */
  readonly below: number;
  /** In the order of positions. */
  readonly chosen: readonly ChosenRow[];
  /** The upper bound of all other rows' scores; −Infinity if there is no other row. */
  readonly next: number;
  /** The fingerprint of the statement. */
  readonly fingerprint: string | undefined;
}

/** Converts a row from a driver. Its numbers may be strings or BigInts. */
export function toPrefilterRow(row: Readonly<Record<string, unknown>>): PrefilterRow {
  const { part, cells } = row;
  const [pos, verdict, many] = ['pos', 'verdict', 'many'].map((key) => Number(row[key] ?? Number.NaN));
  if (!isPart(part) || !Number.isSafeInteger(pos) || !Number.isSafeInteger(verdict) || !Number.isSafeInteger(many)) {
    fail('ASZ572', 'a row is not from the result of a statement', 'its columns are part, pos, verdict, many and cells');
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
 * Parses the result of a statement.
 *
 * @throws TypeError if a chosen row has no cells
 * @throws AssizeError if a chosen row is missing or occurs twice (ASZ570)
 */
export function sortPrefilterRows(rows: Iterable<PrefilterRow>): PrefilterResult {
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
    else if (cells === null) throw new TypeError(`row ${pos} was returned without its values`);
    else chosen.push({ pos, verdict, cells });
  }
  if (new Set(chosen.map(({ pos }) => pos)).size !== expected || chosen.length !== expected) {
    const message = `the column that orders the rows has NULL or duplicate values: ${chosen.length} rows were returned for ${expected}`;
    fail('ASZ570', message, 'use a column with a unique value in each row, such as a primary key');
  }
  return { counts, below, next, fingerprint, chosen: chosen.toSorted((a, b) => a.pos - b.pos) };
}

/** Runs additional statements. */
interface Asker {
  readonly dialect: Dialect;
  readonly ask: (sql: string) => Promise<readonly PrefilterRow[]>;
}

/**
 * Finds the fields that a profile reads and that no row has (ASZ712). A field of an evaluated row exists, and a field
 * without a column does not. For every other field, a statement searches for the first row that has it.
 */
export class AbsentFields {
  readonly #unseen: UnseenPaths;

  /** @param asker undefined without a database; a field that may exist then counts as existing */
  constructor(
    private readonly profile: Profile,
    private readonly relation: Relation,
    private readonly asker: Asker | undefined,
  ) {
    this.#unseen = new UnseenPaths(profile);
  }

  /** Adds rows that were evaluated. */
  add(candidates: readonly object[]): void {
    this.#unseen.add(candidates);
  }

  /** The warnings about fields that no row has, and about infinite dates. */
  async warnings(): Promise<readonly Problem[]> {
    const absent = await this.#absent();
    const counts = this.asker ? await countInfiniteDates(this.profile, this.relation, this.asker) : undefined;
    return [...absent, ...infiniteDateWarnings(this.profile, counts)];
  }

  async #absent(): Promise<readonly Problem[]> {
    const { unseen, paths } = this.#unseen;
    const absent: number[] = [];
    for (const [k, { steps }] of paths.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      if (!(await this.#mayExist(steps))) absent.push(unseen[k]!);
    }
    this.#unseen.merge(absent);
    return this.#unseen.warnings();
  }

  async #mayExist([first, ...rest]: readonly PathStep[]): Promise<boolean> {
    if (first?.kind !== 'key') return true;
    const column = this.relation.column(first.key);
    if (!column) return false;
    if (!this.asker || column.kind === 'other') return true;
    const { dialect, ask } = this.asker;
    try {
      return (await ask(this.#existsQuery(dialect, [first, ...rest]))).length > 0;
    } catch {
      return true; // not known, so there is no warning
    }
  }

  /** A statement that returns one row if any row has the field. */
  #existsQuery(dialect: Dialect, steps: readonly PathStep[]): string {
    const layers = new Layers();
    const fields = new Fields(dialect, this.relation, layers);
    const { sql } = fields.isPresent(steps);
    const rows = layers.around(this.relation.read(fields.columns), dialect.fence);
    return `${resultRow(dialect, 'there', ['0', '0', '1'], 'NULL')} FROM (\n${rows}\n) AS d WHERE ${sql} LIMIT 1`;
  }
}

/** The date columns that a profile reads. */
export function dateFields(profile: Profile, relation: Relation): ReadonlySet<string> {
  const keys = candidateReads(profile).flatMap(({ field }) => {
    const [first] = field === undefined ? [] : parsePath(field);
    return first?.kind === 'key' ? [first.key] : [];
  });
  return new Set(keys.filter((key) => relation.column(key)?.kind === 'time'));
}

/**
 * Counts the rows with an infinite date, by column. A column that the database cannot count has no entry, and so no
 * warning.
 */
export async function countInfiniteDates(
  profile: Profile,
  relation: Relation,
  { dialect, ask }: Asker,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const name of dateFields(profile, relation)) {
    const layers = new Layers();
    const fields = new Fields(dialect, relation, layers);
    const isInfinite = fields.isInfinite([{ kind: 'key', key: name }]);
    const rows = layers.around(relation.read(fields.columns), dialect.fence);
    const sql = `${resultRow(dialect, 'there', ['0', '0', 'count(*)'], 'NULL')} FROM (\n${rows}\n) AS d WHERE ${isInfinite}`;
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const [row] = await ask(sql).catch(() => []);
    if (row && row.many > 0) counts.set(name, row.many);
  }
  return counts;
}
