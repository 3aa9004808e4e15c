import { type Problem, toAssizeError } from '../diagnostics/index.js';
import { type BudgetUse, type Degraded, parseName } from '../engine/index.js';
import type { Explanation } from '../explain/index.js';
import type { Labels } from '../profile/index.js';
import {
  type LeftOutCount,
  leftOutCounts,
  type NumberByScorer,
  type Pruned,
  type Ranking,
  type RefusedCount,
  refusedCounts,
  type ScoreMatrix,
  type ScoreTerms,
  type Selected,
  type TopCounts,
} from '../ranking/index.js';
import { type Extent, extentOf } from '../text/index.js';

/** The source of a `TopRanking`: the ranking of the retained candidates, and facts about all of them. */
export interface TopRankingSource<T> {
  /** The ranking of the retained candidates. */
  readonly ranking: Ranking<T>;
  /** The selected, with their ids and positions among all candidates. */
  readonly selected: () => readonly Selected<T>[];
  readonly counts: TopCounts;
  readonly refused: readonly RefusedCount[];
  readonly leftOut: readonly LeftOutCount[];
  /** In place of what the ranking says. */
  readonly pruned?: Pruned | undefined;
  readonly matrix: () => ScoreMatrix;
  readonly extent: (scorer?: string) => Extent;
  readonly warnings: () => readonly Problem[];
  /** The name of a candidate by its id and position among all. */
  readonly nameOf: (row: Pick<Selected<unknown>, 'id' | 'index'>) => string;
  /** Explains one of the selected. */
  readonly explain: (row: Pick<Selected<unknown>, 'id' | 'index'>) => Explanation;
  readonly terms: (row: Pick<Selected<unknown>, 'index'>) => ScoreTerms | undefined;
}

/**
 * The best of any number of candidates: rows for the selected, counts for all others. Immutable; rows, matrix and
 * warnings are computed when they are first read.
 */
export class TopRanking<T> {
  readonly #source: TopRankingSource<T>;
  #selected: readonly Selected<T>[] | undefined;
  #warnings: readonly Problem[] | undefined;
  #matrix: ScoreMatrix | undefined;

  /** @param notices how the ranking was computed, where that differs from the options */
  constructor(
    source: TopRankingSource<T>,
    readonly notices: readonly string[] = [],
  ) {
    this.#source = source;
  }

  /** The profile's name. */
  get profile(): string {
    return this.#source.ranking.profile;
  }

  /** The names for people of the profile's entries that have one, as `Ranking.labels`. */
  get labels(): Labels | undefined {
    return this.#source.ranking.labels;
  }

  /** The time of the run, in milliseconds since 1970. */
  get now(): number {
    return this.#source.ranking.now;
  }

  /** The rows that a ranking of all candidates selects, in its order. */
  get selected(): readonly Selected<T>[] {
    this.#selected ??= Object.freeze([...this.#source.selected()]);
    return this.#selected;
  }

  /** How many candidates were given, ranked, selected, left out and refused. */
  get counts(): TopCounts {
    return this.#source.counts;
  }

  /** How many were refused, by entry and kind, with the first few of each, in the order in which they came. */
  get refused(): readonly RefusedCount[] {
    return this.#source.refused;
  }

  /** How many were neither refused nor selected, by reason, the best first. */
  get leftOut(): readonly LeftOutCount[] {
    return this.#source.leftOut;
  }

  /** The use of the budget; undefined where the profile does not pack. */
  get budget(): BudgetUse | undefined {
    return this.#source.ranking.budget;
  }

  /** On how many candidates deferred scorers were not run; undefined for a stream, where they are run on all. */
  get pruned(): Pruned | undefined {
    return this.#source.pruned ?? this.#source.ranking.pruned;
  }

  /** The values of the profile's reports, by id; none of a stream. */
  get report(): ReadonlyMap<string, unknown> {
    return this.#source.ranking.report;
  }

  /** The failures that did not fail the run. */
  get degraded(): readonly Degraded[] {
    return this.#source.ranking.degraded;
  }

