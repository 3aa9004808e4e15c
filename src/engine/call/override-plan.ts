import {
  type OptionTypes,
  didYouMean,
  toAssizeError,
  describeValue,
  nameList,
  type Problem,
} from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { combineFacts, hasRelativeWeights, readsWeights, resolvePruning } from '../../profile/index.js';
import type { Plan } from '../plan.js';
import { activeScorers, makeScoring, secondPhaseOf } from '../stages/score/scoring.js';
import type { ScorePlan } from '../tier-plans.js';

/** The parts of a profile that a call may override without compiling again. */
export interface PlanOverrides {
  /** Weights by scorer id, for every candidate. They also override the cases of `weights`. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
  /** Overrides `select.top`. */
  readonly top?: number | undefined;
  /** Overrides `select.min_score`. */
  readonly minScore?: number | undefined;
  /**
   * How many of the best rows to skip: `{ top: 10, offset: 20 }` is the third page of ten. Ranks do not change. Pinned
   * candidates and a fallback are only on the first page. Not allowed if the profile diversifies, packs or places. Default 0.
   */
  readonly offset?: number | undefined;
  /**
   * Overrides `select.seed`: tied candidates are in a random order, and classes such as `WeightedPick` choose at random.
   * The same seed gives the same result. An integer of at least 0.
   */
  readonly seed?: number | undefined;
}

/** The options of a call that overrides a plan. */
export const OVERRIDE_OPTIONS = {
  weights: { expected: 'weights by the ids of scorers', accepts: isMap },
  top: { integerFrom: 0 },
  minScore: { expected: 'a number', accepts: Number.isFinite },
  offset: { integerFrom: 0 },
  seed: { integerFrom: 0 },
} satisfies OptionTypes;

/** Merges overrides. The later ones win, weight by weight. */
export function mergeOverrides(first: PlanOverrides, later: PlanOverrides): PlanOverrides {
  const { weights, top = first.top, minScore = first.minScore, offset = first.offset, seed = first.seed } = later;
  return {
    weights: first.weights && weights ? { ...first.weights, ...weights } : (weights ?? first.weights),
    top,
    minScore,
    offset,
    seed,
  };
}

/**
 * A plan with other weights and limits. It shares units, memories and loops with the given plan.
 *
 * @throws AssizeError (ASZ534) with every override that does not apply to the profile
 */
export function overridePlan(plan: Plan, overrides: PlanOverrides): Plan {
  const { weights, top, minScore, offset, seed } = overrides;
  const limited = [top, minScore, offset, seed].some((limit) => limit !== undefined);
  if (!limited && weights === undefined) return plan;
  checkOverrides(plan, overrides);
  const weighted = weights ? withWeights(plan, weights) : plan;
  return limited ? withLimits(weighted, overrides) : weighted;
}

/** The changes that tuning makes to a profile, to apply to the columns of an earlier run. */
export interface ModelOverrides {
  /** Weights by the ids of scorers: of the entries, or of one case of `weights`. Other weights of cases stay as they are. */
  readonly weights: Readonly<Record<string, number>>;
  readonly case?: string | undefined;
  /**
   * By scorer: other scores, such as those of a curve, made from the column of its resolved scores.
   *
   * @param rows by row of the ranking: its index in the column; undefined if they are equal
   */
  readonly scores?: ReadonlyMap<string, (resolved: Float64Array, rows: Int32Array | undefined) => Float64Array>;
}

/** A plan with the weights of a model, equal to the plan of a profile with these weights. */
export function modelPlan(plan: Plan, { weights, case: name }: ModelOverrides): Plan {
  const { cases } = plan.score;
  const ofCase =
    cases && name !== undefined
      ? new Map([...cases.cases, [name, new Map([...(cases.cases.get(name) ?? []), ...Object.entries(weights)])]])
      : cases?.cases;
  const scorers = plan.score.scorers.map((scorer) => {
    const weight = name === undefined ? weights[scorer.entry.id] : undefined;
    return weight === undefined ? scorer : { ...scorer, entry: { ...scorer.entry, weight } };
  });
  const score: ScorePlan = {
    ...plan.score,
    scorers,
    cases: cases && ofCase && { ...cases, cases: ofCase },
    scoringOf: (present, failures) => makeScoring(score, activeScorers(present, failures)),
  };
  const entries = scorers.map(({ entry }) => entry);
  return { ...plan, profile: { ...plan.profile, scorers: entries }, score, fusedPass: undefined };
}

