import type { Problem } from '../diagnostics/problem.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import type { Degraded } from '../engine/failures.js';
import type { BudgetUse } from '../engine/stages/select/types.js';
import type { Explanation } from '../explain/explanation.js';
import type { LeftOutCount, RefusedCount, TopCounts } from '../ranking/counts.js';
import type { Ranking } from '../ranking/ranking.js';
import type { Pruned, Selected } from '../ranking/rows.js';
import type { ScoreMatrix } from '../ranking/score-matrix.js';
import type { Extent } from '../text/extent.js';

/** What is known of all the candidates, and of those that are held. */
export interface TopRankingSource<T> {
  /** Of those that are held. */
  readonly ranking: Ranking<T>;
  /** Which of the ranking's selected were asked for, as they stand among all. */
  readonly selected: () => readonly Selected<T>[];
  readonly counts: TopCounts;
  readonly refused: readonly RefusedCount[];
  readonly leftOut: readonly LeftOutCount[];
  readonly matrix: () => ScoreMatrix;
  readonly extent: (scorer?: string) => Extent;
  readonly warnings: () => readonly Problem[];
  /** Why one of the selected came out as it did. */
  readonly explain: (row: Pick<Selected<unknown>, 'id' | 'index'>) => Explanation;
}

/**
 * The best of any number of candidates: rows as a ranking has them for what is selected, and numbers for everybody
 * else. Immutable, and made of objects only where somebody looks.
 */
export class TopRanking<T> {
  readonly #facts: TopRankingSource<T>;
  #selected: readonly Selected<T>[] | undefined;
  #warnings: readonly Problem[] | undefined;
  #matrix: ScoreMatrix | undefined;

  /** @param notices what its reader should know of how it was made */
  constructor(
    facts: TopRankingSource<T>,
    readonly notices: readonly string[] = [],
  ) {
    this.#facts = facts;
  }

  /** The profile's name. */
  get profile(): string {
    return this.#facts.ranking.profile;
  }

  /** The time of the run, in milliseconds since 1970. */
  get now(): number {
    return this.#facts.ranking.now;
  }

  /** What a ranking of them all selects, in its order: the same rows, or as many of the first as were asked for. */
  get selected(): readonly Selected<T>[] {
    this.#selected ??= Object.freeze([...this.#facts.selected()]);
    return this.#selected;
  }

  /** How many there were of everything. */
  get counts(): TopCounts {
    return this.#facts.counts;
  }

  /** How many were refused, by entry and kind, with the first few of each, in the order in which they came. */
  get refused(): readonly RefusedCount[] {
    return this.#facts.refused;
  }

  /** How many were neither refused nor selected, by reason, the best first. */
  get leftOut(): readonly LeftOutCount[] {
    return this.#facts.leftOut;
  }

  /** What became of the budget; nothing where the profile does not pack. */
  get budget(): BudgetUse | undefined {
    return this.#facts.ranking.budget;
  }

  /** What expensive scorers were spared; nothing of a stream, where they are asked about everybody. */
  get pruned(): Pruned | undefined {
    return this.#facts.ranking.pruned;
  }

  /** The values of the profile's reports, by id; none of a stream. */
  get report(): ReadonlyMap<string, unknown> {
    return this.#facts.ranking.report;
  }

  /** What failed without failing the run. */
  get degraded(): readonly Degraded[] {
    return this.#facts.ranking.degraded;
  }

  /** What is legal and surely a mistake. Of a stream nobody holds all the ids: that several have one is said of those that may be selected. */
  get warnings(): readonly Problem[] {
    this.#warnings ??= Object.freeze([...this.#facts.warnings()]);
    return this.#warnings;
  }

  /** The numbers of those that are held, by row and entry: `index` says where each stood among all. */
  get matrix(): ScoreMatrix {
    this.#matrix ??= this.#facts.matrix();
    return this.#matrix;
  }

  /** How large the scores of all that were ranked are, or what one scorer gave them. */
  extent(scorer?: string): Extent {
    return this.#facts.extent(scorer);
  }

  /**
   * Why one of the selected came out as it did, as `Ranking.explain` says it; how many have its id is left out.
   *
   * @param which its id, or its position in the stream
   * @throws AssizeError where it is not among the selected (ASZ504), or has changed (ASZ503)
   */
  explain(which: string | { readonly index: number }): Explanation {
    const row = this.selected.find(({ id, index }) =>
      typeof which === 'string' ? id === which : index === which.index,
    );
    if (row) return this.#facts.explain(row);
    const message = `no selected candidate has the ${typeof which === 'string' ? `id ${which}` : `index ${which.index}`}`;
    throw toAssizeError([
      { code: 'ASZ504', message, hint: 'of many candidates, only what was selected can be explained' },
    ]);
  }

  /** What `JSON.stringify` makes of it. */
  toJSON(): object {
    const { profile, counts, selected, leftOut, refused, budget, pruned, degraded, warnings } = this;
    const some = { ...(budget && { budget }), ...(pruned && { pruned }) };
    const report = Object.fromEntries(this.report);
    return { profile, counts, selected, leftOut, refused, ...some, report, degraded, warnings };
  }

  /** What a console shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON();
  }
}
