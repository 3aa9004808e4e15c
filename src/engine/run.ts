import { fusedPass, scoreAndCombine } from './stages/score/score.js';
import type { Evaluation, RunResult, RunState, Stage } from './run-state.js';
import { adjust } from './stages/adjust.js';
import { generate } from './stages/generate.js';
import { measure } from './stages/measure.js';
import { report } from './stages/report.js';
import { select } from './stages/select/select.js';
import { computeSignals } from './stages/signals.js';
import { setPinnedAside, veto } from './stages/veto.js';
import { runStages } from './run-stages.js';
import { prepareKept } from './stages/score/prepare-scorers.js';
import { budgetOf } from './stages/select/pack.js';
import { chain, type MaybeAsync } from './tasks.js';

/** Checks the budget of the call before anything runs. */
const setBudget: Stage = (run) => void (run.budget = budgetOf(run.plan, run.start.callBudget));

const BEGIN: readonly Stage[] = [
  computeSignals, //  context → signals; each can fail independently
  generate, //        context → candidates; skipped if the caller supplies candidates
];

/** The staged pass: stage by stage, each entry prepared on the candidates that are left. */
const STAGED_PASS: readonly Stage[] = [
  veto, //            candidates → kept, refused
  setPinnedAside, //  kept → kept, pinned
  measure, //         kept → one column of numbers per measure
  scoreAndCombine, // kept → one column of doubles per scorer; a row → one number, by weights or a formula
  adjust, //          ordered rules: set, add, multiply, bound
];

/** The fused pass, if every entry compiles: one generated loop vetoes, scores and combines. Same numbers, faster. */
const FUSED_PASS: readonly Stage[] = [
  fusedPass, //       candidates → kept, refused, totals
  adjust,
];

const FINISH: readonly Stage[] = [
  select, //          order, cut, diversify, pack, place; the rows not selected, with reasons; the fallback
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

/** Evaluates each candidate on its own, without the stages that concern the ranking as a whole. */
export const evaluateCandidates = (state: RunState): MaybeAsync<Evaluation> =>
  chain(runStages(state, isFused(state) ? FUSED_EVALUATION : STAGED_EVALUATION), () => state);

/** Computes only the signals, for a run whose candidates come in parts. */
export const begin = (state: RunState): MaybeAsync<void> => runStages(state, [computeSignals]);

/** Evaluates the candidates of a part. */
export const evaluatePart = (state: RunState): MaybeAsync<Evaluation> =>
  chain(runStages(state, isFused(state) ? FUSED_PASS : STAGED_PASS), () => state);

/** Vetoes a part and prepares some of its entries on the kept candidates. Scores nothing. */
export const prepareOnly = (state: RunState, isWanted: (id: string) => boolean): MaybeAsync<void> =>
  runStages(state, [veto, setPinnedAside, prepareKept(isWanted)]);

/** Select and report, for a part that is already evaluated. */
export const finish = (state: RunState): MaybeAsync<RunResult> => chain(runStages(state, FINISH), () => state);

/** Runs the stages after combine, with another `combine`: a reweighted ranking. */
export const rerun = (state: RunState, combine: Stage): MaybeAsync<RunResult> =>
  chain(runStages(state, [combine, adjust, ...FINISH]), () => state);
