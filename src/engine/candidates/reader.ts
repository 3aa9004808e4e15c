import { columnsOf, RowCursor } from '../../columns/index.js';
import { parsePath } from '../../expression/index.js';
import { candidateReads, type Profile } from '../../profile/index.js';

/** Gives the candidate at a position: of columns an object that is valid until the next call. */
export type CandidateAt = (position: number) => unknown;

/** How the functions of a profile read candidates that are kept by column. */
export class ColumnReader {
  #cursor: RowCursor | undefined;
  #fields: ReadonlySet<string> | undefined;
  #known = false;

  constructor(private readonly profile: Profile) {}

  /** The keys that the profile reads in candidates; undefined where it may read anything. */
  get fields(): ReadonlySet<string> | undefined {
    if (!this.#known) this.#fields = fieldsRead(this.profile);
    this.#known = true;
    return this.#fields;
  }

  /** Reads a list of candidates by column, where it is kept so and all that the profile reads is known. */
  reader(candidates: readonly unknown[]): CandidateAt | undefined {
    const columns = columnsOf(candidates);
    if (!columns || !this.fields) return undefined;
    return (this.#cursor ??= new RowCursor(this.fields)).reader(columns);
  }

  /** The same for any list. */
  readerOf(candidates: readonly unknown[]): CandidateAt {
    return this.reader(candidates) ?? ((position) => candidates[position]);
  }
}

/**
 * The keys of candidates that a profile reads; undefined where it may read anything.
 *
 * @param withIds whether the id is among them, which is read only to name a candidate
 */
export function fieldsRead(profile: Profile, withIds = true): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const { by, field } of candidateReads(profile)) {
    if (by === 'candidate.id' && !withIds) continue;
    const [first] = field === undefined ? [] : parsePath(field);
    if (first?.kind !== 'key') return undefined;
    keys.add(first.key);
  }
  return keys;
}