function withWeights(plan: Plan, weights: Readonly<Record<string, number>>): Plan {
  const score = overrideWeights(plan.score, weights);
  const scorers = score.scorers.map(({ entry }) => entry);
  const fusedPass = plan.fusedPass && { ...plan.fusedPass, scoring: score.scoringOf(score.scorers, []) };
  return { ...plan, profile: { ...plan.profile, scorers }, score, fusedPass };
}

/** Pruning follows the new limits. The `top` of a rerank does not change, because it bounds the cost. */
function withLimits(plan: Plan, overrides: PlanOverrides): Plan {
  const { profile, select } = plan;
  const { top = select.top, minScore = select.minScore, offset = select.offset, seed = select.seed } = overrides;
  const spec = {
    ...profile.select,
    top: overrides.top ?? profile.select.top,
    minScore: overrides.minScore ?? profile.select.minScore,
    seed: overrides.seed ?? profile.select.seed,
  };
  const overridden = { top: overrides.top, min_score: overrides.minScore, seed: overrides.seed };
  const limited = { ...profile, select: spec };
  const pruned = { ...limited, pruning: resolvePruning(limited) };
  return {
    ...plan,
    profile: pruned,
    select: { ...select, top, minScore, offset, seed },
    computedLimits: plan.computedLimits.filter(({ key }) => overridden[key] === undefined),
    secondPhase: secondPhaseOf(pruned, offset),
  };
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

/** Why a selection has no pages. */
const NO_PAGES = {
  diversify: 'each choice depends on all earlier choices',
  pack: 'the budget is for the whole selection',
  place: 'placed candidates are not in rank order',
};

function checkOverrides(plan: Plan, { weights, offset = 0 }: PlanOverrides): void {
  const problems = weights ? weightProblems(plan, weights) : [];
  const after = plan.pack ? 'pack' : plan.place ? 'place' : plan.diversify && 'diversify';
  if (offset > 0 && after) {
    const message = `profile ${plan.profile.name} has select.${after}, which has no pages, but the call has an offset`;
    const place = plan.profile.select[after]?.place;
    problems.push({ code: 'ASZ534', message, path: `select.${after}`, place, hint: NO_PAGES[after] });
  }
  if (problems.length > 0) throw toAssizeError(problems);
}

const MAX_HINTS = 100;

function weightProblems({ profile }: Plan, weights: Readonly<Record<string, number>>): Problem[] {
  const problems: Problem[] = [];
  const problem = (message: string, hint?: string): void => void problems.push({ code: 'ASZ534', message, hint });
  const ids = profile.scorers.map(({ id }) => id);
  if (!readsWeights(profile.combine)) {
    problem(
      `profile ${profile.name} combines by ${combineFacts(profile.combine).label}, which uses no weights`,
      'weighted_mean, weighted_sum, geometric_mean and harmonic_mean use weights',
    );
  }
  for (const [id, weight] of Object.entries(weights)) {
    if (!ids.includes(id)) {
      // Only the first problems are listed, and a hint takes far longer than the rest.
      const hint = problems.length < MAX_HINTS ? didYouMean(id, ids, `there are: ${nameList(ids)}`) : undefined;
      problem(`weights: the profile has no scorer ${id}`, hint);
    } else if (!Number.isFinite(weight) || (hasRelativeWeights(profile.combine) && weight < 0)) {
      const expected = hasRelativeWeights(profile.combine) ? 'a number of at least 0' : 'a number';
      problem(`weights: ${id} is ${describeValue(weight)}; expected ${expected}`);
    }
  }
  const all = profile.scorers.map((scorer) => weights[scorer.id] ?? scorer.weight);
  if (hasRelativeWeights(profile.combine) && all.length > 0 && all.every((weight) => weight === 0)) {
    problem('all weights are 0', 'a mean needs at least one weight above 0');
  }
  return problems;
}
