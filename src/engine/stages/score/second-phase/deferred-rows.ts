import { RunFailed } from '../../../run-context.js';
import { applyRule, type CompiledRule } from '../../adjust/adjust.js';
import { resolveScore, wasAsked } from '../resolve-score.js';
import { combineResolved, type ScoringInput, verdictOfError } from '../score.js';
import type { ScorePlan, Scoring } from '../scoring.js';
import { type ScoreBounds, scoreBounds, upperBound } from '../upper-bound.js';

/** The rows of a run some of whose scorers were not asked about all of them: what is to be known of each so far. */
export class DeferredRows {
  readonly #prospects: readonly ScoreBounds[];
  /** The row that is looked at: its settled scores, and the positions of the scorers that were not asked about it. */
  readonly #values: (number | undefined)[];
  readonly #open: number[] = [];
  /** Whether a scorer failed on a row. */
  failed = false;
  /** By row: whether all gave a number, so that its total is there and nothing is left to settle. */
  readonly complete: Uint8Array;
  #odd = false;

  constructor(
    private readonly plan: ScorePlan,
    private readonly scoring: Scoring,
    private readonly input: ScoringInput,
    private readonly kept: Int32Array,
    private readonly rules: readonly CompiledRule[],
  ) {
    this.complete = new Uint8Array(kept.length);
    this.#values = scoring.active.map(() => undefined);
    this.#prospects = scoring.active.map(({ entry }) => scoreBounds(entry));
  }

  /**
   * The most that a row can come to, the rules included: its score, once everybody was asked.
   *
   * @returns undefined where it is refused already
   */
  upperBound(row: number): number | undefined {
    return this.#about(row, (candidate) => {
      const { arithmetic, weightsOf } = this.scoring;
      if (this.#open.length === 0 || arithmetic === 'formula') return this.#combined(candidate, row, true);
      const most = upperBound(arithmetic, this.#values, weightsOf(candidate, row), this.#open, this.#prospects);
      return Number.isFinite(most) ? this.#mostRuled(candidate, row, most) : Infinity;
    });
  }

  /**
   * What a row would come to if those that were not asked about it left it, the rules included.
   *
   * @returns undefined where it is refused already, −Infinity where nothing would come of it
   */
  soFar(row: number): number | undefined {
    return this.#about(row, (candidate) => {
      try {
        return this.#combined(candidate, row) ?? -Infinity;
      } catch (error) {
        verdictOfError(this.plan, error);
        return -Infinity; // who is asked then may see to it
      }
    });
  }

  /** Settles the scorers that were asked about a row, and looks at what comes of it. */
  #about(row: number, look: (candidate: unknown) => number | undefined): number | undefined {
    const position = this.kept[row]!;
    const candidate = this.input.candidates[position];
    try {
      this.#settle(candidate, row);
      return look(candidate);
    } catch (error) {
      if (error instanceof RunFailed) throw new RunFailed(error.entry, error.stage, error.failure, position);
      verdictOfError(this.plan, error);
      return undefined;
    }
  }

  #settle(candidate: unknown, row: number): void {
    const { active } = this.scoring;
    this.#open.length = 0;
    this.#odd = false;
    for (let k = 0; k < active.length; k++) {
      const run = active[k]!;
      this.#values[k] = undefined;
      if (wasAsked(run, row)) this.#values[k] = this.#quickly(k, candidate, row) ?? this.#settled(k, candidate, row);
      else this.#open.push(k);
    }
  }

  /** A good number; undefined for whatever is to be settled. */
  #quickly(k: number, candidate: unknown, row: number): number | undefined {
    try {
      const value = this.scoring.scorers[k]!(candidate, row);
      return Number.isFinite(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  #settled(k: number, candidate: unknown, row: number): number | undefined {
    this.#odd = true;
    return resolveScore(this.scoring.active[k]!, candidate, row, undefined, () => void (this.failed = true)).value;
  }

  /** @returns undefined where nothing combines, or a rule refuses */
  #combined(candidate: unknown, row: number, wholly = false): number | undefined {
    const total = combineResolved(this.plan, this.scoring, this.#values, candidate, row);
    if (wholly && total !== undefined && !this.#odd) {
      this.input.buffers.totals[row] = total;
      this.complete[row] = 1;
    }
    if (total === undefined || this.rules.length === 0) return total;
    try {
      return this.rules.reduce((score, rule) => applyRule(rule, score, candidate, row, this.input.context), total);
    } catch {
      return undefined; // counted where the rules are applied
    }
  }

  /** The rules rise with the score, unless a factor is negative; one that fails is left for when the score is known. */
  #mostRuled(candidate: unknown, row: number, most: number): number {
    if (this.rules.length === 0) return most;
    let turned = false;
    const look = ({ operation, amount }: { readonly operation: string; readonly amount: number }): void => {
      if (operation === 'multiply' && amount < 0) turned = true;
    };
    try {
      const ruled = this.rules.reduce(
        (score, rule) => applyRule(rule, score, candidate, row, this.input.context, look),
        most,
      );
      return turned ? Infinity : ruled;
    } catch {
      return Infinity;
    }
  }
}
