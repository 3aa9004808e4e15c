import type { TracedStage } from '../sdk/index.js';
import { groupedPass } from './stages/score/grouped-pass.js';
import { fusedPass, scoreAndCombine } from './stages/score/score.js';
import type { Evaluation, RunResult, RunState, Stage } from './run-state.js';
import { adjust } from './stages/adjust.js';
import { generate } from './stages/generate.js';
import { measure } from './stages/measure.js';
import { report } from './stages/report.js';
import { select } from './stages/select/select.js';
import { computeSignals } from './stages/signals.js';
import { setPinnedAside, veto } from './stages/veto.js';
import { prepareKept } from './stages/score/prepare-scorers.js';
import { budgetOf } from './stages/select/budget.js';
import { chain, isTask, type MaybeAsync, type Task } from './tasks.js';

/** Checks the budget of the call before anything runs. */
const setBudget: Stage = (state) => {
  const { plan, start } = state;
  if (plan.pack || start.callBudget !== undefined) state.budget = budgetOf(plan, start.callBudget);
};

/** Takes the candidates that the caller supplied. */
const takeGiven: Stage = (state) => {
  if (state.start.given !== undefined) state.setCandidates(state.start.given);
};

const BEGIN: readonly Stage[] = [
  computeSignals, //  context → signals; each can fail independently
  takeGiven,
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

/** The pass over groups of candidates that are stored by column. Same numbers as the staged pass, faster. */
const GROUPED_PASS: readonly Stage[] = [groupedPass, adjust];

const FINISH: readonly Stage[] = [
  select, //          order, cut, diversify, pack, place; the rows not selected, with reasons; the fallback
  report, //          values of the ranking as a whole, with warnings
];

const STAGED_RUN: readonly Stage[] = [setBudget, ...BEGIN, ...STAGED_PASS, ...FINISH];
const FUSED_RUN: readonly Stage[] = [setBudget, ...BEGIN, ...FUSED_PASS, ...FINISH];
const STAGED_EVALUATION: readonly Stage[] = [...BEGIN, ...STAGED_PASS];
const FUSED_EVALUATION: readonly Stage[] = [...BEGIN, ...FUSED_PASS];

const isFused = ({ plan, start }: RunState): boolean => plan.fusedPass !== undefined && start.secondPhase === undefined;

const passOf = (state: RunState): readonly Stage[] =>
  isFused(state) ? FUSED_PASS : state.isGrouped ? GROUPED_PASS : STAGED_PASS;

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
  chain(runStages(state, passOf(state)), () => state);

/** Vetoes a part and prepares some of its entries on the kept candidates. Scores nothing. */
export const prepareOnly = (state: RunState, isWanted: (id: string) => boolean): MaybeAsync<void> =>
  runStages(state, [veto, setPinnedAside, prepareKept(isWanted)]);

/** Select and report, for a part that is already evaluated. */
export const finish = (state: RunState): MaybeAsync<RunResult> => chain(runStages(state, FINISH), () => state);

/** Runs the stages after combine, with another `combine`: a reweighted ranking. */
export const rerun = (state: RunState, combine: Stage): MaybeAsync<RunResult> =>
  chain(runStages(state, [combine, adjust, ...FINISH]), () => state);

/** Runs stages in the run's context, which compiled units read. A run enters its context only here. */
const runStages = (state: RunState, stages: readonly Stage[]): MaybeAsync<void> =>
  state.plan.current.run(state.context, () => runFrom(state, stages, 0));

function runFrom(state: RunState, stages: readonly Stage[], first: number): MaybeAsync<void> {
  for (let k = first; k < stages.length; k++) {
    const pending = runStage(state, stages[k]!);
    if (isTask(pending)) return resume(pending, state, stages, k + 1);
  }
}

function* resume(pending: Task<void>, state: RunState, stages: readonly Stage[], next: number): Task<void> {
  yield* pending;
  const rest = runFrom(state, stages, next);
  if (isTask(rest)) yield* rest;
}

/** Runs a stage, and publishes it to the subscribers of the run. Skips a stage without entries. */
function runStage(state: RunState, stage: Stage): MaybeAsync<void> {
  const facts = FACTS.get(stage);
  if (!facts) return stage(state);
  const applies = facts.applies(state);
  if (!applies && !facts.isRequired) return;
  const { trace } = state.context;
  if (!applies || !trace) return stage(state);
  const { stage: name, candidates, stages = () => [name] } = facts;
  return trace.stage({ stage: name, stages: stages(state), candidates: candidates(state) }, () => stage(state));
}

/** The traced facts of a stage, and whether it is skipped. */
interface StageFacts {
  readonly stage: TracedStage;
  /** Whether the profile has entries of the stage. Only then is the stage traced. */
  readonly applies: (state: RunState) => boolean;
  /** Set if the stage must run in any case, because it writes fields that later stages read. */
  readonly isRequired?: true;
  readonly candidates: (state: RunState) => number | undefined;
  /** The stages that it runs, if there are several. */
  readonly stages?: (state: RunState) => readonly string[];
}

const none = (): undefined => undefined;
const always = (): boolean => true;
const given = ({ candidates }: RunState): number => candidates.length;
const kept = (state: RunState): number => state.kept.length;

/** The stages with entries. The others take no measurable time, and run always. */
const FACTS: ReadonlyMap<Stage, StageFacts> = new Map<Stage, StageFacts>([
  [
    computeSignals,
    { stage: 'signals', applies: ({ plan }) => plan.signals.length + plan.phases.length > 0, candidates: none },
  ],
  [generate, { stage: 'generate', applies: ({ start }) => start.given === undefined, candidates: none }],
  [veto, { stage: 'veto', isRequired: true, applies: ({ plan }) => plan.vetoes.groups.length > 0, candidates: given }],
  [
    measure,
    { stage: 'measure', applies: ({ plan }) => plan.measures.length + plan.stats.length > 0, candidates: kept },
  ],
  [scoreAndCombine, { stage: 'score', applies: always, candidates: kept, stages: () => ['score', 'combine'] }],
  [
    fusedPass,
    {
      stage: 'fused',
      applies: always,
      candidates: given,
      stages: ({ plan }) => [...(plan.vetoes.groups.length > 0 ? ['veto'] : []), 'score', 'combine'],
    },
  ],
  [adjust, { stage: 'adjust', isRequired: true, applies: ({ plan }) => plan.rules.length > 0, candidates: kept }],
  [select, { stage: 'select', applies: always, candidates: ({ totals }) => totals.length }],
  [
    report,
    { stage: 'report', applies: ({ plan }) => plan.reports.length > 0, candidates: ({ totals }) => totals.length },
  ],
]);
