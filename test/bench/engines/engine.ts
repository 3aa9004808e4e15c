import type { Item } from './work.js';

/** A selected item: its position in the list, and its score. */
export interface Placed {
  readonly index: number;
  readonly score: number;
}

/** Ranks one list: the best, best first. */
export type Rank = (list: readonly Item[]) => readonly Placed[] | Promise<readonly Placed[]>;

/**
 * Somebody who can do the work of `work.ts`. Each has a loop of its own: in a shared one V8 would see all engines, and
 * inline none.
 */
export interface Engine {
  readonly name: string;
  /** The package that does it. */
  readonly package?: string;
  /** How far its scores may be from ours: rounding, or what it calculates with. */
  readonly tolerance: number;
  /** So slow that it is given a part of the large data, and the time for one candidate is compared. */
  readonly slow?: boolean;
  /** Everything that can be done once: parsing, compiling, loading. */
  open(): Promise<Rank> | Rank;
}
