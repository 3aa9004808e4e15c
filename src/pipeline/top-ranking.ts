import { toAssizeError, type Problem, type Extent, extentOf } from '../base/index.js';
import {
  parseName,
  positionName,
  ownIdOf,
  type Degraded,
  type Plan,
  type RunResult,
  pinnedBefore,
  type BudgetUse,
} from '../engine/index.js';
import {
  type Explanation,
  deepFreeze,
  infiniteDateWarnings,
  outcomeText,
  Ranking,
  type NotSelectedCount,
  type Pruned,
  rankingJson,
  type RankingResult,
  type RefusedCount,
  type Selected,
  type TopCounts,
  type Which,
  streamWarnings,
  type ScoreMatrix,
  type NumberByScorer,
  type ScoreTerms,
} from '../ranking/index.js';
import type { Labels } from '../profile/index.js';
import type { Aggregates } from './collector.js';

/** The source of a `TopRanking`: the ranking of the retained candidates, and facts about all candidates. */
interface TopRankingSource<T> {
  /** The ranking of the retained candidates. */
  readonly ranking: Ranking<T>;
  /** The selected rows, with their ids and positions among all candidates. */
  readonly selected: () => readonly Selected<T>[];
  readonly counts: TopCounts;
  readonly refused: readonly RefusedCount[];
  readonly notSelected: readonly NotSelectedCount[];
  /** Overrides the ranking's `pruned`. */
  readonly pruned?: Pruned | undefined;
  readonly matrix: () => ScoreMatrix;
  readonly extent: () => Extent;
  readonly warnings: () => readonly Problem[];
  /** The name of a candidate by its id and its position among all candidates. */
  readonly nameOf: (row: Pick<Selected<unknown>, 'id' | 'index'>) => string;
  /** Explains a selected candidate. */
  readonly explain: (row: Pick<Selected<unknown>, 'id' | 'index'>) => Explanation;
  readonly terms: (row: Pick<Selected<unknown>, 'index'>) => ScoreTerms | undefined;
}

/**
 * The best of any number of candidates: rows for the selected ones, counts for all others. Immutable. Rows, matrix and
 * warnings are computed on first use.
 */
export class TopRanking<T> implements RankingResult<T> {
  readonly #source: TopRankingSource<T>;
  #selected: readonly Selected<T>[] | undefined;
  #warnings: readonly Problem[] | undefined;
  #matrix: ScoreMatrix | undefined;

  /** @param notices how the ranking was computed, if that differs from the options */
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

  /** The display names of the profile's entries, as `Ranking.labels`. */
  get labels(): Labels | undefined {
    return this.#source.ranking.labels;
  }

  /** The time of the run, in milliseconds since 1970. */
  get now(): number {
    return this.#source.ranking.now;
  }

  /** The rows that a ranking of all candidates would select, in the same order. */
  get selected(): readonly Selected<T>[] {
    this.#selected ??= Object.freeze([...this.#source.selected()]);
    return this.#selected;
  }

  /** The number of candidates of each kind. */
  get counts(): TopCounts {
    return this.#source.counts;
  }

  /** How many were refused, by entry and kind, with the first few of each as examples. */
  get refusedCounts(): readonly RefusedCount[] {
    return this.#source.refused;
  }

  /** How many were neither refused nor selected, by reason. */
  get notSelectedCounts(): readonly NotSelectedCount[] {
    return this.#source.notSelected;
  }

  /** The use of the budget; undefined if the profile does not pack. */
  get budget(): BudgetUse | undefined {
    return this.#source.ranking.budget;
  }

  /** How many candidates expensive scorers did not run on; undefined if they ran on all, as in a stream. */
  get pruned(): Pruned | undefined {
    return this.#source.pruned ?? this.#source.ranking.pruned;
  }

