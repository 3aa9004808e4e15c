import type { Score } from '../../../contract/index.js';
import type { Expression } from '../../../expression/expression.js';
import type { CaseWeights, CombineMethod } from '../../../profile/profile.js';
import { arithmeticOf } from '../../combine-methods.js';
import type { Arithmetic } from '../../kernel/score-loop.js';
import { keyText } from '../../key-text.js';
import type { CompiledScorer, CurrentRun, PrepareFailure, RunContext } from '../../run-context.js';
import type { LoopCache } from './loop-cache.js';
import { type ActiveScorer, loopScore, resolveScore, wasAsked } from './resolve-score.js';
import type { DeferredScorer } from './second-phase/deferred-scorer.js';
import { normalizedWeights, ownWeight } from './weights.js';

/** How a profile scores: its scorers, and how their scores become one number. */
export interface ScorePlan {
  readonly current: CurrentRun;
  readonly scorers: readonly CompiledScorer[];
  readonly combine: CombineMethod;
  /** The formula, where `combine` is one: reads the settled scores of the cell's run. */
  readonly formula: Score<unknown, unknown> | undefined;
  readonly cases: (CaseWeights & { readonly evaluate: (candidate: unknown, row: number) => unknown }) | undefined;
  /** What a verdict calls the first scorer, and what refuses when nothing is left to combine. */
  readonly firstRefuser: number;
  readonly combineRefuser: number;
  /** What a weight that is an expression gives in the cell's run. */
  readonly weightOf: (expression: Expression) => unknown;
  readonly loops: LoopCache;
  /** Whether one of the scorers is in some runs and not in others. */
  readonly conditional: boolean;
  readonly scorings: ScoringCache;
}

/** The scorers of one run with their weights: what scores a row, and what explains it later. */
export interface Scoring {
  readonly active: readonly ActiveScorer[];
  /** What is called where a row is sound, by position in `runs`. */
  readonly scorers: readonly Score<unknown>[];
  /** What the loop calls: each, or one formula. */
  readonly loopScorers: readonly Score<unknown>[];
  /** Whether one of them was prepared, so that a loop had better call what came of that. */
  readonly prepared: boolean;
  /** The settled scores by position in the profile, for rules and formulas; undefined is not in the run. */
  readonly scores: RunContext['scores'];
  readonly arithmetic: Arithmetic;
  readonly weights: Float64Array;
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
}

/** The scorings of a profile. One serves every run with the same scorers of which the same could not be prepared. */
export class ScoringCache {
  #last: Scoring | undefined;

  constructor(private readonly plan: Omit<ScorePlan, 'scorings'>) {}

