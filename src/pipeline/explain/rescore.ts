import type { Explanation } from '../../explain/explanation.js';
import type { Contender, Otherwise, Rescored } from '../../explain/flips.js';
import { applyRule, type RuleStep } from '../../stages/adjust.js';
import { combineSettled } from '../../stages/score.js';
import { ownWeight, weightVector } from '../../stages/weights.js';
import type { Plan } from '../compile/plan.js';
import type { Judgement } from '../outcome.js';
import { type Asking, askAgain } from './ask-again.js';

/** Scores one candidate of a run once more, with one number changed: by the arithmetic and the rules of the run. */
export class Rescorer implements Contender {
  readonly weights: readonly number[];
  readonly #asking: Asking;
  readonly #values: readonly (number | undefined)[];

  /** @param explanation of a candidate that is ranked */
  constructor(
    private readonly plan: Plan,
    private readonly outcome: Judgement,
    readonly explanation: Explanation,
  ) {
    this.#asking = askAgain(plan, outcome, explanation.index);
    const asked = explanation.scorers.filter(({ state }) => state !== 'not_asked');
    this.#values = asked.map(({ value }) => value);
    this.weights = outcome.scored.scoring.runs.map(({ entry }, k) => {
      const written = asked[k]?.written;
      return typeof written === 'number' ? written : ownWeight(entry, plan.score.weightOf);
    });
  }

  score(otherwise: Otherwise): Rescored | undefined {
    return this.#with(otherwise, (values, row) => this.#scored(values, row, otherwise));
  }

  /** What is read of the candidate, with its number changed, once its score is known. */
  read<V>(otherwise: Otherwise, score: number, read: (candidate: unknown, row: number) => V): V {
    return this.#with(otherwise, (_, row) => {
      this.outcome.state.score = score;
      return read(this.#asking.candidate, row);
    });
  }

  /** Makes the run, with the changed scores, the one that is read. */
  #with<V>({ what, k, to }: Otherwise, work: (values: readonly (number | undefined)[], row: number) => V): V {
    const { state, scored } = this.outcome;
    const values = what === 'value' ? this.#values.with(k, to) : this.#values;
    const { scores } = state;
    this.plan.cell.state = state;
    const changed = scores.slice();
    for (const [run, { judge }] of scored.scoring.runs.entries()) {
      const value = values[run];
      changed[judge - this.plan.score.firstJudge] = () => value;
    }
    state.scores = changed;
    try {
      return work(values, this.#asking.row);
    } finally {
      state.scores = scores;
    }
  }

  #scored(values: readonly (number | undefined)[], row: number, { what, k, to }: Otherwise): Rescored | undefined {
    const { candidate } = this.#asking;
    const steps: RuleStep[] = [];
    try {
      const weighed = what === 'weight' ? this.#weighed(this.weights.with(k, to)) : this.outcome.scored.scoring;
      const combined = combineSettled(this.plan.score, weighed, values, candidate, row);
      if (combined === undefined) return undefined;
      let score = combined;
      for (const rule of this.plan.rules)
        score = applyRule(rule, score, candidate, row, this.outcome.state, (step) => void steps.push(step));
      return { combined, steps, score };
    } catch {
      return undefined; // it would be refused
    }
  }

  #weighed(weights: readonly number[]): Judgement['scored']['scoring'] {
    const { scoring } = this.outcome.scored;
    const ids = scoring.runs.map(({ entry }) => entry.id);
    const vector = weightVector(this.plan.profile.combine, ids, weights);
    return { ...scoring, weightsOf: () => vector };
  }
}