  /** The values of the profile's reports, by id; empty for a stream. */
  get report(): Readonly<Record<string, unknown>> {
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

  /** The same ranking with the warnings of the reader of its candidates before its own. */
  withWarnings(warnings: readonly Problem[]): TopRanking<T> {
    if (warnings.length === 0) return this;
    const source = this.#source;
    return new TopRanking({ ...source, warnings: () => [...warnings, ...source.warnings()] }, this.notices);
  }

  /** The numbers of the retained candidates, by row and entry. `index` has their positions among all candidates. */
  get matrix(): ScoreMatrix {
    this.#matrix ??= this.#source.matrix();
    return this.#matrix;
  }

  /** The range of the totals of all ranked candidates. */
  extent(): Extent {
    return this.#source.extent();
  }

  /**
   * Explains a selected candidate, as `Ranking.explain` does, but without `sameId`.
   *
   * @param which its id, its name as `nameOf` returns it, or its position in the stream
   * @throws AssizeError if it is not selected (ASZ504), or has changed (ASZ503)
   */
  explain(which: Which): Explanation {
    return this.#source.explain(this.#find(which));
  }

  /** The name of a candidate, as `Ranking.nameOf`. A stream finds shared ids only among the retained candidates. */
  nameOf(row: Pick<Selected<T>, 'id' | 'index'>): string {
    return this.#source.nameOf(row);
  }

  /** The weights of the run by scorer, as `Ranking.weights`. */
  get weights(): NumberByScorer | undefined {
    return this.#source.ranking.weights;
  }

  /** The same by case of the profile's `weights`. */
  get caseWeights(): Readonly<Record<string, NumberByScorer>> {
    return this.#source.ranking.caseWeights;
  }

  /**
   * The terms of the score of a selected candidate, as `Ranking.terms`.
   *
   * @throws AssizeError as `explain` does
   */
  terms(which: Which): ScoreTerms | undefined {
    return this.#source.terms(this.#find(which));
  }

  #find(which: Which): Selected<T> {
    const row =
      typeof which === 'string'
        ? (this.selected.find(({ id }) => id === which) ?? this.#findByPosition(parseName(which)))
        : this.#findByPosition(which);
    if (row) return row;
    const message = `no selected candidate has the ${typeof which === 'string' ? `id ${which}` : `index ${which.index}`}`;
    throw toAssizeError([{ code: 'ASZ504', message, hint: 'in a stream, only selected candidates can be explained' }]);
  }

  #findByPosition(named: { readonly id?: string | undefined; readonly index: number } | undefined) {
    return this.selected.find(({ id, index }) => index === named?.index && (named.id ?? id) === id);
  }

  /** The JSON of `rankingJson`, with the candidates and without the terms of scores. */
  toJSON(): object {
    return rankingJson(this, { candidates: true, terms: false });
  }

