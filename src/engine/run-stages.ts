import type { TracedStage } from '../sdk/index.js';
import type { RunState, Stage } from './run-state.js';
import { adjust } from './stages/adjust.js';
import { generate } from './stages/generate.js';
import { measure } from './stages/measure.js';
import { report } from './stages/report.js';
import { fusedPass, scoreAndCombine } from './stages/score/score.js';
import { select } from './stages/select/select.js';
import { computeSignals } from './stages/signals.js';
import { veto } from './stages/veto.js';
import { isTask, type MaybeAsync, type Task } from './tasks.js';
import type { RunTrace } from './trace.js';

/** Runs stages in the run's context, which compiled units read. A run enters its context only here. */
export const runStages = (state: RunState, stages: readonly Stage[]): MaybeAsync<void> => {
  const { trace } = state.context;
  const stagesToRun = trace ? tracedStages(trace, stages) : stages;
  return state.plan.current.run(state.context, () => runFrom(state, stagesToRun, 0));
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

/** How a stage is traced. */
interface Traced {
  readonly stage: TracedStage;
  /** Whether the stage does anything in this run. */
  readonly applies: (run: RunState) => boolean;
  readonly candidates: (run: RunState) => number | undefined;
  /** The stages that it runs, if there are several. */
  readonly stages?: (run: RunState) => readonly string[];
}

const none = (): undefined => undefined;
const always = (): boolean => true;
const given = ({ candidates }: RunState): number => candidates.length;
const kept = (run: RunState): number => run.kept.length;

/** The traced stages. The others take no measurable time. */
const TRACED: ReadonlyMap<Stage, Traced> = new Map<Stage, Traced>([
  [
    computeSignals,
    { stage: 'signals', applies: ({ plan }) => plan.signals.length + plan.phases.length > 0, candidates: none },
  ],
  [generate, { stage: 'generate', applies: ({ start }) => start.given === undefined, candidates: none }],
  [veto, { stage: 'veto', applies: ({ plan }) => plan.vetoes.groups.length > 0, candidates: given }],
  [measure, { stage: 'measure', applies: ({ plan }) => plan.measures.length > 0, candidates: kept }],
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
  [adjust, { stage: 'adjust', applies: ({ plan }) => plan.rules.length > 0, candidates: kept }],
  [select, { stage: 'select', applies: always, candidates: ({ totals }) => totals.length }],
  [
    report,
    { stage: 'report', applies: ({ plan }) => plan.reports.length > 0, candidates: ({ totals }) => totals.length },
  ],
]);

/** The same stages, published to the subscribers of the run. */
const tracedStages = (trace: RunTrace, stages: readonly Stage[]): readonly Stage[] =>
  stages.map((stage) => {
    const traced = TRACED.get(stage);
    if (!traced) return stage;
    const { stage: name, applies, candidates, stages: all = () => [name] } = traced;
    return (run) => {
      if (!applies(run)) return stage(run);
      return trace.stage({ stage: name, stages: all(run), candidates: candidates(run) }, () => stage(run));
    };
  });