  /**
   * @param active the scorers that are in the cell's run
   * @param outcomes what came of preparing them
   */
  of(active: readonly CompiledScorer[], outcomes: PrepareFailures): Scoring {
    if (this.#last && isSameRun(this.#last.active, active, outcomes)) return this.#last;
    const { plan } = this;
    const scoring = scoringOf(plan, activeScorers(plan, active, outcomes));
    // A weight that is an expression is another in the next run.
    this.#last = active.every(({ entry }) => typeof entry.weight === 'number') ? scoring : undefined;
    return scoring;
  }
}

/** By scorer of a run: why it could not be prepared, where it could not. */
export type PrepareFailures = readonly (PrepareFailure | undefined)[];

function isSameRun(
  runs: readonly ActiveScorer[],
  active: readonly CompiledScorer[],
  outcomes: PrepareFailures,
): boolean {
  if (runs.length !== active.length) return false;
  for (let k = 0; k < runs.length; k++) {
    const { entry, failed } = runs[k]!;
    const outcome = outcomes[k];
    if (entry !== active[k]!.entry || (failed !== undefined) !== (outcome !== undefined)) return false;
    if (failed?.cause !== outcome?.cause) return false;
  }
  return true;
}

/** The scorers of a run as it has them. */
const activeScorers = (
  { scorers, firstRefuser }: Omit<ScorePlan, 'scorings'>,
  active: readonly CompiledScorer[],
  outcomes: PrepareFailures,
): readonly ActiveScorer[] =>
  active.map((scorer, k): ActiveScorer => {
    const { entry, unit } = scorer;
    const run = { entry, unit, refuser: firstRefuser + scorers.indexOf(scorer), raw: unit.score, failed: undefined };
    const outcome = outcomes[k];
    return outcome ? withPrepareFailure(run, outcome.cause) : run;
  });

/** A scorer that could not be prepared: one constant for all. Where that fails the run, it has failed by now. */
export function withPrepareFailure({ entry, unit, refuser }: ActiveScorer, cause: unknown): ActiveScorer {
  const { onPrepareError: rule } = entry;
  return { entry, unit, refuser, raw: () => undefined, failed: rule === 'fail' ? undefined : { rule, cause } };
}

/** A scoring of one run, in which some scorers are asked late. */
export function scoringWithDeferred(
  plan: ScorePlan,
  active: readonly CompiledScorer[],
  outcomes: PrepareFailures,
  late: readonly DeferredScorer[],
): Scoring {
  const runs = activeScorers(plan, active, outcomes).map((run): ActiveScorer => {
    const one = late.find(({ scorer }) => scorer.entry === run.entry);
    return one ? { ...run, raw: one.raw, asked: one.asked } : run;
  });
  return scoringOf(plan, runs);
}

/** The scorers of a run with their weights, and what the loop calls. */
export function scoringOf(plan: Omit<ScorePlan, 'scorings'>, active: readonly ActiveScorer[]): Scoring {
  const scores: (Score<unknown> | undefined)[] = plan.scorers.map(() => undefined);
  for (const run of active) {
    const settled: Score<unknown> = (candidate, row, note) => resolveScore(run, candidate, row, note).value;
    scores[run.refuser - plan.firstRefuser] = run.asked
      ? (candidate, row, note) => (wasAsked(run, row) ? settled(candidate, row, note) : undefined)
      : settled;
  }
  const scorers = active.map((run) => loopScore(run, run.raw));
  const { weights, weightsOf } = effectiveWeights(plan, active);
  return {
    active,
    scorers,
    loopScorers: plan.formula ? [loopFormula(plan, plan.formula, active, scorers)] : scorers,
    prepared: active.some(({ unit, failed }) => unit.prepares && !failed),
    scores,
    arithmetic: arithmeticOf(plan.combine),
    weights,
    weightsOf,
  };
}

/** What the loop calls in a run: a function that was prepared itself, and not one that looks for it in every row. */
export function loopScorersIn(
  plan: ScorePlan,
  { active, scorers, loopScorers, prepared }: Scoring,
  state: RunContext,
): Scoring['loopScorers'] {
  if (!prepared) return loopScorers;
  const now = active.map((run, k) =>
    run.unit.prepares && !run.failed ? loopScore(run, run.unit.scoreIn(state)) : scorers[k]!,
  );
  return plan.formula ? [loopFormula(plan, plan.formula, active, now)] : now;
}

/** A formula on a row whose scores are all there: every entry is asked, whatever the formula reads. */
function loopFormula(
  { current, firstRefuser }: Pick<ScorePlan, 'current' | 'firstRefuser'>,
  formula: Score<unknown, unknown>,
  runs: readonly ActiveScorer[],
  each: readonly Score<unknown>[],
): Score<unknown> {
  const places = runs.map((run) => run.refuser - firstRefuser);
  return (candidate, row) => {
    const { values } = current.context;
    for (let k = 0; k < each.length; k++) {
      const value = each[k]!(candidate, row);
      if (!Number.isFinite(value)) return undefined; // settled with the row
      values[places[k]!] = value;
    }
    return formula(candidate, row) as number | undefined; // the loop tests what it gives
  };
}

/** Weights by position in the run, and how they differ by candidate. */
export type WeightLookup = Pick<Scoring, 'weights' | 'weightsOf'>;

/** The weights of a set of scorers in the cell's run. */
function effectiveWeights(plan: Omit<ScorePlan, 'scorings'>, runs: readonly ActiveScorer[]): WeightLookup {
  const ids = runs.map((run) => run.entry.id);
  const own = runs.map((run) => ownWeight(run.entry, plan.weightOf));
  const weights = normalizedWeights(plan.combine, ids, own);
  const { cases } = plan;
  if (!cases) return { weights, weightsOf: () => weights };
  const vectors = new Map<string, Float64Array>();
  for (const [name, byId] of cases.cases) {
    const of = ids.map((id, k) => byId.get(id) ?? own[k]!);
    vectors.set(name, normalizedWeights(plan.combine, ids, of));
  }
  return { weights, weightsOf: (candidate, row) => vectors.get(keyText(cases.evaluate(candidate, row))) ?? weights };
}
