import type { TracedStage } from '../contract/index.js';
import type { RunState, Stage } from './run-state.js';
import { adjust } from './stages/adjust.js';
import { generate } from './stages/generate.js';
import { measure } from './stages/measure.js';
import { report } from './stages/report.js';
import { fusedPass, scoreAndCombine } from './stages/score/score.js';
import { select } from './stages/select/select.js';
import { computeSignals } from './stages/signals.js';
import { veto } from './stages/veto.js';
import type { RunTrace } from './trace.js';

/** How a stage is published. */
interface Published {
  readonly stage: TracedStage;
  /** Whether a run has something to do in it. */
  readonly applies: (run: RunState) => boolean;
  readonly candidates: (run: RunState) => number | undefined;
  /** The stages that it does, where they are several. */
  readonly stages?: (run: RunState) => readonly string[];
}

const none = (): undefined => undefined;
const always = (): boolean => true;
const given = ({ candidates }: RunState): number => candidates.length;
const kept = (run: RunState): number => run.kept.length;

/** The stages that are published. The others need no time: what they do is counted to the run. */
const PUBLISHED: ReadonlyMap<Stage, Published> = new Map<Stage, Published>([
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

/** The same stages, published to subscribers of the run. */
export const tracedStages = (trace: RunTrace, stages: readonly Stage[]): readonly Stage[] =>
  stages.map((stage) => {
    const published = PUBLISHED.get(stage);
    if (!published) return stage;
    const { stage: name, applies, candidates, stages: all = () => [name] } = published;
    return (run) => {
      if (!applies(run)) return stage(run);
      return trace.stage({ stage: name, stages: all(run), candidates: candidates(run) }, () => stage(run));
    };
  });
