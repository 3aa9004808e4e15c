import { type CompiledRule, applyRule } from './adjust.js';
import { mostOf, type Prospect, prospectOf } from './bound.js';
import { RunFailed } from './plan.js';
import { combineSettled, refusedBy, type ScoringInput } from './score.js';
import type { ScorePlan, Scoring } from './scoring.js';
import { isAsked, settle } from './settle.js';

/** The rows of a run some of whose scorers were not asked about all of them: what is to be known of each so far. */
export class LateRows {
  readonly #values: (number | undefined)[];
  readonly #prospects: readonly Prospect[];
  /** Whether a scorer failed on a row. */
  failed = false;

  constructor(
    private readonly plan: ScorePlan,
    private readonly scoring: Scoring,
    private readonly input: ScoringInput,
    private readonly kept: Int32Array,
    private readonly rules: readonly CompiledRule[],
  ) {
    this.#values = scoring.runs.map(() => undefined);
    this.#prospects = scoring.runs.map(({ entry }) => prospectOf(entry));
  }

  /**
   * The most that a row can come to, the rules included: its score, once everybody was asked.
   *
   * @returns undefined where it is refused already
   */
  most(row: number): number | undefined {
    return this.#told(row, (candidate, values, open) => {
      const { arithmetic } = this.scoring;
      if (open.length === 0 || arithmetic === 'formula') return this.#combined(candidate, row, values);
      const weights = this.scoring.weightsOf(candidate, row);
      const prospects = open.map((k): readonly [number, Prospect] => [k, this.#prospects[k]!]);
      const most = mostOf(arithmetic, values, weights, prospects);
      return Number.isFinite(most) ? this.#mostRuled(candidate, row, most) : Infinity;
    });
  }

  /**
   * What a row would come to if those that were not asked about it left it, the rules included.
   *
   * @returns undefined where it is refused already, −Infinity where nothing would come of it
   */
  soFar(row: number): number | undefined {
    return this.#told(row, (candidate, values) => {
      try {
        return this.#combined(candidate, row, values) ?? -Infinity;
      } catch (error) {
        refusedBy(this.plan, error);
        return -Infinity; // who is asked then may see to it
      }
    });
  }

  /** Settles the scorers that were asked about a row, and looks at what comes of it. */
  #told(
    row: number,
    look: (candidate: unknown, values: (number | undefined)[], open: readonly number[]) => number | undefined,
  ): number | undefined {
    const position = this.kept[row]!;
    const candidate = this.input.candidates[position];
    const values = this.#values;
    const open: number[] = [];
    try {
      for (const [k, run] of this.scoring.runs.entries()) {
        const asked = isAsked(run, row);
        if (!asked) open.push(k);
        values[k] = asked ? settle(run, candidate, row, undefined, () => void (this.failed = true)).value : undefined;
      }
      return look(candidate, values, open);
    } catch (error) {
      if (error instanceof RunFailed) throw new RunFailed(error.entry, error.stage, error.failure, position);
      refusedBy(this.plan, error);
      return undefined;
    }
  }

  /** @returns undefined where nothing combines, or a rule refuses */
  #combined(candidate: unknown, row: number, values: readonly (number | undefined)[]): number | undefined {
    const total = combineSettled(this.plan, this.scoring, values, candidate, row);
    if (total === undefined) return undefined;
    try {
      return this.rules.reduce((score, rule) => applyRule(rule, score, candidate, row, this.input.state), total);
    } catch {
      return undefined; // counted where the rules are applied
    }
  }

  /** The rules rise with the score, unless a factor is negative; one that fails is left for when the score is known. */
  #mostRuled(candidate: unknown, row: number, most: number): number {
    let turned = false;
    const look = ({ operation, amount }: { readonly operation: string; readonly amount: number }): void => {
      if (operation === 'multiply' && amount < 0) turned = true;
    };
    try {
      const ruled = this.rules.reduce(
        (score, rule) => applyRule(rule, score, candidate, row, this.input.state, look),
        most,
      );
      return turned ? Infinity : ruled;
    } catch {
      return Infinity;
    }
  }
}
