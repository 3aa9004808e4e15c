import { type Columns, columnsOf, dateFactsOf, lookAt, RowCursor } from '../data/index.js';
import { toAssizeError, describeValue, type Problem } from '../base/index.js';
import { compileSteps, storedReader, parsePath, ownValue } from '../expression/index.js';
import { type CandidateRead, candidateReads, problemsWithDates, type Profile } from '../profile/index.js';
import { nameWithPosition, positionName } from './candidate-name.js';

/** A candidate's id: the value at the path in `candidate.id`, else its `id`, else its position as `@3`. */
export const idOf = (profile: Profile, candidate: unknown, index: number): string =>
  ownIdOf(profile, candidate) ?? positionName(index);

/** The id of a candidate, without the fallback to its position. */
export function ownIdOf(profile: Profile, candidate: unknown): string | undefined {
  let id: unknown;
  try {
    const path = profile.candidate.id;
    id = path ? path(candidate) : ownValue(candidate, 'id');
    // A path reads a date as a number. As an id it is the ISO text.
    if (path && typeof id === 'number') id = compileSteps(path.steps, storedReader)(candidate);
  } catch {
    return undefined; // a getter of the candidate throws
  }
  if (id instanceof Date) return Number.isNaN(id.getTime()) ? undefined : id.toISOString();
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

/** The candidates of a run by id, and their names in texts. Built when first needed, in O(candidates). */
export class CandidateNames {
  #first: Map<string, number> | undefined;
  #shared: Map<string, number[]> | undefined;
  /** Whether any candidate has an id, once it is known. */
  #hasIds: boolean | undefined;

  /** @param made candidates that only a fallback generated */
  constructor(
    private readonly profile: Profile,
    private readonly candidates: readonly unknown[],
    private readonly made: readonly unknown[] = [],
  ) {}

  /** By id: the position of the first candidate with it; −1 for a candidate that only a fallback generated. */
  get first(): ReadonlyMap<string, number> {
    return (this.#first ??= this.#build());
  }

  /** By id that several candidates share: their positions, ascending. */
  get shared(): ReadonlyMap<string, readonly number[]> {
    if (!this.#first && this.#haveIds()) this.#first = this.#build();
    return this.#shared ?? NONE_SHARED;
  }

  /** The id of the candidate at a position. */
  idAt(position: number): string {
    return idOf(this.profile, position < 0 ? this.made[0] : this.candidates[position], position);
  }

  /** The name of a candidate: its id, with its position if several candidates share the id. */
  nameOf({ id, index }: { readonly id: string; readonly index: number }): string {
    return this.shared.has(id) ? nameWithPosition(id, index) : id;
  }

  /** The name of the candidate at a position. */
  nameAt(position: number): string {
    return this.nameOf({ id: this.idAt(position), index: position });
  }

  /** Whether any candidate has an id. Positions are never shared, so a map of them is not needed for names. */
  #haveIds(): boolean {
    if (this.#hasIds !== undefined) return this.#hasIds;
    const at = this.#reader();
    this.#hasIds = false;
    for (let index = 0; index < this.candidates.length && !this.#hasIds; index++)
      this.#hasIds = ownIdOf(this.profile, at(index)) !== undefined;
    return this.#hasIds;
  }

  #reader(): (index: number) => unknown {
    return lookAt(this.candidates, firstKey(this.profile.candidate.id));
  }

  #build(): Map<string, number> {
    const first = new Map<string, number>();
    const at = this.#reader();
    for (let index = 0; index < this.candidates.length; index++) {
      const id = idOf(this.profile, at(index), index);
      const before = first.get(id);
      if (before === undefined) first.set(id, index);
      else this.#share(id, before, index);
    }
    for (const candidate of this.made) {
      const id = idOf(this.profile, candidate, -1);
      if (!first.has(id)) first.set(id, -1);
    }
    return first;
  }

  #share(id: string, first: number, index: number): void {
    this.#shared ??= new Map();
    const positions = this.#shared.get(id);
    if (positions) positions.push(index);
    else this.#shared.set(id, [first, index]);
  }
}

/** The first key of the path, or `id` without a path; undefined if the path starts with an index. */
function firstKey(path: Profile['candidate']['id']): string | undefined {
  if (!path) return 'id';
  const [first] = path.steps;
  return first?.kind === 'key' ? first.key : undefined;
}

const NONE_SHARED: ReadonlyMap<string, readonly number[]> = new Map();

/** @throws AssizeError (ASZ502) if a candidate is not an object; a list and a revoked proxy do not count as one */
export function checkCandidate(candidate: unknown, index: number): void {
  const isList = isListOrRevoked(candidate);
  if (typeof candidate === 'object' && candidate !== null && isList === false) return;
  const message = `candidate ${index} is ${describeValue(candidate)}; expected an object`;
  const hint = isList
    ? 'pass all candidates in one flat list: [a, b], and each candidate with named fields: { stars: 3 }'
    : undefined;
  throw toAssizeError([{ code: 'ASZ502', message, hint }]);
}

/** Whether a value is a list; undefined for a revoked proxy, for which `Array.isArray` throws. */
export function isListOrRevoked(value: unknown): boolean | undefined {
  try {
    return Array.isArray(value);
  } catch {
    return undefined;
  }
}

/**
 * Checks that candidates are objects. Anything else would be scored as if every field were absent.
 *
 * @param offset the position of the first one in the whole input
 */
export function checkCandidates(candidates: readonly unknown[], offset = 0): void {
  if (columnsOf(candidates)) return; // every row of columns is an object
  // By index: an iterator of entries costs as much per candidate as a scorer.
  for (let i = 0; i < candidates.length; i++) checkCandidate(candidates[i], offset + i);
}

/** By profile and fields: the problems found. Cached, because a stream is checked chunk by chunk. */
const found = new WeakMap<Profile, Map<string, readonly Problem[]>>();

/**
 * Checks the expressions of a profile against the fields that are dates in a table.
 *
 * @throws AssizeError (ASZ402) if an expression compares a date with a text
 */
export function checkDates(profile: Profile, fields: ReadonlySet<string> | undefined): void {
  if (!fields || fields.size === 0) return;
  const known = found.get(profile) ?? new Map<string, readonly Problem[]>();
  found.set(profile, known);
  const key = JSON.stringify([...fields]);
  const problems = known.get(key) ?? problemsWithDates(profile, fields);
  known.set(key, problems);
  if (problems.length > 0) throw toAssizeError(problems);
}

/** The same for candidates. Columns declare which fields are dates; objects do not. */
export const checkDatesOf = (profile: Profile, candidates: readonly unknown[]): void =>
  checkDates(profile, dateFactsOf(candidates)?.fields);

/** Returns the candidate at a position. For columns, the object is valid until the next call. */
export type CandidateAt = (position: number) => unknown;

/** Candidates that are stored by column. */
export interface OpenColumns {
  readonly table: Columns;
  /** The fields that the profile reads. */
  readonly fields: ReadonlySet<string>;
  readonly at: CandidateAt;
}

/** Reads candidates that are stored by column, for the functions of a profile. */
export class ColumnReader {
  #cursor: RowCursor | undefined;
  #fields: ReadonlySet<string> | undefined;
  #known = false;

  constructor(private readonly profile: Profile) {}

  /** The keys that the profile reads in candidates; undefined if it may read any key. */
  get fields(): ReadonlySet<string> | undefined {
    if (!this.#known) this.#fields = fieldsRead(candidateReads(this.profile));
    this.#known = true;
    return this.#fields;
  }

  /** Opens candidates that are stored by column; undefined if they are not, or if the profile may read any key. */
  open(candidates: readonly unknown[]): OpenColumns | undefined {
    const table = columnsOf(candidates);
    const { fields } = this;
    if (!table || !fields) return undefined;
    return { table, fields, at: (this.#cursor ??= new RowCursor(fields)).reader(table) };
  }

  /** A reader of any list. */
  readerOf(candidates: readonly unknown[]): CandidateAt {
    return this.open(candidates)?.at ?? ((position) => candidates[position]);
  }
}

/**
 * The keys of candidates that are read; undefined if any key may be read.
 *
 * @param withIds whether to include the id, which is read only to name a candidate
 */
export function fieldsRead(reads: readonly CandidateRead[], withIds = true): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const { by, field } of reads) {
    if (by === 'candidate.id' && !withIds) continue;
    const [first] = field === undefined ? [] : parsePath(field);
    if (first?.kind !== 'key') return undefined;
    keys.add(first.key);
  }
  return keys;
}