  /** The value that `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON();
  }
}

/** Converts a ranking of all candidates to the form of a stream's result. */
export function topOfRanking<T>(ranking: Ranking<T>, notices: readonly string[] = []): TopRanking<T> {
  const source = {
    ranking,
    selected: () => ranking.selected,
    counts: ranking.counts,
    refused: ranking.refusedCounts,
    notSelected: ranking.notSelectedCounts,
    matrix: () => ranking.matrix,
    extent: () => extentOf(ranking.matrix.totals),
    warnings: () => ranking.warnings,
    nameOf: (row: Pick<Selected<unknown>, 'id' | 'index'>) => ranking.nameOf(row),
    explain: ({ index }: { readonly index: number }) => ranking.explain({ index }),
    terms: ({ index }: { readonly index: number }) => ranking.terms({ index }),
  };
  return new TopRanking<T>(source, notices);
}

/** The collected data of a stream, and the run over its retained rows. */
export interface StreamResult {
  readonly aggregates: Aggregates;
  /** The run over the retained candidates. */
  readonly retained: RunResult;
  /** The position of each of them in the stream. */
  readonly positions: readonly number[];
  /** Warnings about fields that the profile reads and no candidate has. */
  readonly absentPaths: readonly Problem[];
  /** If scorers were pruned: facts and counts of all rows, including those that were not retained. */
  readonly pruned?:
    | { readonly facts: Pruned | undefined; readonly notSelected: readonly NotSelectedCount[] }
    | undefined;
  /** How the ranking was computed, if that differs from the options. */
  readonly notices?: readonly string[];
}

/** The ranking of a stream: the ranking of the retained candidates, with the ids, positions and counts of the stream. */
export function topOfStream<T>(plan: Plan, result: StreamResult): TopRanking<T> {
  const { aggregates, retained, positions, absentPaths, notices } = result;
  const ranking = new Ranking<T>(plan, retained, {
    whatIf: () => Promise.reject(new Error('a stream has no what-if')),
    withField: () => 'a stream has no what-if',
  });
  const notSelected = streamNotSelectedCounts(plan, ranking, result);
  const inStream = (row: Selected<T>): Selected<T> => {
    const index = positions[row.index]!;
    return Object.freeze({ ...row, id: ownIdOf(plan.profile, row.candidate) ?? positionName(index), index });
  };
  const counts = streamCounts(aggregates, notSelected);
  const refused = aggregates.refused.map(({ examples, ...group }) => ({
    ...group,
    examples: examples.map(({ id, index, reason }) => ({ id: id ?? positionName(index), index, reason })),
  }));
  const source = {
    ranking,
    selected: () => ranking.selected.map(inStream),
    counts,
    refused,
    notSelected,
    pruned: result.pruned?.facts,
    matrix: () => {
      const { matrix } = ranking;
      return matrix.withIndex(matrix.index.map((at) => positions[at]!));
    },
    extent: () => aggregates.totals,
    warnings: () => {
      const absent = [...absentPaths, ...infiniteDateWarnings(plan.profile, aggregates.infiniteDates)];
      return streamWarnings(plan, absent, retained, { positions, counts, refused });
    },
    nameOf: (row: Pick<Selected<unknown>, 'id' | 'index'>) => ranking.nameOf(row),
    explain: (row: Pick<Selected<unknown>, 'id' | 'index'>) => {
      // Omits `sameId`: it is unknown, because the ids of other candidates are not retained.
      const { outcome, sameId: _, ...explanation } = ranking.explain({ index: positions.indexOf(row.index) });
      const among = outcome.kind === 'ranked' ? { ...outcome, of: aggregates.ranked } : outcome;
      return deepFreeze({ ...explanation, text: outcomeText(among), id: row.id, index: row.index, outcome: among });
    },
    terms: ({ index }: { readonly index: number }) => ranking.terms({ index: positions.indexOf(index) }),
  };
  return new TopRanking<T>(source, notices);
}

const sumOfCounts = (groups: readonly { readonly count: number }[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

function streamCounts({ given, ranked, refused: groups }: Aggregates, left: readonly NotSelectedCount[]): TopCounts {
  const [notSelected, refused] = [sumOfCounts(left), sumOfCounts(groups)];
  return { given, ranked, selected: given - notSelected - refused, notSelected, refused };
}

/** Counts candidates that were not selected. Rows that were not packed are retained; other reasons are counted by number. */
function streamNotSelectedCounts(
  plan: Plan,
  ranking: Ranking<unknown>,
  { aggregates, retained, pruned }: StreamResult,
): readonly NotSelectedCount[] {
  if (pruned) return pruned.notSelected;
  const unpacked = retained.arrangement ? ranking.notSelected.filter(({ reason }) => reason !== 'top') : [];
  const enough = aggregates.ranked - aggregates.belowMinScore;
  const { top = enough, offset } = plan.select;
  const below = {
    offset: Math.min(offset, enough) + pinnedBefore(plan, retained.pinned).length,
    top: Math.max(0, enough - offset - top),
    min_score: aggregates.belowMinScore,
  };
  const counts = new Map<string, number>();
  for (const { reason } of unpacked) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const [reason, count] of Object.entries(below)) if (count > 0) counts.set(reason, count);
  return Array.from(counts, ([reason, count]) => ({ reason, count }));
}
