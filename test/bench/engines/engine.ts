import type { Item } from './work.js';

/** A selected item: its position in the list, and its score. */
export interface Placed {
  readonly index: number;
  readonly score: number;
}

/** Ranks one list, best first. */
export type Rank = (list: readonly Item[]) => readonly Placed[] | Promise<readonly Placed[]>;

/**
 * An engine that can do the work of `work.ts`. Each has its own loop: in a shared loop V8 would see all engines and
 * inline none.
 */
export interface Engine {
  readonly name: string;
  /** The package that is measured. */
  readonly package?: string;
  /** The largest allowed difference from our scores: rounding, or a different number type. */
  readonly tolerance: number;
  /** So slow that it runs on part of the large data; the time per candidate is compared. */
  readonly slow?: boolean;
  /** Everything that can be done once: parsing, compiling, loading. */
  open(): Promise<Rank> | Rank;
}
