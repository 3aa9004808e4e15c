import { describeValue, didYouMean, nameList, type Problem, toAssizeError } from '../diagnostics/index.js';
import { isMap } from '../expression/index.js';
import { combineFacts, hasRelativeWeights, readsWeights } from '../profile/index.js';
import type { Plan } from './plan.js';
import { activeScorers, makeScoring } from './stages/score/scoring.js';
import type { ScorePlan } from './stages/score/types.js';

/** What a call may say otherwise than the profile, without compiling or preparing anything anew. */
export interface PlanOverrides {
  /** Weights by the ids of weighted scorers, for every candidate: they override cases of `weights`. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
  /** In place of `select.top`. */
  readonly top?: number | undefined;
  /** In place of `select.min_score`. */
  readonly min_score?: number | undefined;
}

/**
 * A plan with other weights and limits. It shares everything else with the plan: units, memories, loops.
 *
 * @throws AssizeError (ASZ534) with every override that the profile has no use for
 */
export function overridePlan(plan: Plan, overrides: PlanOverrides): Plan {
  checkOverrides(plan, overrides);
  const { weights, top = plan.select.top, min_score: minScore = plan.select.minScore } = overrides;
  const select = { ...plan.select, top, minScore };
  const profile = { ...plan.profile, select: { ...plan.profile.select, top, minScore } };
  if (!weights) return { ...plan, profile, select };
  const score = overrideWeights(plan.score, weights);
  const scorers = score.scorers.map(({ entry }) => entry);
  const fusedPass = plan.fusedPass && { ...plan.fusedPass, scoring: score.scoringOf(score.scorers, []) };
  return { ...plan, profile: { ...profile, scorers }, select, score, fusedPass };
}

function overrideWeights(plan: ScorePlan, weights: Readonly<Record<string, number>>): ScorePlan {
  const scorers = plan.scorers.map((scorer) => {
    const weight = weights[scorer.entry.id];
    return weight === undefined ? scorer : { ...scorer, entry: { ...scorer.entry, weight } };
  });
  const cases = plan.cases && {
    ...plan.cases,
    cases: new Map(
      Array.from(plan.cases.cases, ([name, byId]) => [
        name,
        new Map([...byId].filter(([id]) => !Object.hasOwn(weights, id))),
      ]),
    ),
  };
  const score: ScorePlan = {
    ...plan,
    scorers,
    cases,
    scoringOf: (present, failures) => makeScoring(score, activeScorers(present, failures)),
  };
  return score;
}

function checkOverrides({ profile }: Plan, { weights, top, min_score: minScore }: PlanOverrides): void {
  const problems: Problem[] = [];
  const problem = (message: string, hint?: string): void => void problems.push({ code: 'ASZ534', message, hint });
  if (weights !== undefined && !isMap(weights)) {
    problem(`weights is ${describeValue(weights)}; expected weights by the ids of scorers`);
  } else if (weights !== undefined) {
    const ids = profile.scorers.map(({ id }) => id);
    if (!readsWeights(profile.combine)) {
      problem(
        `profile ${profile.name} combines by ${combineFacts(profile.combine).label}, which reads no weights`,
        'weights are read by weighted_mean, weighted_sum and geometric_mean',
      );
    }
    for (const [id, weight] of Object.entries(weights)) {
      if (!ids.includes(id)) {
        problem(`weights: the profile has no scorer ${id}`, didYouMean(id, ids, `there is: ${nameList(ids)}`));
      } else if (!Number.isFinite(weight) || (hasRelativeWeights(profile.combine) && weight < 0)) {
        const expected = hasRelativeWeights(profile.combine) ? 'a number of at least 0' : 'a number';
        problem(`weights: ${id} is ${describeValue(weight)}; expected ${expected}`);
      }
    }
    const others = profile.scorers.map((scorer) => weights[scorer.id] ?? scorer.weight);
    if (hasRelativeWeights(profile.combine) && others.length > 0 && others.every((weight) => weight === 0)) {
      problem('all weights are 0', 'a mean needs at least one weight above 0');
    }
  }
  if (top !== undefined && !(Number.isSafeInteger(top) && top >= 0)) {
    problem(`top is ${describeValue(top)}; expected a whole number of at least 0`);
  }
  if (minScore !== undefined && !Number.isFinite(minScore)) {
    problem(`min_score is ${describeValue(minScore)}; expected a number`);
  }
  if (problems.length > 0) throw toAssizeError(problems);
}
