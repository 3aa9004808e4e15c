import {
  missingScale,
  type CellState,
  type Plan,
  type RuleStep,
  type Evaluation,
  applyRule,
  combineResolved,
  resolveScore,
  wasEvaluated,
} from '../engine/index.js';
import { contributionOf, weightCaseOf } from './explain/explain-score.js';
import { combineFacts, readsWeights } from '../profile/index.js';

/** A number for each scorer of the profile, by id; null for a scorer that is not part of the score. */
export type NumberByScorer = Readonly<Record<string, number | null>>;

/** A rule that fired: its amounts by operation in the order of application, and the score after it. */
export type FiredRule = { readonly id: string; readonly score: number } & {
  readonly [operation in RuleStep['operation']]?: number;
};

/** The terms of a score: the arithmetic of its explanation, without the reasons. Plain data. */
export interface ScoreTerms {
  /** The number of each scorer, after its `on_absent`, `on_error` and `out_of_range`. */
  readonly scores: NumberByScorer;
  /** The state of each scorer that did not return a number; missing if all did. */
  readonly states?: Readonly<Record<string, Exclude<CellState, 'scored'>>>;
  /** The case of the profile's `weights` that applies to it; missing if no case applies. */
  readonly case?: string;
  /**
   * The factor of each score (in a geometric mean: the exponent). It is the weight of the row's case, normalized in a
   * mean, and scaled up if scorers are missing. Missing if the combine method does not use weights.
   */
  readonly weights?: NumberByScorer;
  /**
   * The part of each scorer in the combined score: summands in a weighted mean or sum, factors in a product or a
   * geometric mean. Missing in min, max and formula.
   */
  readonly contributions?: NumberByScorer;
  /** The score before the rules; missing if the profile has none. */
  readonly combined?: number;
  /** The rules that fired, in order; missing if the profile has none. */
  readonly rules?: readonly FiredRule[];
}

/** An entry of a profile. */
interface Named {
  readonly id: string;
}

/**
 * By scorer of the profile: its position among the scorers of a run. −1 if it is not in the run, because its `when` is
 * false.
 */
export const positionsOf = (
  scorers: readonly Named[],
  active: readonly { readonly entry: Named }[],
): readonly number[] => scorers.map(({ id }) => active.findIndex(({ entry }) => entry.id === id));

/** Computes the terms of scores by calling the scorers and rules of the run again. */
export class TermsReader {
  /** By position in the profile: the position among the scorers of the run; −1 if the scorer is not in the run. */
  readonly #positions: readonly number[];

  constructor(
    private readonly plan: Plan,
    private readonly evaluation: Evaluation,
  ) {
    const { active } = evaluation.scored.scoring;
    this.#positions = positionsOf(plan.profile.scorers, active);
  }

  /**
   * The terms of one score. O(scorers + rules).
   *
   * @param row a row of Tier 2 that was not refused
   */
  at(row: number): ScoreTerms {
    const { plan, evaluation } = this;
    return plan.current.enter(evaluation.context, () =>
      this.#termsOf(evaluation.candidates[evaluation.kept[row]!], row),
    );
  }

  #termsOf(candidate: unknown, row: number): ScoreTerms {
    const { plan, evaluation } = this;
    const { scoring } = evaluation.scored;
    const resolved: (number | undefined)[] = [];
    const states: CellState[] = [];
    // By index: an iterator of entries costs as much per score as a scorer.
    for (let k = 0; k < scoring.active.length; k++) {
      const scorer = scoring.active[k]!;
      const score = wasEvaluated(scorer, row) ? resolveScore(scorer, candidate, row) : undefined;
      resolved[k] = score?.value;
      states[k] = score?.state ?? 'not_evaluated';
    }
    const { combine } = plan.profile;
    const facts = combineFacts(combine);
    const weights = readsWeights(combine) ? scoring.weightsOf(candidate, row) : undefined;
    const scale = weights ? missingScale(weights, (k) => resolved[k] === undefined) : 1;
    const weightAt = (k: number): number => (weights?.[k] ?? 1) * scale;
    const weightCase = weights && weightCaseOf(plan, candidate, row);
    const unscored = this.#missing((k) => states[k] ?? 'not_evaluated');
    return {
      scores: this.#byScorer((k) => resolved[k]),
      ...(unscored && { states: unscored }),
      ...(weightCase !== undefined && { case: weightCase }),
      ...(weights && { weights: this.#byScorer((k) => (resolved[k] === undefined ? undefined : weightAt(k))) }),
      ...((facts.effect === 'summand' || facts.effect === 'factor') && {
        contributions: this.#byScorer((k) => contributionOf(facts, resolved[k], weightAt(k))),
      }),
      ...(plan.rules.length > 0 && this.#ruleTerms(resolved, candidate, row)),
    };
  }

  #ruleTerms(
    resolved: readonly (number | undefined)[],
    candidate: unknown,
    row: number,
  ): Pick<ScoreTerms, 'combined' | 'rules'> {
    const { plan, evaluation } = this;
    const combined = combineResolved(plan.score, evaluation.scored.scoring, resolved, candidate, row) ?? Number.NaN;
    const rules: FiredRule[] = [];
    let score = combined;
    for (const rule of plan.rules) {
      const amounts: Partial<Record<RuleStep['operation'], number>> = {};
      let fired = false;
      score = applyRule(rule, score, candidate, row, evaluation.context, ({ operation, amount }) => {
        amounts[operation] = amount;
        fired = true;
      });
      if (fired) rules.push({ id: rule.id, ...amounts, score });
    }
    return { combined, rules };
  }

  #byScorer(valueOf: (position: number) => number | undefined): NumberByScorer {
    const numbers: Record<string, number | null> = {};
    const { scorers } = this.plan.profile;
    for (let k = 0; k < scorers.length; k++) numbers[scorers[k]!.id] = valueOf(this.#positions[k]!) ?? null;
    return numbers;
  }

  #missing(stateOf: (position: number) => CellState): ScoreTerms['states'] {
    let states: Record<string, Exclude<CellState, 'scored'>> | undefined;
    const { scorers } = this.plan.profile;
    for (let k = 0; k < scorers.length; k++) {
      const state = stateOf(this.#positions[k]!);
      if (state !== 'scored') (states ??= {})[scorers[k]!.id] = state;
    }
    return states;
  }
}

/** The weights of a run by scorer, normalized in a mean; null for a scorer that is not in the run. */
interface RunWeights {
  /** The weights of rows to which no case applies. */
  readonly weights: NumberByScorer;
  /** By case of the profile's `weights`. */
  readonly cases: ReadonlyMap<string, NumberByScorer>;
}

/** The weights of a run; undefined if the combine method does not use weights. */
export function weightsOfRun(plan: Plan, { scored }: Pick<Evaluation, 'scored'>): RunWeights | undefined {
  if (!readsWeights(plan.profile.combine)) return undefined;
  const { active, weights, caseWeights = [] } = scored.scoring;
  const byScorer = (vector: Float64Array): NumberByScorer => {
    const byId = new Map(active.map(({ entry }, k) => [entry.id, vector[k]!]));
    return Object.fromEntries(plan.profile.scorers.map(({ id }) => [id, byId.get(id) ?? null]));
  };
  return {
    weights: byScorer(weights),
    cases: new Map(Array.from(caseWeights, ([name, vector]) => [name, byScorer(vector)])),
  };
}
