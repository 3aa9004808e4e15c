import type { Score } from '../contract/index.js';
import type { BoundExpression } from '../expression/expression.js';
import type { PackEntry, Profile } from '../profile/profile.js';
import type { Clock } from '../services/clock.js';
import type { Binder } from './compile/binder.js';
import type { UnitCompiler } from './compile/unit-compiler.js';
import type { CompiledMeasure, CurrentRun } from './run-context.js';
import type { CompiledAmount, CompiledRule } from './stages/adjust/adjust.js';
import type { CompiledStrategy } from './stages/generate/generate.js';
import type { CompiledReport } from './stages/report/report.js';
import type { ScorePlan, Scoring } from './stages/score/scoring.js';
import type { SecondPhasePlan } from './stages/score/second-phase/second-phase.js';
import type { CompiledSelector } from './stages/select/compile-selector.js';
import type { CompiledPhase, CompiledSignal } from './stages/signals/signals.js';
import type { ActiveVeto, VetoPlan } from './stages/veto/veto.js';

/** What fills the budget. */
export interface CompiledPack {
  readonly entry: PackEntry;
  readonly cost: BoundExpression;
  readonly readsMeasures: boolean;
  readonly selector: CompiledSelector;
}

/** Both tiers in one pass. */
export interface FusedPass {
  readonly vetoes: readonly ActiveVeto[];
  readonly scoring: Scoring;
}

/** What selects: order and cut. */
export interface SelectKeys {
  readonly duplicates: CompiledAmount | undefined;
  readonly minScore: number | undefined;
  readonly ties: readonly (CompiledAmount | undefined)[] | undefined;
  readonly top: number | undefined;
}

/** A profile compiled: everything that a run needs, and nothing of YAML, names or DI. */
export interface Plan {
  readonly profile: Profile;
  readonly current: CurrentRun;
  readonly clock: Clock;
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
  /** Which scorers a ranking asks late. */
  readonly secondPhase: SecondPhasePlan | undefined;
  /** Where nothing depends on the run or on what the vetoes keep. */
  readonly fusedPass: FusedPass | undefined;
  readonly rules: readonly CompiledRule[];
  readonly firstRuleRefuser: number;
  readonly select: SelectKeys;
  readonly pack: CompiledPack | undefined;
  readonly place: CompiledSelector | undefined;
  readonly fallback: readonly { readonly when: () => boolean; readonly use: string }[];
  readonly reports: readonly CompiledReport[];
  /** Who a verdict names, by position. */
  readonly refusers: readonly string[];
  /** Whether a candidate's score depends on the others of its run. */
  readonly needsSet: boolean;
}
