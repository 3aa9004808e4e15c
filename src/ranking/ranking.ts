import type { Problem } from '../diagnostics/problem.js';
import type { Degraded } from '../engine/failures.js';
import type { Plan } from '../engine/plan.js';
import { readCell } from '../engine/read-cell.js';
import type { RunResult } from '../engine/run-state.js';
import type { BudgetUse } from '../engine/stages/select/types.js';
import { type ComparedRanking, compareCandidates } from '../explain/comparison/compare-candidates.js';
import type { Comparison } from '../explain/comparison/comparison.js';
import { Explainer } from '../explain/explainer.js';
import type { Explanation } from '../explain/explanation.js';
import type { Change } from '../profile/merge/apply-change.js';
import { rankedRow } from './candidate-row.js';
import { refusedRows } from './refused-row.js';
import type { LeftOut, Pruned, Ranked, Refused, Selected } from './rows.js';
import { ScoreMatrix } from './score-matrix.js';
import { SelectedRows } from './selected-rows.js';
import { anyOutOfRange } from './warnings/column-stats.js';
import { runWarnings } from './warnings/run-warnings.js';

/** The result of one run: immutable, and made of objects only where somebody looks. */
export class Ranking<T> {
  readonly #plan: Plan;
  readonly #outcome: RunResult;
  readonly #again: (change: Change) => Promise<Ranking<T>>;
  #ranked: readonly Ranked<T>[] | undefined;
  #refused: readonly Refused<T>[] | undefined;
  #selected: readonly Selected<T>[] | undefined;
  #leftOut: readonly LeftOut<T>[] | undefined;
  #warnings: readonly Problem[] | undefined;
  #exact: boolean | undefined;
  #matrix: ScoreMatrix | undefined;
  #ranks: Int32Array | undefined;
  #explainer: Explainer | undefined;

  constructor(plan: Plan, outcome: RunResult, again: (change: Change) => Promise<Ranking<T>>) {
    this.#plan = plan;
    this.#outcome = outcome;
    this.#again = again;
  }

  /** The profile's name. */
  get profile(): string {
    return this.#plan.profile.name;
  }

  /** The time of the run, in milliseconds since 1970. */
  get now(): number {
    return this.#outcome.context.now;
  }

  /** Every candidate that was scored by all, best first; equal scores in the order of the input, unless the profile's `ties` say otherwise. */
  get ranked(): readonly Ranked<T>[] {
    this.#ranked ??= Object.freeze(
      Array.from(this.#outcome.ordered(), (row, k) => rankedRow<T>(this.#plan, this.#outcome, row, k + 1)),
    );
    return this.#ranked;
  }

  /** Every candidate that was refused, in the order of the input. */
  get refused(): readonly Refused<T>[] {
    this.#refused ??= Object.freeze(refusedRows<T>(this.#plan, this.#outcome));
    return this.#refused;
  }

  /** What the profile's `select` selects: the pinned first, then the best, unless it places them. A fallback where there would be nothing. */
  get selected(): readonly Selected<T>[] {
    this.#selected ??= Object.freeze(this.#rows.selected());
    return this.#selected;
  }

  /** What was neither refused nor selected, and why. Given = selected + left out + refused. */
  get leftOut(): readonly LeftOut<T>[] {
    this.#leftOut ??= Object.freeze(this.#rows.leftOut());
    return this.#leftOut;
  }

  /** What became of the budget; nothing where the profile does not pack. */
  get budget(): BudgetUse | undefined {
    return this.#outcome.arrangement?.budget;
  }

