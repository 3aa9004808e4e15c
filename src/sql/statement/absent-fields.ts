import type { Problem } from '../../diagnostics/index.js';
import type { PathStep } from '../../expression/index.js';
import type { Profile } from '../../profile/index.js';
import { UnseenPaths } from '../../ranking/index.js';
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
    profile: Profile,
    private readonly relation: Relation,
    private readonly asker: Asker | undefined,
  ) {
    this.#unseen = new UnseenPaths(profile);
  }

  /** Adds rows that were judged. */
  add(candidates: readonly object[]): void {
    this.#unseen.add(candidates);
  }

  async warnings(): Promise<readonly Problem[]> {
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
