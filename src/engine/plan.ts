import type { Score, Tracer } from '../contract/index.js';
import type { Profile } from '../profile/index.js';
import type { Clock } from '../services/index.js';
import type { ColumnReader } from './candidates/reader.js';
import type { Binder } from './units/binder.js';
import type { UnitCompiler } from './units/unit-compiler.js';
import type { CurrentRun } from './entries/run-context.js';
import type { CompiledRule } from './stages/adjust/types.js';
import type { CompiledStrategy } from './stages/generate/types.js';
import type { CompiledMeasure } from './stages/measure/types.js';
import type { CompiledReport } from './stages/report/types.js';
import type { Scoring, ScorePlan, SecondPhasePlan } from './stages/score/types.js';
import type { SelectPlan } from './stages/select/types.js';
import type { CompiledPhase, CompiledSignal } from './stages/signals/types.js';
import type { ActiveVeto, VetoPlan } from './stages/veto/types.js';

/** Both tiers in one pass: the vetoes and scorers of every run. */
export interface FusedPass {
  readonly vetoes: readonly ActiveVeto[];
  readonly scoring: Scoring;
}

/** A profile compiled: everything that a run needs, stage by stage, and nothing of YAML, names or injection. */
export interface Plan extends SelectPlan {
  readonly profile: Profile;
  readonly current: CurrentRun;
  readonly clock: Clock;
  readonly tracer: Tracer;
  /** Holds the memories of the units. */
  readonly units: UnitCompiler;
  /** For the expressions among a selector's params. */
  readonly binder: Binder;
  readonly signals: readonly CompiledSignal[];
  readonly phases: readonly CompiledPhase[];
  readonly strategies: readonly CompiledStrategy[];
  readonly vetoes: VetoPlan;
  readonly pinned: Score<unknown, unknown> | undefined;
  readonly measures: readonly CompiledMeasure[];
  readonly score: ScorePlan;
  /** Reads candidates that are kept by column. */
  readonly columnReader: ColumnReader;
  /** Which scorers a ranking defers. */
  readonly secondPhase: SecondPhasePlan | undefined;
  /** Where nothing depends on the run, or on what the vetoes keep. */
  readonly fusedPass: FusedPass | undefined;
  readonly rules: readonly CompiledRule[];
  readonly firstRuleRefuser: number;
  readonly reports: readonly CompiledReport[];
  /** The ids of what can refuse, by the number that a verdict holds: vetoes, scorers, combining, rules. */
  readonly refusers: readonly string[];
  /** Whether a candidate's score depends on the others of its run. */
  readonly needsSet: boolean;
}
