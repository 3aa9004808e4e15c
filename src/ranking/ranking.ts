import { checkOptions, type Extent, extentOf, type Problem } from '../base/index.js';
import type { BudgetUse, Degraded, ModelOverrides, Plan, PlanOverrides, RunResult } from '../engine/index.js';
import {
  CandidateNames,
  indexIn,
  mergeOverrides,
  OVERRIDE_OPTIONS,
  reweigh,
  reweighByModel,
  tieSizes,
} from '../engine/index.js';
import { compareCandidates } from './explain/compare-candidates.js';
import type { Comparison } from './explain/comparison.js';
import { Explainer } from './explain/explainer.js';
import type { Explanation } from './explain/explanation.js';
import { type TrialRanking, type WaysToWin, waysToWin, type WinGoal } from './explain/ways-to-win.js';
import type { Labels, Change } from '../profile/index.js';
import type {
  EachRow,
  NotSelected,
  NotSelectedCount,
  Pruned,
  Ranked,
  RankingResult,
  Refused,
  RefusedCount,
  Selected,
  TopCounts,
  Which,
} from './rows.js';
import { generatedCount, notSelectedCounts, ownCount, refusedCounts } from './rows.js';
import { rankingJson } from './ranking-json.js';
import { inProfileOrder, rankedRow, refusedCount, refusedRows, SelectedRows } from './result-rows.js';
import { type NumberByScorer, type ScoreTerms, TermsReader, weightsOfRun } from './score-terms.js';
import { RunColumns, RunMatrix, ScoreMatrix } from './score-matrix.js';
import { anyOutOfRange, runWarnings } from './run-warnings.js';
import { scoreWarnings } from './score-warnings.js';

/** Ranks the candidates of a call again, with a change. */
export interface Reruns<T> {
  /** With a changed profile. */
  whatIf(change: Change, overrides: PlanOverrides): Promise<Ranking<T>>;
  /** With one candidate changed in one field; synchronously. */
  withField(field: string, index: number, overrides: PlanOverrides): FieldRun<T> | string;
}

/** Ranks again with a changed candidate. */
export type FieldRun<T> = (changed: unknown) => Ranking<T>;

/**
 * Ranks again from the columns of a ranking, with the weights and curves of a model. Not a method of `Ranking`, because
 * it is not public.
 */
export let rankByModel: <T>(ranking: Ranking<T>, model: ModelOverrides) => Ranking<T>;

/** The result of one run. Immutable. Lists, warnings and the matrix are computed on first use. */
export class Ranking<T> implements RankingResult<T> {
  readonly #plan: Plan;
  readonly #result: RunResult;
  readonly #names: CandidateNames;
  readonly #reruns: Reruns<T>;
  #ranked: readonly Ranked<T>[] | undefined;
  #refused: readonly Refused<T>[] | undefined;
  #selected: readonly Selected<T>[] | undefined;
  #notSelected: readonly NotSelected<T>[] | undefined;
  #warnings: readonly Problem[] | undefined;
  #exact: boolean | undefined;
  #matrix: ScoreMatrix | undefined;
  #ranks: Int32Array | undefined;
  #tieSizes: Int32Array | undefined;
  #explainer: Explainer | undefined;
  readonly #columns: RunColumns;
  #terms: TermsReader | undefined;

