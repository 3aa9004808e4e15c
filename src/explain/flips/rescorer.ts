import type { Plan } from '../../engine/plan.js';
import type { Evaluation } from '../../engine/run-state.js';
import { applyRule } from '../../engine/stages/adjust/adjust.js';
import type { RuleStep } from '../../engine/stages/adjust/types.js';
import { combineResolved } from '../../engine/stages/score/resolve-rows.js';
import { normalizedWeights, ownWeight } from '../../engine/stages/score/weights.js';
import { createExplainContext, type ExplainContext } from '../explain-context.js';
import type { Explanation } from '../explanation.js';
import type { FlipCandidate, NumberChange, Rescored } from './number-flips.js';

/** Scores one candidate of a run once more, with one number changed: by the arithmetic and the rules of the run. */
export class Rescorer implements FlipCandidate {
  readonly weights: readonly number[];
  readonly #asking: ExplainContext;
  readonly #values: readonly (number | undefined)[];

  /** @param explanation of a candidate that is ranked */
  constructor(
    private readonly plan: Plan,
    private readonly outcome: Evaluation,
    readonly explanation: Explanation,
  ) {
    this.#asking = createExplainContext(plan, outcome, explanation.index);
    const asked = explanation.scorers.filter(({ state }) => state !== 'not_asked');
    this.#values = asked.map(({ value }) => value);
    this.weights = outcome.scored.scoring.active.map(({ entry }, k) => {
      const written = asked[k]?.written;
      if (typeof written === 'number') return written;
      return plan.current.enter(outcome.context, () => ownWeight(entry, plan.score.weightOf));
    });
  }

  score(otherwise: NumberChange): Rescored | undefined {
    return this.#with(otherwise, (values, row) => this.#scored(values, row, otherwise));
  }

  /** What is read of the candidate, with its number changed, once its score is known. */
  read<V>(otherwise: NumberChange, score: number, read: (candidate: unknown, row: number) => V): V {
    return this.#with(otherwise, (_, row) => {
      this.outcome.context.score = score;
      return read(this.#asking.candidate, row);
    });
  }

  /** Makes the run, with the changed scores, the one that is read. */
  #with<V>({ what, k, to }: NumberChange, work: (values: readonly (number | undefined)[], row: number) => V): V {
    const { context, scored } = this.outcome;
    const values = what === 'value' ? this.#values.with(k, to) : this.#values;
    const { scores } = context;
    const changed = scores.slice();
    for (const [run, { refuser }] of scored.scoring.active.entries()) {
      const value = values[run];
      changed[refuser - this.plan.score.firstRefuser] = () => value;
    }
    context.scores = changed;
    try {
      return this.plan.current.enter(context, () => work(values, this.#asking.row));
    } finally {
      context.scores = scores;
    }
  }

  #scored(values: readonly (number | undefined)[], row: number, { what, k, to }: NumberChange): Rescored | undefined {
    const { candidate } = this.#asking;
    const steps: RuleStep[] = [];
    try {
      const weighed = what === 'weight' ? this.#weighed(this.weights.with(k, to)) : this.outcome.scored.scoring;
      const combined = combineResolved(this.plan.score, weighed, values, candidate, row);
      if (combined === undefined) return undefined;
      let score = combined;
      for (const rule of this.plan.rules)
        score = applyRule(rule, score, candidate, row, this.outcome.context, (step) => void steps.push(step));
      return { combined, steps, score };
    } catch {
      return undefined; // it would be refused
    }
  }

  #weighed(weights: readonly number[]): Evaluation['scored']['scoring'] {
    const { scoring } = this.outcome.scored;
    const ids = scoring.active.map(({ entry }) => entry.id);
    const vector = normalizedWeights(this.plan.profile.combine, ids, weights);
    return { ...scoring, weightsOf: () => vector };
  }
}
