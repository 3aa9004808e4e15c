import type { RunState } from '../../../run-state.js';
import { RunFailed } from '../../../failures/run-errors.js';
import { applyRule } from '../../adjust/adjust.js';
import type { RuleStep } from '../../adjust/types.js';
import { resolveScore, wasAsked } from '../resolve-score.js';
import { combineResolved, verdictOfError } from '../resolve-rows.js';
import type { Scoring } from '../types.js';
import { type ScoreBounds, scoreBounds, upperBound } from '../upper-bound.js';

/** The rows of a run some of whose scorers have not seen all of them: what is known of each row so far. */
export class DeferredRows {
  readonly #bounds: readonly ScoreBounds[];
  /** Of the row at hand: its resolved scores, and the positions of the scorers that have not seen it. */
  readonly #values: (number | undefined)[];
  readonly #open: number[] = [];
  #unresolved = false;
  /** Whether a scorer failed on a row. */
  failed = false;
  /** By row: whether all scorers gave a number, so that its total is written and nothing is left to resolve. */
  readonly complete: Uint8Array;

  constructor(
    private readonly run: RunState,
    private readonly scoring: Scoring,
  ) {
    this.complete = new Uint8Array(run.kept.length);
    this.#values = scoring.active.map(() => undefined);
    this.#bounds = scoring.active.map(({ entry }) => scoreBounds(entry));
  }

  /**
   * The upper bound of a row's score, the rules included: the score itself, once every scorer has seen it.
   *
   * @returns undefined where it is refused already
   */
  upperBound(row: number): number | undefined {
    return this.#withRow(row, (candidate) => {
      const { arithmetic, weightsOf } = this.scoring;
      if (this.#open.length === 0 || !arithmetic) return this.#combined(candidate, row, true);
      const bound = upperBound(arithmetic, this.#values, weightsOf(candidate, row), this.#open, this.#bounds);
      return Number.isFinite(bound) ? this.#boundAfterRules(candidate, row, bound) : Infinity;
    });
  }

  /**
   * The score of a row by the scorers that have seen it, the rules included.
   *
   * @returns undefined where it is refused already, −Infinity where there is none
   */
  scoreSoFar(row: number): number | undefined {
    return this.#withRow(row, (candidate) => {
      try {
        return this.#combined(candidate, row) ?? -Infinity;
      } catch (error) {
        verdictOfError(this.run.plan.score, error);
        return -Infinity; // the scorers to come may change it
      }
    });
  }

  /** Resolves the scorers that have seen a row, then computes something of them. */
  #withRow(row: number, compute: (candidate: unknown) => number | undefined): number | undefined {
    const position = this.run.kept[row]!;
    const candidate = this.run.candidates[position];
    try {
      this.#resolve(candidate, row);
      return compute(candidate);
    } catch (error) {
      if (error instanceof RunFailed) throw new RunFailed(error.entry, error.stage, error.failure, position);
      verdictOfError(this.run.plan.score, error);
      return undefined;
    }
  }

  #resolve(candidate: unknown, row: number): void {
    const { active } = this.scoring;
    this.#open.length = 0;
    this.#unresolved = false;
    for (let k = 0; k < active.length; k++) {
      this.#values[k] = undefined;
      if (wasAsked(active[k]!, row)) this.#values[k] = this.#fast(k, candidate, row) ?? this.#slow(k, candidate, row);
      else this.#open.push(k);
    }
  }

  /** A finite number, or undefined for what has to be resolved. */
  #fast(k: number, candidate: unknown, row: number): number | undefined {
    try {
      const value = this.scoring.scorers[k]!(candidate, row);
      return Number.isFinite(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #slow(k: number, candidate: unknown, row: number): number | undefined {
    this.#unresolved = true;
    return resolveScore(this.scoring.active[k]!, candidate, row, undefined, () => void (this.failed = true)).value;
  }

  /** @returns undefined where nothing combines, or a rule refuses */
  #combined(candidate: unknown, row: number, isWhole = false): number | undefined {
    const { plan, buffers, context } = this.run;
    const total = combineResolved(plan.score, this.scoring, this.#values, candidate, row);
    if (isWhole && total !== undefined && !this.#unresolved) {
      buffers.totals[row] = total;
      this.complete[row] = 1;
    }
    if (total === undefined || plan.rules.length === 0) return total;
    try {
      return plan.rules.reduce((score, rule) => applyRule(rule, score, candidate, row, context), total);
    } catch {
      return undefined; // counted where the rules are applied
    }
  }

  /** The rules rise with the score, unless a factor is negative; one that fails is left for when the score is known. */
  #boundAfterRules(candidate: unknown, row: number, bound: number): number {
    const { rules } = this.run.plan;
    if (rules.length === 0) return bound;
    let falls = false;
    const onStep = ({ operation, amount }: RuleStep): void => {
      if (operation === 'multiply' && amount < 0) falls = true;
    };
    try {
      const { context } = this.run;
      const after = rules.reduce((score, rule) => applyRule(rule, score, candidate, row, context, onStep), bound);
      return falls ? Infinity : after;
    } catch {
      return Infinity;
    }
  }
}
