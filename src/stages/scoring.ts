import type { Score } from '../contract/index.js';
import type { Expression } from '../expression/expression.js';
import type { Arithmetic } from '../matrix/score-loop.js';
import type { CaseWeights, Combine } from '../profile/profile.js';
import { arithmeticOf } from './combine.js';
import { keyText } from './key-text.js';
import type { LateScorer } from './late-scorer.js';
import type { Loops } from './loops.js';
import type { Cell, CompiledScorer, RunState, Unprepared } from './plan.js';
import { fastScore, isAsked, type ScorerRun, settle } from './settle.js';
import { ownWeight, weightVector } from './weights.js';

/** How a profile scores: its scorers, and how their scores become one number. */
export interface ScorePlan {
  readonly cell: Cell;
  readonly scorers: readonly CompiledScorer[];
  readonly combine: Combine;
  /** The formula, where `combine` is one: reads the settled scores of the cell's run. */
  readonly formula: Score<unknown, unknown> | undefined;
  readonly cases: (CaseWeights & { readonly evaluate: (candidate: unknown, row: number) => unknown }) | undefined;
  /** What a verdict calls the first scorer, and what refuses when nothing is left to combine. */
  readonly firstJudge: number;
  readonly combineJudge: number;
  /** What a weight that is an expression gives in the cell's run. */
  readonly weightOf: (expression: Expression) => unknown;
  readonly loops: Loops;
  /** Whether one of the scorers is in some runs and not in others. */
  readonly conditional: boolean;
  readonly scorings: Scorings;
}

/** The scorers of one run with their weights: what scores a row, and what explains it later. */
export interface Scoring {
  readonly runs: readonly ScorerRun[];
  /** What is called where a row is sound, by position in `runs`. */
  readonly each: readonly Score<unknown>[];
  /** What the loop calls: each, or one formula. */
  readonly fast: readonly Score<unknown>[];
  /** Whether one of them was prepared, so that a loop had better call what came of that. */
  readonly prepared: boolean;
  /** The settled scores by position in the profile, for rules and formulas; undefined is not in the run. */
  readonly scores: RunState['scores'];
  readonly arithmetic: Arithmetic;
  readonly weights: Float64Array;
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
}

/** The scorings of a profile. One serves every run with the same scorers of which the same could not be prepared. */
export class Scorings {
  #last: Scoring | undefined;

  constructor(private readonly plan: Omit<ScorePlan, 'scorings'>) {}