  /** What expensive scorers were spared, and whether that is exact; nothing where they were asked about everybody. */
  get pruned(): Pruned | undefined {
    const { pruned } = this.#outcome.scored;
    if (!pruned) return undefined;
    this.#exact ??=
      pruned.count === 0 || (pruned.plan.how === 'prune' && !anyOutOfRange(this.#plan, this.#outcome, pruned.plan.ask));
    return Object.freeze({ exact: this.#exact, entries: pruned.entries });
  }

  /** The values of the profile's reports, by id. */
  get report(): ReadonlyMap<string, unknown> {
    return this.#outcome.reports.values;
  }

  /** What failed without failing the run: entry, stage, cause, and on how many candidates. */
  get degraded(): readonly Degraded[] {
    return this.#outcome.failures.list();
  }

  /**
   * What is legal and surely a mistake, as only a run can tell: looked for when it is read. Each has a code, a message,
   * the place of its entry and, where there is one, a hint. What the profile alone tells is in the pipeline's `warnings`.
   */
  get warnings(): readonly Problem[] {
    this.#warnings ??= Object.freeze(runWarnings(this.#plan, this.#outcome));
    return this.#warnings;
  }

  /** The run's numbers, by row and entry. */
  get matrix(): ScoreMatrix {
    this.#matrix ??= matrixOf(this.#plan, this.#outcome);
    return this.#matrix;
  }

  /**
   * Why a candidate came out as it did: from its score down to every number and field that made it. Made by asking
   * once more; what was ranked, and what units remember, stays as it is.
   *
   * @param which a candidate's id (of several with the same id the first, and it says so), or its position in the
   *   candidates that were given
   * @throws AssizeError where there is no such candidate (ASZ504), or it has changed since it was ranked (ASZ503)
   */
  explain(which: string | { readonly index: number }): Explanation {
    this.#explainer ??= new Explainer(this.#plan, this.#outcome, (row) => this.#rankOf(row));
    return this.#explainer.explain(which);
  }

  /**
   * Which of two candidates comes first, which terms decide and by how much, and what would have to change for the
   * other to come first: for each weight, and for each score of the one behind, the smallest change of it alone, or that
   * none does; for what was refused, what would be without each entry that refused it.
   *
   * ```ts
   * const { difference, terms, flips } = await ranking.compare('compass', 'sextant');
   * ```
   *
   * A weight that flips does so in `whatIf({ weights: { [id]: to } })`. Whatever is asked is computed and not learnt.
   *
   * @param a an id (of several candidates with it the first), or a position; so is `b`
   * @throws AssizeError as `explain` does, and where both are the same candidate (ASZ507)
   */
  async compare(a: string | { readonly index: number }, b: string | { readonly index: number }): Promise<Comparison> {
    return compareCandidates(this.#inside, this.explain(a), this.explain(b));
  }

  /**
   * The ranking that would have been, had the profile been otherwise: the same candidates and context at the same
   * time, the same signals up to the first that the change is about, and the memories that this run saw. Nothing is
   * learnt from it. An entry whose params change starts from an empty memory.
   *
   * ```ts
   * const { ranked } = await ranking.whatIf({ without: 'too_long', weights: { novelty: 0.5 } });
   * ```
   *
   * @throws AssizeError where the change names what is not there, or other entries read what it takes away
   */
  async whatIf(change: Change): Promise<Ranking<T>> {
    return this.#again(change);
  }

  /** What `JSON.stringify` makes of it: every list, with the candidates, and what is to be known of the run. */
  toJSON(): object {
    const { profile, ranked, selected, leftOut, refused, budget, pruned, degraded, warnings } = this;
    const report = Object.fromEntries(this.report);
    const some = { ...(budget && { budget }), ...(pruned && { pruned }) };
    return { profile, ranked, selected, leftOut, refused, ...some, report, degraded, warnings };
  }

  /** What a console shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON();
  }

  get #inside(): ComparedRanking {
    const explain: ComparedRanking['explain'] = (which) => this.explain(which);
    return { plan: this.#plan, outcome: this.#outcome, explain, whatIf: (change) => this.whatIf(change) };
  }

  #rankOf(row: number): number {
    const { selected, totals } = this.#outcome;
    let ranks = this.#ranks;
    if (!ranks) {
      this.#ranks = ranks = new Int32Array(totals.length);
      // The selected are in order already: all are sorted when one of the others is asked about.
      if (selected.topOnly) numberRows(selected.rows, ranks);
    }
    if (ranks[row] === 0) numberRows(this.#outcome.ordered(), ranks);
    return ranks[row]!;
  }

  get #rows(): SelectedRows<T> {
    return new SelectedRows<T>(this.#plan, this.#outcome, (row) => this.#rankOf(row));
  }
}

/** Numbers rows from 1 on, in their order. */
function numberRows(rows: Int32Array, ranks: Int32Array): void {
  for (let k = 0; k < rows.length; k++) ranks[rows[k]!] = k + 1;
}

/** The run's numbers by row of the ranking. */
function matrixOf(plan: Plan, outcome: RunResult): ScoreMatrix {
  const { rows, kept, totals } = outcome;
  const { measures, scorers } = plan.profile;
  const entries = [...measures.map(({ id }) => id), ...scorers.map(({ id }) => id)];
  const ask = (entry: string, row: number) => readCell(plan, outcome, entry, rows?.[row] ?? row);
  return new ScoreMatrix(entries, rows?.map((row) => kept[row]!) ?? kept, totals, ask);
}
