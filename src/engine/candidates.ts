import { columnsOf, dateFactsOf, lookAt, RowCursor } from '../columns/index.js';
import { describeValue, type Problem, toAssizeError } from '../diagnostics/index.js';
import { compileSteps, ownValue, parsePath, storedReader } from '../expression/index.js';
import { candidateReads, problemsWithDates, type Profile } from '../profile/index.js';
import { nameWithPosition } from './candidate-name.js';

const ownId = (candidate: unknown): unknown => ownValue(candidate, 'id');

/** A candidate's id: what the path in `candidate.id` gives, else its `id`, else its position as `#3`. */
export const idOf = (profile: Profile, candidate: unknown, index: number): string =>
  ownIdOf(profile, candidate) ?? `#${index}`;

/** The id that a candidate has whatever its position. */
export function ownIdOf(profile: Profile, candidate: unknown): string | undefined {
  let id: unknown;
  try {
    const path = profile.candidate.id;
    id = (path ?? ownId)(candidate);
    // A path reads a date as a number; as an id it is the text of its instant.
    if (path && typeof id === 'number') id = compileSteps(path.steps, storedReader)(candidate);
  } catch {
    return undefined; // a candidate's own getter throws
  }
  if (id instanceof Date) return Number.isNaN(id.getTime()) ? undefined : id.toISOString();
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

/** The candidates of a run by id, and how texts name them. Built when first needed, in O(candidates). */
export class CandidateNames {
  #first: Map<string, number> | undefined;
  #shared: Map<string, number[]> | undefined;

  /** @param made those that only a fallback generated */
  constructor(
    private readonly profile: Profile,
    private readonly candidates: readonly unknown[],
    private readonly made: readonly unknown[] = [],
  ) {}

  /** By id: the position of the first candidate that has it; −1 for one that only a fallback generated. */
  get first(): ReadonlyMap<string, number> {
    return (this.#first ??= this.#build());
  }

  /** By id that several candidates have: their positions, ascending. */
  get shared(): ReadonlyMap<string, readonly number[]> {
    this.#first ??= this.#build();
    return this.#shared ?? NONE_SHARED;
  }

  /** The id of the candidate at a position. */
  idAt(position: number): string {
    return idOf(this.profile, position < 0 ? this.made[0] : this.candidates[position], position);
  }

  /** The name of a candidate: its id, with its position where several candidates have the id. */
  nameOf({ id, index }: { readonly id: string; readonly index: number }): string {
    return this.shared.has(id) ? nameWithPosition(id, index) : id;
  }

  /** The name of the candidate at a position. */
  nameAt(position: number): string {
    return this.nameOf({ id: this.idAt(position), index: position });
  }

  #build(): Map<string, number> {
    const first = new Map<string, number>();
    const at = lookAt(this.candidates, firstKey(this.profile.candidate.id));
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

/** The key that a path begins with; that of an id where there is none. */
function firstKey(path: Profile['candidate']['id']): string | undefined {
  if (!path) return 'id';
  const [first] = path.steps;
  return first?.kind === 'key' ? first.key : undefined;
}

const NONE_SHARED: ReadonlyMap<string, readonly number[]> = new Map();

/** @throws AssizeError where a candidate is no object; a list is none */
export function checkCandidate(candidate: unknown, index: number): void {
  const isList = Array.isArray(candidate);
  if (typeof candidate === 'object' && candidate !== null && !isList) return;
  const message = `candidate ${index} is ${describeValue(candidate)}; expected an object`;
  const hint = isList ? 'one list has all candidates: [a, b]; a row of values needs names: { stars: 3 }' : undefined;
  throw toAssizeError([{ code: 'ASZ502', message, hint }]);
}

/**
 * Candidates are objects: anything else would be scored as if every field were absent, so say what was expected.
 *
 * @param offset where in the whole these begin
 */
export function checkCandidates(candidates: readonly unknown[], offset = 0): void {
  if (columnsOf(candidates)) return; // each of their rows is one
  // By index: an iterator of entries costs as much for each candidate as a scorer does.
  for (let i = 0; i < candidates.length; i++) checkCandidate(candidates[i], offset + i);
}

/** By profile and fields: what was found. A stream is checked chunk by chunk. */
const found = new WeakMap<Profile, Map<string, readonly Problem[]>>();

/**
 * Checks the expressions of a profile against the fields that a table says are dates.
 *
 * @throws AssizeError (ASZ402) where a date is compared with a text
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

/** The same for candidates: columns say which fields are dates, objects do not. */
export const checkDatesOf = (profile: Profile, candidates: readonly unknown[]): void =>
  checkDates(profile, dateFactsOf(candidates)?.fields);

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
