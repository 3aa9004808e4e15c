import { lookAt } from '../../columns/index.js';
import type { Profile } from '../../profile/index.js';
import { idOf } from './id.js';
import { nameWithPosition } from './name-with-position.js';

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
