import type { NoteData } from '../contract/index.js';
import type { Refusal } from '../engine/kernel/verdict.js';

/** A candidate with its name and its place in the input. */
export interface Placed<T> {
  readonly id: string;
  /** Its position in the candidates that were given; −1 for one that only a fallback made. */
  readonly index: number;
  readonly candidate: T;
}

/** A candidate that was scored. */
export interface Ranked<T> extends Placed<T> {
  readonly score: number;
  /** 1 is the best. */
  readonly rank: number;
  /** On how many of the run's scorers it was scored, where some abstained. */
  readonly partial?: { readonly present: number; readonly of: number };
}

/** A candidate of a stream that was not refused. */
export interface Scored<T> extends Placed<T> {
  /** Undefined for what is pinned, and so not scored. */
  readonly score: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  readonly because?: 'pinned';
}

/** A candidate that was selected: a ranked one, or one that is there whatever it scores. */
export interface Selected<T> extends Placed<T> {
  /** Undefined for what was pinned, and for a fallback. */
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  /** What it costs, where the profile packs. */
  readonly cost?: number;
  /** Why it is here, where that is not its score. */
  readonly because?: 'pinned' | 'fallback';
}

/** A candidate that was refused: by a veto, by an entry's rule for absence or failure, or because nothing scored it. */
export interface Refused<T> extends Placed<T> {
  readonly kind: Refusal;
  /** The entry that refused it; `combine` where none did alone. */
  readonly by: string;
  /** Made when it is read, by asking the entry again. */
  readonly reason: string;
  /** Every entry that refused it, where the profile asks them all (`veto_on_first: false`). */
  readonly all: readonly { readonly kind: Refusal; readonly by: string; readonly reason: string }[];
}

/** What was spared: the candidates that expensive scorers were not asked about. */
export interface Pruned {
  /**
   * Whether what is selected is what it would be had they been asked about everybody: not so after a rerank, nor where
   * one of them left the range that it declares, by which others were spared.
   */
  readonly exact: boolean;
  /** About how many candidates each was asked, of those that the vetoes kept, and about how many not. */
  readonly entries: readonly { readonly entry: string; readonly asked: number; readonly pruned: number }[];
}

/** A candidate that was not selected: a ranked one, one that was not asked about by all, or a pinned one whose cost is below 0. */
export interface LeftOut<T> extends Placed<T> {
  /** Undefined for what was pinned, or not asked about by all. */
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  /** What it costs, where that was asked and is known. */
  readonly cost?: number;
  /** `duplicate`, `min_score`, `top`; `out_of_reach`, `below_min_score`, `not_reranked`; `no_cost`, `negative_cost`, `pinned_first`, `truncated`; or the packing class's own. */
  readonly reason: string;
  /** The same in words, with its numbers. Made when it is read. */
  readonly text: string;
  /** The values behind the words. */
  readonly data?: NoteData | undefined;
  /**
   * The ids of those that are in its place: the better duplicate, whatever became of that, or who has the room. Absent
   * where nobody has, and where no single answer is right.
   */
  readonly keptInstead?: readonly string[] | undefined;
}