  static {
    rankByModel = <C>(ranking: Ranking<C>, model: ModelOverrides): Ranking<C> => {
      const { plan, result } = reweighByModel(ranking.#plan, ranking.#result, ranking.#columns.get(), model);
      return new Ranking<C>(plan, result, ranking.#reruns);
    };
  }

  /** @param fileWarnings the warnings about the files of memories */
  constructor(
    plan: Plan,
    result: RunResult,
    reruns: Reruns<T>,
    columns = new RunColumns(plan, result),
    private readonly fileWarnings: readonly Problem[] = [],
  ) {
    this.#plan = plan;
    this.#result = result;
    this.#names = new CandidateNames(plan.profile, result.candidates, result.fallback?.made);
    this.#reruns = reruns;
    this.#columns = columns;
  }

  /** The profile's name. */
  get profile(): string {
    return this.#plan.profile.name;
  }

  /** The display names (`label`) of the profile's entries, by id; undefined if no entry has one. */
  get labels(): Labels | undefined {
    return this.#plan.profile.labels;
  }

  /** The time of the run, in milliseconds since 1970. */
  get now(): number {
    return this.#result.context.now;
  }

  /** The seed of random choices: of the call, else of the profile. Undefined if nothing is random. */
  get seed(): number | undefined {
    return this.#plan.select.seed;
  }

  /** Every candidate that was scored, best first. Ties are in the order of `ties`, then of the input (or of the seed). */
  get ranked(): readonly Ranked<T>[] {
    this.#ranked ??= Object.freeze(
      Array.from(this.#result.ordered(), (row, k) => rankedRow<T>(this.#plan, this.#result, row, k + 1)),
    );
    return this.#ranked;
  }

  /** The row numbers of the matrix in the order of `ranked`. Does not create row objects. */
  get order(): Int32Array {
    return this.#result.ordered();
  }

  /**
   * The sizes of the groups of `ranked` rows that only their position orders: `[1, 3, 1]` if the second to the fourth tie.
   */
  get tieSizes(): Int32Array {
    this.#tieSizes ??= tieSizes(this.#plan, this.#result, this.order);
    return this.#tieSizes;
  }

  /** The row at a rank, from 1; undefined if the rank does not exist. Does not create the rows before it. */
  rankedAt(rank: number): Ranked<T> | undefined {
    const row = this.order[rank - 1];
    return row === undefined ? undefined : rankedRow<T>(this.#plan, this.#result, row, rank);
  }

  /** Every candidate that was refused, in the order of the input. */
  get refused(): readonly Refused<T>[] {
    this.#refused ??= Object.freeze([...refusedRows<T>(this.#plan, this.#result)]);
    return this.#refused;
  }

  /** The selected candidates: pinned first, then the best, unless `select` places them. A fallback if nothing is selected. */
  get selected(): readonly Selected<T>[] {
    this.#selected ??= Object.freeze(this.#rows.selected());
    return this.#selected;
  }

  /** The candidates that were neither refused nor selected, with the reason. */
  get notSelected(): readonly NotSelected<T>[] {
    this.#notSelected ??= Object.freeze([...this.#rows.notSelected()]);
    return this.#notSelected;
  }

  /**
   * Iterates over the rows of a list without keeping them, unlike `ranked`, `notSelected` and `refused`. Use it to
   * write many rows.
   *
   * ```ts
   * for (const { id, score } of ranking.each('ranked')) file.write(`${id},${score}\n`);
   * ```
   */
  each<L extends keyof EachRow<T>>(list: L): Iterable<EachRow<T>[L]>;
  *each(list: keyof EachRow<T>): Iterable<EachRow<T>[keyof EachRow<T>]> {
    const known = { ranked: this.#ranked, notSelected: this.#notSelected, refused: this.#refused }[list];
    if (known) yield* known;
    else if (list === 'notSelected') yield* this.#rows.notSelected();
    else if (list === 'refused') yield* refusedRows<T>(this.#plan, this.#result);
    else for (const [k, row] of this.order.entries()) yield rankedRow<T>(this.#plan, this.#result, row, k + 1);
  }

  /** The number of candidates of each kind: given = selected + notSelected + refused. Creates rows only for the selected. */
  get counts(): TopCounts {
    const { selected } = this;
    const { candidates, totals } = this.#result;
    const refused = refusedCount(this.#result);
    const own = ownCount(selected);
    return {
      given: candidates.length,
      ranked: totals.length,
      selected: own,
      notSelected: candidates.length - own - refused,
      refused,
      ...generatedCount(selected.length - own),
    };
  }

  get notSelectedCounts(): readonly NotSelectedCount[] {
    return notSelectedCounts(this.each('notSelected'));
  }

  get refusedCounts(): readonly RefusedCount[] {
    return refusedCounts(this.each('refused'));
  }

  /** Always empty: a ranking of a list is computed exactly as the options say. */
  get notices(): readonly string[] {
    return [];
  }

  /** The range of the totals of all ranked candidates. */
  extent(): Extent {
    return extentOf(this.matrix.totals);
  }

  /** The budget and its use; undefined if the profile does not pack. */
  get budget(): BudgetUse | undefined {
    return this.#result.arrangement?.budget;
  }

  /** How many candidates expensive scorers did not run on, and whether the selection is exact; undefined if they ran on all. */
  get pruned(): Pruned | undefined {
    const { pruned } = this.#result.scored;
    if (!pruned) return undefined;
    this.#exact ??=
      pruned.count === 0 || (pruned.plan.how === 'prune' && !anyOutOfRange(this.#plan, this.#result, pruned.plan.ask));
    return Object.freeze({ exact: this.#exact, entries: pruned.entries });
  }

  /** The values of the signals of the run, by id; the phase is `phase`. */
  get signals(): Readonly<Record<string, unknown>> {
    return this.#result.context.signals;
  }

  /** The values of the profile's reports, by id. */
  get report(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#result.reports.values);
  }

  /** The failures that did not fail the run: entry, stage, cause, and the number of candidates. */
  get degraded(): readonly Degraded[] {
    return inProfileOrder(this.#plan.profile, this.#result.failures.list());
  }

  /**
   * Probable mistakes in the candidates and the scores. Computed on first use. Each has a code, a message, the place of
   * its entry and, if possible, a hint. Warnings about the profile alone are in the pipeline's `warnings`.
   */
  get warnings(): readonly Problem[] {
    this.#warnings ??= Object.freeze([...this.fileWarnings, ...runWarnings(this.#plan, this.#result, this.#names)]);
    return this.#warnings;
  }

  /**
   * Probable mistakes that only the scores of all candidates show, such as a scorer that returns the same number for
   * all. Reads every score. `assize check --data` lists them.
   */
  get scoreWarnings(): readonly Problem[] {
    return scoreWarnings(this.#plan, this.#result, this.#names, this.warnings);
  }

  /** The numbers of the run, by row and entry. */
  get matrix(): ScoreMatrix {
    const { rows, kept } = this.#result;
    this.#matrix ??= new ScoreMatrix(
      new RunMatrix(this.#plan, this.#result, this.#columns),
      rows?.map((row) => kept[row]!) ?? kept,
    );
    return this.#matrix;
  }

  /**
   * Explains why a candidate has its result, from its score down to every number and field. Evaluates its entries
   * again. Does not change the ranking or the memories of units.
   *
   * @param which the candidate's id (if several share it: the first, with their number in `sameId`), its name as
   *   `nameOf` returns it (`widget (@3)`), or its position in the input
   * @throws AssizeError if no candidate matches (ASZ504), or the candidate has changed since it was ranked (ASZ503)
   */
  explain(which: Which): Explanation {
    return this.#explain.explain(which);
  }

  /**
   * The name of a candidate in texts: its id, followed by its position in the input if several candidates share the id:
   * `widget (@3)`. `explain`, `terms` and `compare` accept it.
   */
  nameOf(row: Pick<Ranked<T>, 'id' | 'index'>): string {
    return this.#names.nameOf(row);
  }

  /**
   * The weights of the run by scorer, normalized in a mean; undefined if the combine method does not use weights. A row
   * to which a case applies, or which lacks scores, has different weights: see `terms`.
   */
  get weights(): NumberByScorer | undefined {
    return weightsOfRun(this.#plan, this.#result)?.weights;
  }

  /** The same by case of the profile's `weights`. */
  get caseWeights(): Readonly<Record<string, NumberByScorer>> {
    return Object.fromEntries(weightsOfRun(this.#plan, this.#result)?.cases ?? []);
  }

  /**
   * The terms of a score: scores, weights and contributions by scorer, and the rules that fired. Much cheaper than
   * `explain`, which adds reasons and fields.
   *
   * @param which a candidate's id, name or position, as for `explain`
   * @returns undefined for a candidate without a score: refused, pinned, pruned, or generated by a fallback
   * @throws AssizeError as `explain` does
   */
  terms(which: Which): ScoreTerms | undefined {
    const { verdicts, kept } = this.#result;
    const index = this.#explain.find(which);
    const row = index < 0 || verdicts[index] !== 0 ? -1 : indexIn(kept, index);
    if (row < 0) return undefined;
    this.#terms ??= new TermsReader(this.#plan, this.#result);
    const terms = this.#terms;
    return this.#explain.again(index, () => terms.at(row));
  }

  /**
   * Compares two candidates: which comes first, which terms decide and by how much, and which single changes would
   * reverse their order. For each weight, and each value of the candidate behind, it finds the smallest change, or that
   * no change is enough. For a refused candidate it returns the result without each entry that refused it.
   *
   * ```ts
   * const { difference, terms, flips } = await ranking.compare('compass', 'sextant');
   * ```
   *
   * A weight with the state `flips` also reverses their order in `whatIf({ weights: { [id]: to } })`. Does not update
   * memories.
   *
   * @param a an id (the first candidate that has it), a name or a position, as for `explain`; so is `b`
   * @throws AssizeError as `explain` does, and if both are the same candidate (ASZ507)
   */
  async compare(a: Which, b: Which): Promise<Comparison> {
    return compareCandidates(this.#trial, this.explain(a), this.explain(b));
  }

  /**
   * Finds single changes that would make a candidate win: for each field and each weight, the nearest value that puts
   * it first in the selection (goal `selected`: anywhere in it). Each returned change was applied and ranked, including
   * `select`.
   *
   * ```ts
   * const { fields } = await ranking.waysToWin('P007');
   * ```
   *
   * Runs at most 1,000 times over at most 2,000,000 candidates in all, but always up to 24 times. Does not call
   * asynchronous entries (a model, a file), so it does not try the fields that they read. Does not update memories.
   *
   * @param which an id, a name or a position, as for `explain`
   * @throws AssizeError as `explain` does
   */
  async waysToWin(which: Which, goal: WinGoal = 'first'): Promise<WaysToWin> {
    return waysToWin(this.#trial, this.explain(which), goal);
  }

  /**
   * Ranks again with a changed profile: the same candidates, context and time, the same signals up to the first changed
   * one, and the memories as they were before this run. Weights and limits of the call or of `reweigh` still apply,
   * unless the change overrides them. Does not update memories. An entry with other params keeps its memory if the
   * params make the same memory; otherwise its memory starts empty.
   *
   * Prepares again only what the change affects. An unchanged entry keeps its scores if candidates, signals and
   * measures are the same, unless its unit only compiles: such a unit is called again. The candidates must not have
   * changed since.
   *
   * ```ts
   * const { ranked } = await ranking.whatIf({ without: 'too_long', weights: { novelty: 0.5 } });
   * ```
   *
   * @throws AssizeError if the change names an entry that does not exist, or removes one that others read
   */
  async whatIf(change: Change): Promise<Ranking<T>> {
    return this.#reruns.whatIf(change, {});
  }

  /**
   * Ranks the same candidates again with other weights and limits, without calling scorers: the first call reads their
   * numbers and keeps them. The result is bit-identical to a ranking by a profile with these weights and limits. Does
   * not update memories.
   *
   * ```ts
   * const { selected } = ranking.reweigh({ weights: { popularity: 2 }, top: 10 });
   * ```
   *
   * @param overrides weights by scorer id, which apply in all cases of `weights`; `top` and `minScore` instead of the
   *   profile's; `offset` for another page. Omitted ones stay as in this ranking
   * @throws AssizeError if the profile does not use an override, or the ranking was pruned or reranked, because some
   *   scorers did not run on all candidates (ASZ534); if a selector or a report is asynchronous (ASZ516; use `whatIf`)
   */
  reweigh(overrides: PlanOverrides): Ranking<T> {
    checkOptions('reweigh', overrides, OVERRIDE_OPTIONS);
    const { plan, result } = reweigh(this.#plan, this.#result, this.#columns.get(), overrides);
    const reruns: Reruns<T> = {
      whatIf: (change, later) => this.#reruns.whatIf(change, mergeOverrides(overrides, later)),
      withField: (field, index, later) => this.#reruns.withField(field, index, mergeOverrides(overrides, later)),
    };
    return new Ranking<T>(plan, result, reruns, this.#columns);
  }

  /** The JSON of `rankingJson`, with the candidates and without the terms of scores. */
  toJSON(): object {
    return rankingJson(this, { candidates: true, terms: false });
  }

  /** For a console. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON();
  }

  get #explain(): Explainer {
    return (this.#explainer ??= new Explainer(this.#plan, this.#result, this.#names, (row) => this.#rankOf(row)));
  }

  /** The view of the ranking for comparisons and `waysToWin`. */
  get #trial(): TrialRanking {
    return {
      plan: this.#plan,
      result: this.#result,
      explain: (which) => this.explain(which),
      selected: () => this.#rows.selectedForScore(),
      nameAt: (index) => this.#names.nameAt(index),
      withField: (field, index) => {
        const run = this.#reruns.withField(field, index, {});
        return typeof run === 'string' ? run : (changed) => run(changed).#trial;
      },
      reweigh: (weights) => this.reweigh({ weights }).#trial,
      whatIf: async (change) => (await this.whatIf(change)).#trial,
    };
  }

  #rankOf(row: number): number {
    const { selected, totals } = this.#result;
    let ranks = this.#ranks;
    if (!ranks) {
      this.#ranks = ranks = new Int32Array(totals.length);
      // The ranks of selected rows may already be known. Sort all rows only if another rank is needed.
      for (const [k, rank] of selected.ranks()?.entries() ?? []) ranks[selected.rows[k]!] = rank;
    }
    if (ranks[row] === 0) for (const [k, next] of this.#result.ordered().entries()) ranks[next] = k + 1;
    return ranks[row]!;
  }

  get #rows(): SelectedRows<T> {
    return new SelectedRows<T>(this.#plan, this.#result, this.#names, (row) => this.#rankOf(row));
  }
}
