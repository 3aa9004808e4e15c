import type { NoteData } from '../contract/index.js';
import type { Refusal } from '../engine/index.js';
import type { ScoreTerms } from './score-terms.js';

/** A candidate with its id and its position in the input. */
export interface Placed<T> {
  readonly id: string;
  /** Its position in the candidates that were given; −1 for one that only a fallback generated. */
  readonly index: number;
  readonly candidate: T;
}

/** A candidate that was scored. */
export interface Ranked<T> extends Placed<T> {
  readonly score: number;
  /** 1 is the best. */
  readonly rank: number;
  /** How many of the run's scorers have a number for it, where some have none. */
  readonly partial?: { readonly present: number; readonly of: number };
}

/** A candidate of a stream that was not refused. With the option `terms` a row with a score has the numbers that it is made of. */
export interface Scored<T> extends Placed<T>, Partial<ScoreTerms> {
  /** Undefined for a pinned candidate, which is not scored. */
  readonly score: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  readonly because?: 'pinned';
}

/** The reason of a class under `select` for a candidate that it keeps. */
export interface SelectionNote {
  readonly reason: string;
  /** The same in words, with its numbers. */
  readonly text: string;
  /** The values in the text. */
  readonly data?: NoteData | undefined;
}

/** A candidate that was selected: a ranked one, a pinned one, or a fallback. */
export interface Selected<T> extends Placed<T> {
  /** Undefined for a pinned candidate and for a fallback. */
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  /** Its cost, where the profile packs. */
  readonly cost?: number;
  /** Why it is selected, where that is not its score. */
  readonly because?: 'pinned' | 'fallback';
  /** The reason of the class that chose it, such as what it lost by being like one chosen before. */
  readonly note?: SelectionNote;
  /** The step of `select` that put it before one with a better rank; missing where its place is that of its rank. */
  readonly moved?: 'diversify' | 'place';
}

/** A candidate that was refused: by a veto, by an entry's `on_absent` or `on_error`, by a rule, or because nothing scored it. */
export interface Refused<T> extends Placed<T> {
  readonly kind: Refusal;
  /** The id of the entry that refused it; `combine` where combining did. */
  readonly by: string;
  /** Computed when it is read, by evaluating the entry again. */
  readonly reason: string;
  /** Every entry that refused it, where the profile runs them all (`veto_on_first: false`). */
  readonly all: readonly { readonly kind: Refusal; readonly by: string; readonly reason: string }[];
}

/** How many candidates expensive scorers did not score, and whether that changed the selection. */
export interface Pruned {
  /**
   * Whether the selection is the one that scoring all candidates would give: not so after a rerank, nor where a
   * scorer left the range that it declares, from which the upper bounds were computed.
   */
  readonly exact: boolean;
  /** For each such scorer, how many of the candidates that passed the vetoes it scored (`asked`), and how many not. */
  readonly entries: readonly { readonly entry: string; readonly asked: number; readonly pruned: number }[];
}

/** A candidate that was not selected: a ranked one, a pruned one, or a pinned one that is on the first page, or costs less than 0. */
export interface LeftOut<T> extends Placed<T> {
  /** Undefined for a pinned or a pruned candidate. */
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  /** Its cost, where it was computed. */
  readonly cost?: number;
  /** `duplicate`, `min_score`, `per`, `per_before`, `offset`, `top`; `out_of_reach`, `below_min_score`, `not_reranked`; `no_cost`, `negative_cost`, `pinned_first`, `truncated`; or the diversifying or packing class's own. */
  readonly reason: string;
  /** The same in words, with its numbers. Computed when it is read. */
  readonly text: string;
  /** The values in the text. */
  readonly data?: NoteData | undefined;
  /**
   * The names of the candidates that are in its place, which are ids, as `widget (#3)` where several have the id: the better duplicate, selected or not, those of its group, or those that take its room.
   * Absent where there are none, and where no single one is.
   */
  readonly keptInstead?: readonly string[] | undefined;
}
