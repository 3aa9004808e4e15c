import type { NoteData } from '../sdk/index.js';
import type { Extent, Problem } from '../base/index.js';
import type { BudgetUse, Degraded, Refusal } from '../engine/index.js';
import type { Labels } from '../profile/index.js';
import type { Explanation } from './explain/explanation.js';
import type { ScoreMatrix } from './score-matrix.js';
import type { NumberByScorer, ScoreTerms } from './score-terms.js';

/** A candidate with its id and its position in the input. */
export interface Placed<T> {
  readonly id: string;
  /** Its position in the input; −1 if only a fallback generated it. */
  readonly index: number;
  readonly candidate: T;
}

/** A candidate that was scored. */
export interface Ranked<T> extends Placed<T> {
  readonly score: number;
  /** 1 is the best. */
  readonly rank: number;
  /** How many of the run's scorers have a number for it; missing if all have. */
  readonly partial?: { readonly present: number; readonly of: number };
}

/** A candidate of a stream that was not refused. With the option `terms`, a scored row includes the terms of its score. */
export interface Scored<T> extends Placed<T>, Partial<ScoreTerms> {
  /** Undefined for a pinned candidate, which is not scored. */
  readonly score: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  readonly because?: 'pinned';
}

/** The reason that a class under `select` gave for selecting a candidate. */
export interface SelectionNote {
  readonly reason: string;
  /** The reason as text, with its numbers. */
  readonly text: string;
  /** The values in the text. */
  readonly data?: NoteData | undefined;
}

