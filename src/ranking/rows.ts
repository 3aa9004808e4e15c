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
  /** Why it is selected, if that is not its score. */
  readonly because?: 'pinned' | 'fallback';
  /** The reason of the class that chose it, such as what it lost by being like one chosen before. */
  readonly note?: SelectionNote;
  /** The step of `select` that put it before one with a better rank; missing if its place is that of its rank. */
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
  /** For each such scorer, how many of the candidates that passed the vetoes it scored (`evaluated`), and how many not. */
  readonly entries: readonly { readonly entry: string; readonly evaluated: number; readonly pruned: number }[];
}

/** A candidate that was not selected: a ranked one, a pruned one, or a pinned one that is on the first page, or costs less than 0. */
export interface NotSelected<T> extends Placed<T> {
  /** Undefined for a pinned or a pruned candidate. */
  readonly score: number | undefined;
  readonly rank: number | undefined;
  readonly partial?: Ranked<T>['partial'];
  /** Its cost, if it was computed. */
  readonly cost?: number;
  /** `duplicate`, `min_score`, `per`, `per_before`, `offset`, `top`; `out_of_reach`, `below_min_score`, `not_reranked`; `no_cost`, `negative_cost`, `pinned_first`, `truncated`; or the diversifying or packing class's own. */
  readonly reason: string;
  /** The same in words, with its numbers. Computed when it is read. */
  readonly text: string;
  /** The values in the text. */
  readonly data?: NoteData | undefined;
  /**
   * The names of the candidates that are in its place, which are ids, as `widget (@3)` if several have the id: the better duplicate, selected or not, those of its group, or those that take its room.
   * Absent if there are none, and if no single one is.
   */
  readonly replacedBy?: readonly string[] | undefined;
}

/** How many refused candidates a count names as examples. */
export const EXAMPLES_PER_REASON = 3;

/** How many candidates there are of each kind: given = selected + notSelected + refused, always. */
export interface TopCounts {
  /** The caller's candidates, or those that the strategies generated in their place. */
  readonly given: number;
  /** How many were scored. */
  readonly ranked: number;
  /** How many of those given are selected, by a fallback too. */
  readonly selected: number;
  readonly notSelected: number;
  readonly refused: number;
  /**
   * How many more a fallback generated: they are in the list of the selected, and were not given. Absent if it
   * generated none.
   */
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
 * The result of a run: of a list, a stream, a file, threads, SQL or a queue. What a run in bounded memory does not keep
 * (`ranked`, `notSelected`, `refused`, `signals`) is absent there; its counts by reason are always present.
 */
export interface RankingResult<T> {
  /** The profile's name. */
  readonly profile: string;
  /** The names for people of the profile's entries that have one (`label`), by id; undefined if none has. */
  readonly labels: Labels | undefined;
  /** The time of the run, in milliseconds since 1970. */
  readonly now: number;
  readonly counts: TopCounts;
  /** The selected, in their order. */
  readonly selected: readonly Selected<T>[];
  /** Every candidate that was scored, best first. */
  readonly ranked?: readonly Ranked<T>[];
  /** The candidates that were neither refused nor selected, with the reason. */
  readonly notSelected?: readonly NotSelected<T>[];
  readonly refused?: readonly Refused<T>[];
  /** The rows of a list one after another, none of which is kept. Absent if the run does not keep them. */
  each?<L extends keyof EachRow<T>>(list: L): Iterable<EachRow<T>[L]>;
  /** How many were not selected, by reason. */
  readonly notSelectedCounts: readonly NotSelectedCount[];
  /** How many were refused, by entry and kind, with the first few of each. */
  readonly refusedCounts: readonly RefusedCount[];
  /** The use of the budget; undefined if the profile does not pack. */
  readonly budget: BudgetUse | undefined;
  /** How many candidates expensive scorers did not score; undefined if they scored all. */
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
  /** The weights of the run by scorer: in a mean the share of all weights. Undefined if the combine method uses none. */
  readonly weights: NumberByScorer | undefined;
  /** The same by case of the profile's `weights`. */
  readonly caseWeights: Readonly<Record<string, NumberByScorer>>;
  /** The numbers of the rows that the result keeps. */
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

/** How many candidates one entry refused for one kind of reason, with the first few. */
export interface RefusedCount extends Pick<Refused<unknown>, 'by' | 'kind'> {
  readonly count: number;
  readonly examples: readonly Pick<Refused<unknown>, 'id' | 'index' | 'reason'>[];
}

/** How many candidates were left out for one reason. */
export interface NotSelectedCount {
  readonly reason: string;
  readonly count: number;
}

/** How many of the selected were given: one that a fallback generated has no position. */
export const ownCount = (selected: readonly Pick<Selected<unknown>, 'index'>[]): number =>
  selected.filter(({ index }) => index >= 0).length;

/** The count of what a fallback generated, if it generated any. */
export const generatedCount = (generated: number): Pick<TopCounts, 'generated'> => (generated > 0 ? { generated } : {});

/** Counts refused rows by entry and kind, each with its first few, in the order of their first row. */
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

/** Counts rows that were left out by reason, in the order of their first row. */
export function notSelectedCounts(notSelected: Iterable<NotSelected<unknown>>): readonly NotSelectedCount[] {
  const counts = new Map<string, number>();
  for (const { reason } of notSelected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return Array.from(counts, ([reason, count]) => ({ reason, count }));
}
