import {
  applyRule,
  combineResolved,
  type Evaluation,
  normalizedWeights,
  ownWeight,
  type Plan,
  type RuleStep,
} from '../../engine/index.js';
import { type ExplainContext, explainContext, withRun } from '../explain-context.js';
import type { Explanation } from '../explanation.js';
import type { FlipCandidate, NumberChange, Rescored } from './number-flips.js';

/** Scores one candidate of a run again with one number changed, by the arithmetic and the rules of the run. */
export class Rescorer implements FlipCandidate {
  readonly weights: readonly number[];
  readonly #context: ExplainContext;
  readonly #values: readonly (number | undefined)[];

  /** @param explanation of a candidate that is ranked */
  constructor(
    private readonly plan: Plan,
    private readonly evaluation: Evaluation,
    readonly explanation: Explanation,
  ) {
    this.#context = explainContext(plan, evaluation, explanation.index);
    const evaluated = explanation.scorers.filter(({ state }) => state !== 'not_asked');
    this.#values = evaluated.map(({ value }) => value);
    this.weights = withRun(plan, evaluation, () =>
      evaluation.scored.scoring.active.map(({ entry }, k) => {
        const written = evaluated[k]?.written;
        return typeof written === 'number' ? written : ownWeight(entry, plan.score.weightOf);
      }),
    );
  }

  score(change: NumberChange): Rescored | undefined {
    return this.#withChange(change, (values) => this.#rescore(values, change));
  }

  /** Reads something of the candidate that may depend on its scores, once its score after a change is known. */
  read<V>(change: NumberChange | undefined, score: number, read: (candidate: unknown, row: number) => V): V {
    return this.#withChange(change, () => {
      this.evaluation.context.score = score;
      return read(this.#context.candidate, this.#context.row);
    });
  }

  /** Does work in the run, where the scorers of this candidate have its values, one of them changed. */
  #withChange<V>(change: NumberChange | undefined, work: (values: readonly (number | undefined)[]) => V): V {
    const { context, scored } = this.evaluation;
    const values = change?.number === 'value' ? this.#values.with(change.k, change.to) : this.#values;
    const { scores } = context;
    const changed = scores.slice();
    for (const [k, { refuser }] of scored.scoring.active.entries()) {
      const value = values[k];
      changed[refuser - this.plan.score.firstRefuser] = () => value;
    }
    context.scores = changed;
    try {
      return withRun(this.plan, this.evaluation, () => work(values));
    } finally {
      context.scores = scores;
    }
  }

  #rescore(values: readonly (number | undefined)[], { number, k, to }: NumberChange): Rescored | undefined {
    const { plan, evaluation } = this;
    const { candidate, row } = this.#context;
    const steps: RuleStep[] = [];
    try {
      const scoring = number === 'weight' ? this.#reweighed(this.weights.with(k, to)) : evaluation.scored.scoring;
      const combined = combineResolved(plan.score, scoring, values, candidate, row);
      if (combined === undefined) return undefined;
      let score = combined;
      for (const rule of plan.rules)
        score = applyRule(rule, score, candidate, row, evaluation.context, (step) => void steps.push(step));
      return { combined, steps, score };
    } catch {
      return undefined; // it would be refused
    }
  }

  #reweighed(weights: readonly number[]): Evaluation['scored']['scoring'] {
    const { scoring } = this.evaluation.scored;
    const ids = scoring.active.map(({ entry }) => entry.id);
    const vector = normalizedWeights(this.plan.profile.combine, ids, weights);
    return { ...scoring, weightsOf: () => vector };
  }
}
