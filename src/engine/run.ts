import { fusedPass, scoreAndCombine } from './stages/score/score.js';
import type { Evaluation, RunResult, RunState, Stage } from './run-state.js';
import { adjust } from './stages/adjust.js';
import { generate } from './stages/generate.js';
import { measure } from './stages/measure.js';
import { report } from './stages/report.js';
import { select } from './stages/select/select.js';
import { computeSignals } from './stages/signals.js';
import { setPinnedAside, veto } from './stages/veto.js';
import { tracedStages } from './run-stages.js';
import { prepareKept } from './stages/score/prepare-scorers.js';
import { budgetOf } from './stages/select/pack.js';
import { chain, isTask, type MaybeAsync, type Task } from './tasks.js';

/** What may be spent is known before anything runs. */
const setBudget: Stage = (run) => void (run.budget = budgetOf(run.plan, run.start.callBudget));

const BEGIN: readonly Stage[] = [
  computeSignals, //  context → signals, each fallible alone
  generate, //        context → candidates, where the caller brings none
];

/** The staged pass: what must be prepared is prepared on the candidates that are left, stage by stage. */
const STAGED_PASS: readonly Stage[] = [
  veto, //            candidates → kept, refused
  setPinnedAside, //  kept → kept, pinned
  measure, //         kept → a column of numbers each
  scoreAndCombine, // kept → a column per scorer; a row → one number, by weights or a formula
  adjust, //          a total → a total, rule by rule: set, add, multiply, bound
];

/** The fused pass: where every entry compiles, one generated loop vetoes, scores and combines. Same numbers, faster. */
const FUSED_PASS: readonly Stage[] = [
  fusedPass, //       candidates → kept, refused, totals
  adjust,
];

const FINISH: readonly Stage[] = [
  select, //          order, cut, diversify, pack, place; what was left out, and why; the fallback
  report, //          values of the ranking as a whole, with warnings
];

const STAGED_RUN: readonly Stage[] = [setBudget, ...BEGIN, ...STAGED_PASS, ...FINISH];
const FUSED_RUN: readonly Stage[] = [setBudget, ...BEGIN, ...FUSED_PASS, ...FINISH];
const STAGED_EVALUATION: readonly Stage[] = [...BEGIN, ...STAGED_PASS];
const FUSED_EVALUATION: readonly Stage[] = [...BEGIN, ...FUSED_PASS];

const isFused = ({ plan, start }: RunState): boolean => plan.fusedPass !== undefined && start.secondPhase === undefined;

/** A whole run, from signals to report. */
export const run = (state: RunState): MaybeAsync<RunResult> =>
  chain(runStages(state, isFused(state) ? FUSED_RUN : STAGED_RUN), () => state);

/** Each candidate for itself: what concerns the ranking as a whole is left out. */
export const evaluateCandidates = (state: RunState): MaybeAsync<Evaluation> =>
  chain(runStages(state, isFused(state) ? FUSED_EVALUATION : STAGED_EVALUATION), () => state);

/** The signals alone, for a run whose candidates come part by part. */
export const begin = (state: RunState): MaybeAsync<void> => runStages(state, [computeSignals]);

/** Evaluates the candidates of a part. */
export const evaluatePart = (state: RunState): MaybeAsync<Evaluation> =>
  chain(runStages(state, isFused(state) ? FUSED_PASS : STAGED_PASS), () => state);

/** Vetoes a part, and prepares some of its entries on what is kept; scores nothing. */
export const prepareOnly = (state: RunState, isWanted: (id: string) => boolean): MaybeAsync<void> =>
  runStages(state, [veto, setPinnedAside, prepareKept(isWanted)]);

/** Select and report, for a part that was evaluated. */
export const finish = (state: RunState): MaybeAsync<RunResult> => chain(runStages(state, FINISH), () => state);

/** What follows combine, after `combine` has been done in another way: a ranking weighed again. */
export const rerun = (state: RunState, combine: Stage): MaybeAsync<RunResult> =>
  chain(runStages(state, [combine, adjust, ...FINISH]), () => state);

/** Runs stages in the run's context, which compiled units read: the one place where a run enters it. */
const runStages = (state: RunState, stages: readonly Stage[]): MaybeAsync<void> => {
  const { trace } = state.context;
  const followed = trace ? tracedStages(trace, stages) : stages;
  return state.plan.current.run(state.context, () => runFrom(state, followed, 0));
};

function runFrom(state: RunState, stages: readonly Stage[], first: number): MaybeAsync<void> {
  for (let k = first; k < stages.length; k++) {
    const pending = stages[k]!(state);
    if (isTask(pending)) return resume(pending, state, stages, k + 1);
  }
}

function* resume(pending: Task<void>, state: RunState, stages: readonly Stage[], next: number): Task<void> {
  yield* pending;
  const rest = runFrom(state, stages, next);
  if (isTask(rest)) yield* rest;
}
