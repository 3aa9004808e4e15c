import type { Problem } from '../../diagnostics/index.js';
import { parsePath, type PathStep } from '../../expression/index.js';
import { candidateReads, type Profile } from '../../profile/index.js';
import { infiniteDateWarnings, UnseenPaths } from '../../ranking/index.js';
import type { Dialect } from '../dialects/dialect.js';
import { Fields } from '../values/fields.js';
import { Layers } from '../values/layers.js';
import type { Relation } from '../rows/relation.js';
import { resultRow, type SieveRow } from './sieve-rows.js';

/** Asks a database one more statement. */
export interface Asker {
  readonly dialect: Dialect;
  readonly ask: (sql: string) => Promise<readonly SieveRow[]>;
}

/**
 * The fields that a profile reads and no row has (ASZ712). What a judged row has is there, and what no column can hold is
 * not; a database is asked about the others alone, each until the first row that has it.
 */
export class AbsentFields {
  readonly #unseen: UnseenPaths;

  /** @param asker undefined where no database is at hand: then a field that may be there counts as one */
  constructor(
    private readonly profile: Profile,
    private readonly relation: Relation,
    private readonly asker: Asker | undefined,
  ) {
    this.#unseen = new UnseenPaths(profile);
  }

  /** Adds rows that were judged. */
  add(candidates: readonly object[]): void {
    this.#unseen.add(candidates);
  }

  /** The fields that no row has, and the infinite dates of those that are read. */
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
      if (!(await this.#mayBeThere(steps))) absent.push(unseen[k]!);
    }
    this.#unseen.merge(absent);
    return this.#unseen.warnings();
  }

  async #mayBeThere([first, ...rest]: readonly PathStep[]): Promise<boolean> {
    if (first?.kind !== 'key') return true;
    const column = this.relation.column(first.key);
    if (!column) return false;
    if (!this.asker || column.kind === 'other') return true;
    const { dialect, ask } = this.asker;
    try {
      return (await ask(this.#isThere(dialect, [first, ...rest]))).length > 0;
    } catch {
      return true; // nothing is known of it, and a warning would be a guess
    }
  }

  /** A statement of one row, or none. */
  #isThere(dialect: Dialect, steps: readonly PathStep[]): string {
    const layers = new Layers();
    const fields = new Fields(dialect, this.relation, layers);
    const { sql } = fields.isPresent(steps);
    const rows = layers.around(this.relation.read(fields.columns), dialect.fence);
    return `${resultRow(dialect, 'there', ['0', '0', '1'], 'NULL')} FROM (\n${rows}\n) AS d WHERE ${sql} LIMIT 1`;
  }
}

/** The columns of dates that a profile reads. */
export function dateFields(profile: Profile, relation: Relation): ReadonlySet<string> {
  const keys = candidateReads(profile).flatMap(({ field }) => {
    const [first] = field === undefined ? [] : parsePath(field);
    return first?.kind === 'key' ? [first.key] : [];
  });
  return new Set(keys.filter((key) => relation.column(key)?.kind === 'time'));
}

/**
 * In how many rows each date that a profile reads is infinite. Nothing where the database cannot say it: a warning would be
 * a guess.
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