  /**
   * @param active the scorers that are in the cell's run
   * @param outcomes what came of preparing them
   */
  of(active: readonly CompiledScorer[], outcomes: Outcomes): Scoring {
    if (this.#last && isOf(this.#last.runs, active, outcomes)) return this.#last;
    const { plan } = this;
    const scoring = scoringOf(plan, runsOf(plan, active, outcomes));
    // A weight that is an expression is another in the next run.
    this.#last = active.every(({ entry }) => typeof entry.weight === 'number') ? scoring : undefined;
    return scoring;
  }
}

/** By scorer of a run: why it could not be prepared, where it could not. */
export type Outcomes = readonly (Unprepared | undefined)[];

function isOf(runs: readonly ScorerRun[], active: readonly CompiledScorer[], outcomes: Outcomes): boolean {
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
const runsOf = (
  { scorers, firstJudge }: Omit<ScorePlan, 'scorings'>,
  active: readonly CompiledScorer[],
  outcomes: Outcomes,
): readonly ScorerRun[] =>
  active.map((scorer, k): ScorerRun => {
    const { entry, unit } = scorer;
    const run = { entry, unit, judge: firstJudge + scorers.indexOf(scorer), raw: unit.stable, failed: undefined };
    const outcome = outcomes[k];
    return outcome ? unprepared(run, outcome.cause) : run;
  });

/** A scorer that could not be prepared: one constant for all. Where that fails the run, it has failed by now. */
export function unprepared({ entry, unit, judge }: ScorerRun, cause: unknown): ScorerRun {
  const { onPrepareError: rule } = entry;
  return { entry, unit, judge, raw: () => undefined, failed: rule === 'fail' ? undefined : { rule, cause } };
}

/** A scoring of one run, in which some scorers are asked late. */
export function scoringWithLate(
  plan: ScorePlan,
  active: readonly CompiledScorer[],
  outcomes: Outcomes,
  late: readonly LateScorer[],
): Scoring {
  const runs = runsOf(plan, active, outcomes).map((run): ScorerRun => {
    const one = late.find(({ scorer }) => scorer.entry === run.entry);
    return one ? { ...run, raw: one.raw, asked: one.asked } : run;
  });
  return scoringOf(plan, runs);
}

/** The scorers of a run with their weights, and what the loop calls. */
export function scoringOf(plan: Omit<ScorePlan, 'scorings'>, runs: readonly ScorerRun[]): Scoring {
  const scores: (Score<unknown> | undefined)[] = plan.scorers.map(() => undefined);
  for (const run of runs) {
    const settled: Score<unknown> = (candidate, row, note) => settle(run, candidate, row, note).value;
    scores[run.judge - plan.firstJudge] = run.asked
      ? (candidate, row, note) => (isAsked(run, row) ? settled(candidate, row, note) : undefined)
      : settled;
  }
  const each = runs.map((run) => fastScore(run, run.raw));
  const { weights, weightsOf } = weigh(plan, runs);
  return {
    runs,
    each,
    fast: plan.formula ? [fastFormula(plan, plan.formula, runs, each)] : each,
    prepared: runs.some(({ unit, failed }) => unit.batch && !failed),
    scores,
    arithmetic: arithmeticOf(plan.combine),
    weights,
    weightsOf,
  };
}

/** What the loop calls in a run: a function that was prepared itself, and not one that looks for it in every row. */
export function fastIn(plan: ScorePlan, { runs, each, fast, prepared }: Scoring, state: RunState): Scoring['fast'] {
  if (!prepared) return fast;
  const now = runs.map((run, k) =>
    run.unit.batch && !run.failed ? fastScore(run, run.unit.scoreIn(state)) : each[k]!,
  );
  return plan.formula ? [fastFormula(plan, plan.formula, runs, now)] : now;
}

/** A formula on a row whose scores are all there: every entry is asked, whatever the formula reads. */
function fastFormula(
  { cell, firstJudge }: Pick<ScorePlan, 'cell' | 'firstJudge'>,
  formula: Score<unknown, unknown>,
  runs: readonly ScorerRun[],
  each: readonly Score<unknown>[],
): Score<unknown> {
  const places = runs.map((run) => run.judge - firstJudge);
  return (candidate, row) => {
    const { values } = cell.state;
    for (let k = 0; k < each.length; k++) {
      const value = each[k]!(candidate, row);
      if (!Number.isFinite(value)) return undefined; // settled with the row
      values[places[k]!] = value;
    }
    return formula(candidate, row) as number | undefined; // the loop tests what it gives
  };
}

/** Weights by position in the run, and how they differ by candidate. */
export type Weighed = Pick<Scoring, 'weights' | 'weightsOf'>;

/** The weights of a set of scorers in the cell's run. */
function weigh(plan: Omit<ScorePlan, 'scorings'>, runs: readonly ScorerRun[]): Weighed {
  const ids = runs.map((run) => run.entry.id);
  const own = runs.map((run) => ownWeight(run.entry, plan.weightOf));
  const weights = weightVector(plan.combine, ids, own);
  const { cases } = plan;
  if (!cases) return { weights, weightsOf: () => weights };
  const vectors = new Map<string, Float64Array>();
  for (const [name, byId] of cases.cases) {
    const of = ids.map((id, k) => byId.get(id) ?? own[k]!);
    vectors.set(name, weightVector(plan.combine, ids, of));
  }
  return { weights, weightsOf: (candidate, row) => vectors.get(keyText(cases.evaluate(candidate, row))) ?? weights };
}