/** A shorter version of a candidate. */
export interface SelectedVariant {
  /** Its position in the candidate's list of variants. */
  readonly at: number;
  /** Its fields. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** A candidate that was selected: a ranked one, a pinned one, or a fallback. */
export interface Selected<T> extends Placed<T> {
  /** Undefined for a pinned candidate and for a fallback. */
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  /** Its cost, if the profile packs. */
  readonly cost?: number;
  /** The shorter version that is packed instead of the whole candidate, if the profile has `select.pack.variants`. */
  readonly variant?: SelectedVariant;
  /** Why it is selected, if not for its score. */
  readonly because?: 'pinned' | 'fallback';
  /** The reason that a class gave for selecting it, such as its penalty for similarity to candidates selected before. */
  readonly note?: SelectionNote;
  /** The step of `select` that put it before a candidate with a better rank; missing if none did. */
  readonly moved?: 'diversify' | 'place';
}

/** A candidate that was refused: by a veto, by an entry's `on_absent` or `on_error`, by a rule, or because it has no score. */
export interface Refused<T> extends Placed<T> {
  readonly kind: Refusal;
  /** The id of the entry that refused it; `combine` if the combine method did. */
  readonly by: string;
  /** Computed when read, by evaluating the entry again. */
  readonly reason: string;
  /** All refusals. Several are possible only with `veto_on_first: false`, which runs all vetoes. */
  readonly all: readonly { readonly kind: Refusal; readonly by: string; readonly reason: string }[];
}

/** How many candidates expensive scorers did not run on, and whether that can change the selection. */
export interface Pruned {
  /**
   * Whether the selection equals that of a run which scores all candidates. False after a rerank, and if a scorer left
   * its declared range, because the upper bounds are computed from the ranges.
   */
  readonly exact: boolean;
  /** For each expensive scorer: the candidates that passed the vetoes and that it scored (`evaluated`) or did not (`pruned`). */
  readonly entries: readonly { readonly entry: string; readonly evaluated: number; readonly pruned: number }[];
}

/** A candidate that was not selected: ranked, pruned, or pinned (on another page, or with a negative cost). */
export interface NotSelected<T> extends Placed<T> {
  /** Undefined for a pinned or a pruned candidate. */
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  /** Its cost, if it was computed. */
  readonly cost?: number;
  /**
   * Of selecting: `duplicate`, `min_score`, `per`, `per_before`, `offset`, `top`. Of pruning and reranking:
   * `out_of_reach`, `below_min_score`, `not_reranked`. Of packing: `no_cost`, `negative_cost`, `pinned_first`,
   * `truncated`, `incomplete`. Or a reason that the diversifying or packing class declares.
   */
  readonly reason: string;
  /** The reason as text, with its numbers. Computed when read. */
  readonly text: string;
  /** The values in the text. */
  readonly data?: NoteData | undefined;
  /**
   * The names of the candidates that replaced it: the better duplicate (selected or not), those of its group, or those
   * that use its part of the budget. A name is an id, or `widget (@3)` if several have the id. Missing if no particular
   * candidate replaced it.
   */
  readonly replacedBy?: readonly string[] | undefined;
}

/** The number of example candidates in a count of refusals. */
export const EXAMPLES_PER_REASON = 3;

/** The number of candidates of each kind. Always: given = selected + notSelected + refused. */
export interface TopCounts {
  /** The candidates in the input, or those that the strategies generated instead. */
  readonly given: number;
  /** How many were scored. */
  readonly ranked: number;
  /** How many candidates of the input are selected, including by a fallback. */
  readonly selected: number;
  readonly notSelected: number;
  readonly refused: number;
  /** How many selected candidates a fallback generated, in addition to the input. Missing if it is 0. */
  readonly generated?: number;
}

/** The lists of a ranking that may have a row for every candidate. */
export interface EachRow<T> {
  readonly ranked: Ranked<T>;
  readonly notSelected: NotSelected<T>;
  readonly refused: Refused<T>;
}

/** A candidate as a caller names it: by its id, its name as `nameOf` returns it, or its position in the input. */
export type Which = string | { readonly index: number };

/**
 * The result of a run of any kind: a list, a stream, a file, threads, SQL or a queue. A run in bounded memory does not
 * keep `ranked`, `notSelected`, `refused` and `signals`, so they are undefined. The counts by reason are always
 * present.
 */
export interface RankingResult<T> {
  /** The profile's name. */
  readonly profile: string;
  /** The display names (`label`) of the profile's entries, by id; undefined if no entry has one. */
  readonly labels: Labels | undefined;
  /** The time of the run, in milliseconds since 1970. */
  readonly now: number;
  /** The seed of random choices; undefined if nothing is random. */
  readonly seed?: number | undefined;
  readonly counts: TopCounts;
  /** The selected candidates, in their order. */
  readonly selected: readonly Selected<T>[];
  /** Every candidate that was scored, best first. */
  readonly ranked?: readonly Ranked<T>[];
  /** The candidates that were neither refused nor selected, with the reason. */
  readonly notSelected?: readonly NotSelected<T>[];
  readonly refused?: readonly Refused<T>[];
  /** Iterates over the rows of a list without keeping them. Undefined if the run does not keep the list. */
  each?<L extends keyof EachRow<T>>(list: L): Iterable<EachRow<T>[L]>;
  /** How many were not selected, by reason. */
  readonly notSelectedCounts: readonly NotSelectedCount[];
  /** How many were refused, by entry and kind, with the first few of each as examples. */
  readonly refusedCounts: readonly RefusedCount[];
  /** The use of the budget; undefined if the profile does not pack. */
  readonly budget: BudgetUse | undefined;
  /** How many candidates expensive scorers did not run on; undefined if they ran on all. */
  readonly pruned: Pruned | undefined;
  /** The values of the profile's reports, by id. */
  readonly report: Readonly<Record<string, unknown>>;
  /** The values of the signals of the run, by id; the phase is `phase`. */
  readonly signals?: Readonly<Record<string, unknown>>;
  /** The failures that did not fail the run. */
  readonly degraded: readonly Degraded[];
  /** Probable mistakes in the candidates and the scores. */
  readonly warnings: readonly Problem[];
  /** How the ranking was computed, if that differs from the options. */
  readonly notices: readonly string[];
  /** The weights of the run by scorer, normalized in a mean. Undefined if the combine method does not use weights. */
  readonly weights: NumberByScorer | undefined;
  /** The same by case of the profile's `weights`. */
  readonly caseWeights: Readonly<Record<string, NumberByScorer>>;
  /** The numbers of the rows in the result. */
  readonly matrix: ScoreMatrix;
  /** The range of the totals of all ranked candidates. */
  extent(): Extent;
  /** The name of a candidate in texts: its id, with its position if several share the id. */
  nameOf(row: Pick<Placed<T>, 'id' | 'index'>): string;
  /** Why a candidate has its result. */
  explain(which: Which): Explanation;
  /** The numbers of a score, without reasons. */
  terms(which: Which): ScoreTerms | undefined;
}

/** How many candidates one entry refused with one kind of refusal, with the first few as examples. */
export interface RefusedCount extends Pick<Refused<unknown>, 'by' | 'kind'> {
  readonly count: number;
  readonly examples: readonly Pick<Refused<unknown>, 'id' | 'index' | 'reason'>[];
}

/** How many candidates were not selected for one reason. */
export interface NotSelectedCount {
  readonly reason: string;
  readonly count: number;
}

/** How many selected candidates are from the input. Candidates that a fallback generated have no position. */
export const ownCount = (selected: readonly Pick<Selected<unknown>, 'index'>[]): number =>
  selected.filter(({ index }) => index >= 0).length;

export const generatedCount = (generated: number): Pick<TopCounts, 'generated'> => (generated > 0 ? { generated } : {});

/** Counts refused rows by entry and kind, in the order of their first row. */
export function refusedCounts(refused: Iterable<Refused<unknown>>): readonly RefusedCount[] {
  const groups = new Map<
    string,
    RefusedCount & { count: number; readonly examples: RefusedCount['examples'][number][] }
  >();
  for (const row of refused) {
    const { by, kind } = row;
    const key = `${by} ${kind}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { by, kind, count: 0, examples: [] }));
    group.count += 1;
    if (group.examples.length < EXAMPLES_PER_REASON) {
      const { id, index, reason } = row;
      group.examples.push({ id, index, reason });
    }
  }
  return [...groups.values()];
}

/** Counts rows by reason, in the order of their first row. */
export function notSelectedCounts(notSelected: Iterable<NotSelected<unknown>>): readonly NotSelectedCount[] {
  const counts = new Map<string, number>();
  for (const { reason } of notSelected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => ({ reason, count }));
}