  /** Probable mistakes. Duplicate ids of a stream are found only among the retained candidates. */
  get warnings(): readonly Problem[] {
    this.#warnings ??= Object.freeze([...this.#source.warnings()]);
    return this.#warnings;
  }

  /** The numbers of the retained candidates, by row and entry; `index` has the position of each among all. */
  get matrix(): ScoreMatrix {
    this.#matrix ??= this.#source.matrix();
    return this.#matrix;
  }

  /** The range of the totals of all ranked candidates, or of one scorer's values. */
  extent(scorer?: string): Extent {
    return this.#source.extent(scorer);
  }

  /**
   * Explains one of the selected, as `Ranking.explain` does, but for the number of candidates with its id.
   *
   * @param which its id, its name as `nameOf` gives it, or its position in the stream
   * @throws AssizeError where it is not among the selected (ASZ504), or has changed (ASZ503)
   */
  explain(which: string | { readonly index: number }): Explanation {
    return this.#source.explain(this.#find(which));
  }

  /** The name of a candidate, as `Ranking.nameOf`; of a stream only those that may be selected are known to share an id. */
  nameOf(row: Pick<Selected<T>, 'id' | 'index'>): string {
    return this.#source.nameOf(row);
  }

  /** The weights of the run by scorer, as `Ranking.weights`. */
  get weights(): NumberByScorer | undefined {
    return this.#source.ranking.weights;
  }

  /** The same by case of the profile's `weights`. */
  get caseWeights(): ReadonlyMap<string, NumberByScorer> {
    return this.#source.ranking.caseWeights;
  }

  /**
   * The numbers that the score of one of the selected is made of, as `Ranking.terms`.
   *
   * @throws AssizeError as `explain` does
   */
  terms(which: string | { readonly index: number }): ScoreTerms | undefined {
    return this.#source.terms(this.#find(which));
  }

  #find(which: string | { readonly index: number }): Selected<T> {
    const row =
      typeof which === 'string'
        ? (this.selected.find(({ id }) => id === which) ?? this.#findByPosition(parseName(which)))
        : this.#findByPosition(which);
    if (row) return row;
    const message = `no selected candidate has the ${typeof which === 'string' ? `id ${which}` : `index ${which.index}`}`;
    throw toAssizeError([
      { code: 'ASZ504', message, hint: 'of many candidates, only what was selected can be explained' },
    ]);
  }

  #findByPosition(named: { readonly id?: string | undefined; readonly index: number } | undefined) {
    return this.selected.find(({ id, index }) => index === named?.index && (named.id ?? id) === id);
  }

  /** The value that `JSON.stringify` writes. */
  toJSON(): object {
    const { profile, labels, counts, selected, leftOut, refused, budget, pruned, degraded, warnings } = this;
    const optional = { ...(budget && { budget }), ...(pruned && { pruned }) };
    const report = Object.fromEntries(this.report);
    return {
      profile,
      ...(labels && { labels }),
      counts,
      selected,
      leftOut,
      refused,
      ...optional,
      report,
      degraded,
      warnings,
    };
  }

  /** The value that `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON();
  }
}

/** The best of a ranking of all candidates, in the same form as that of a stream. */
export function topOfRanking<T>(ranking: Ranking<T>, notices: readonly string[] = []): TopRanking<T> {
  const source = {
    ranking,
    selected: () => ranking.selected,
    counts: ranking.counts,
    refused: refusedCounts(ranking.each('refused')),
    leftOut: leftOutCounts(ranking.each('leftOut')),
    matrix: () => ranking.matrix,
    extent: (scorer?: string) =>
      extentOf(scorer === undefined ? ranking.matrix.totals : ranking.matrix.column(scorer).values),
    warnings: () => ranking.warnings,
    nameOf: (row: Pick<Selected<unknown>, 'id' | 'index'>) => ranking.nameOf(row),
    explain: ({ index }: { readonly index: number }) => ranking.explain({ index }),
    terms: ({ index }: { readonly index: number }) => ranking.terms({ index }),
  };
  return new TopRanking<T>(source, notices);
}
