import type { Problem } from '../../contract/index.js';
import { failure } from '../../document/failure.js';
import type { Explanation } from '../../explain/explanation.js';
import { frozen } from '../../explain/plain.js';
import { type Extent, NO_EXTENT } from '../../matrix/extent.js';
import { ScoreMatrix } from '../../matrix/score-matrix.js';
import type { Degraded } from '../../stages/failures.js';
import type { BudgetUse } from '../../stages/pack.js';
import type { Plan } from '../compile.js';
import { idWithin } from '../ids.js';
import { Ranking } from '../ranking.js';
import type { Refused, Selected } from '../rows.js';
import type { Outcome } from '../run.js';
import { streamWarnings } from '../warnings/index.js';
import type { Census } from './census.js';

/** How many there were of everything. Given = selected + left out + refused. */
export interface TopCounts {
  readonly given: number;
  /** How many were scored. */
  readonly ranked: number;
  /** How many the profile selects, whatever the call's `top` says. */
  readonly selected: number;
  readonly leftOut: number;
  readonly refused: number;
}

/** Those that one entry refused, as a number, with the first few. */
export interface RefusedCount extends Pick<Refused<unknown>, 'by' | 'kind'> {
  readonly count: number;
  readonly examples: readonly { readonly id: string; readonly index: number; readonly reason: string }[];
}

/** What a stream came to. */
export interface TopOutcome {
  readonly census: Census;
  /** The ranking of those that are held. */
  readonly held: Outcome;
  /** Where each of them stood in the stream. */
  readonly places: readonly number[];
  /** Fields that the profile reads and nobody had. */
  readonly absent: readonly Problem[];
  /** How many of the selected the call asked for. */
  readonly top: number | undefined;
}

/**
 * The best of a stream: rows as a ranking has them for what is selected, and numbers for everybody else. Immutable,
 * and made of objects only where somebody looks.
 */
export class TopRanking<T> {
  readonly #plan: Plan;
  readonly #outcome: TopOutcome;
  readonly #ranking: Ranking<T>;
  #selected: readonly Selected<T>[] | undefined;
  #warnings: readonly Problem[] | undefined;
  #matrix: ScoreMatrix | undefined;

  constructor(plan: Plan, outcome: TopOutcome) {
    this.#plan = plan;
    this.#outcome = outcome;
    this.#ranking = new Ranking<T>(plan, outcome.held, () => Promise.reject(new Error('nobody is asked what if')));
  }

  /** The profile's name. */
  get profile(): string {
    return this.#ranking.profile;
  }

  /** The time of the run, in milliseconds since 1970. */
  get now(): number {
    return this.#ranking.now;
  }

  /** What a ranking of them all selects, in its order: the same rows, or the first `top` of them. */
  get selected(): readonly Selected<T>[] {
    this.#selected ??= Object.freeze(
      this.#ranking.selected.slice(0, this.#outcome.top).map((row) => Object.freeze(this.#inStream(row))),
    );
    return this.#selected;
  }

  /** How many there were of everything. */
  get counts(): TopCounts {
    const { given, ranked } = this.#outcome.census;
    const leftOut = this.leftOut.reduce((sum, { count }) => sum + count, 0);
    const refused = this.refused.reduce((sum, { count }) => sum + count, 0);
    return { given, ranked, selected: given - leftOut - refused, leftOut, refused };
  }

  /** How many were refused, by entry and kind, with the first few of each, in the order in which they came. */
  get refused(): readonly RefusedCount[] {
    return this.#outcome.census.refused.map(({ examples, ...group }) => ({
      ...group,
      examples: examples.map(({ id, index, reason }) => ({ id: id ?? `#${index}`, index, reason })),
    }));
  }

  /** How many were neither refused nor selected, by reason, the best first. */
  get leftOut(): readonly { readonly reason: string; readonly count: number }[] {
    const { census, held } = this.#outcome;
    const counts = new Map<string, number>();
    const positions = held.arranged?.left ?? [];
    const rankAt = new Map(this.#ranking.ranked.map(({ index, rank }) => [index, rank]));
    for (const { reason } of positions.toSorted((a, b) => (rankAt.get(a.index) ?? 0) - (rankAt.get(b.index) ?? 0))) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    const enough = census.ranked - census.low;
    counts.set('top', Math.max(0, enough - (this.#plan.select.top ?? enough)));
    counts.set('min_score', census.low);
    return [...counts].filter(([, count]) => count > 0).map(([reason, count]) => ({ reason, count }));
  }

  /** What became of the budget; nothing where the profile does not pack. */
  get budget(): BudgetUse | undefined {
    return this.#ranking.budget;
  }

  /** What failed without failing the run. */
  get degraded(): readonly Degraded[] {
    return this.#ranking.degraded;
  }

  /**
   * What is legal and surely a mistake. Ids that several have are not among it: to know takes all the ids.
   */
  get warnings(): readonly Problem[] {
    const { absent, census, held } = this.#outcome;
    this.#warnings ??= Object.freeze(streamWarnings(this.#plan, absent, census.columns, held));
    return this.#warnings;
  }

  /** The numbers of those that are held, by row and entry: `index` says where each stood in the stream. */
  get matrix(): ScoreMatrix {
    const { entries, index, totals } = this.#ranking.matrix;
    this.#matrix ??= new ScoreMatrix(
      entries,
      index.map((at) => this.#outcome.places[at]!),
      totals,
      (entry, row) => this.#ranking.matrix.cell(entry, row),
    );
    return this.#matrix;
  }

  /** Of the scores of all that were ranked, or of what one scorer gave them. */
  extent(scorer?: string): Extent {
    const { totals, columns } = this.#outcome.census;
    return scorer === undefined ? totals : (columns.find(({ id }) => id === scorer)?.extent ?? NO_EXTENT);
  }

  /**
   * Why one of the selected came out as it did, as `Ranking.explain` says it.
   *
   * @param which its id, or its position in the stream
   * @throws AssizeError where it is not among the selected (ASZ504), or has changed (ASZ503)
   */
  explain(which: string | { readonly index: number }): Explanation {
    const { places, census } = this.#outcome;
    const row = this.selected.find(({ id, index }) =>
      typeof which === 'string' ? id === which : index === which.index,
    );
    if (!row) {
      const message = `no selected candidate has the ${typeof which === 'string' ? `id ${which}` : `index ${which.index}`}`;
      throw failure([{ code: 'ASZ504', message, hint: 'of a stream, only what was selected can be explained' }]);
    }
    // How many have its id is not known: nobody holds all the ids.
    const { outcome, sameId: _, ...explanation } = this.#ranking.explain({ index: places.indexOf(row.index) });
    const came = outcome.kind === 'ranked' ? { ...outcome, of: census.ranked } : outcome;
    return frozen({ ...explanation, id: row.id, index: row.index, outcome: came });
  }

  /** What `JSON.stringify` makes of it. */
  toJSON(): object {
    const { profile, counts, selected, leftOut, refused, budget, degraded, warnings } = this;
    return { profile, counts, selected, leftOut, refused, ...(budget && { budget }), degraded, warnings };
  }

  /** What a console shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON();
  }

  /** A row of those that are held, as it stood in the stream. */
  #inStream(row: Selected<T>): Selected<T> {
    const index = this.#outcome.places[row.index]!;
    return { ...row, id: idWithin(this.#plan.profile, row.candidate) ?? `#${index}`, index };
  }
}
