import type { Score } from '../../contract/index.js';
import type { Evaluate } from '../../expression/expression.js';
import type { PackEntry, Profile } from '../../profile/profile.js';
import type { Clock } from '../../services/clock.js';
import type { CompiledAmount, CompiledRule } from '../../stages/adjust.js';
import type { CompiledStrategy } from '../../stages/generate.js';
import type { Cell, CompiledMeasure } from '../../stages/plan.js';
import type { CompiledReport } from '../../stages/report.js';
import type { LatePlan } from '../../stages/score-late.js';
import type { ScorePlan, Scoring } from '../../stages/scoring.js';
import type { CompiledPhase, CompiledSignal } from '../../stages/signals.js';
import type { VetoPlan, VetoRun } from '../../stages/veto.js';
import type { Binder } from './bind.js';
import type { CompiledSelector } from './selector.js';
import type { UnitCompiler } from './unit.js';

/** What fills the budget. */
export interface CompiledPack {
  readonly entry: PackEntry;
  readonly cost: Evaluate;
  readonly readsMeasures: boolean;
  readonly selector: CompiledSelector;
}

/** Both tiers in one pass. */
export interface OnePass {
  readonly vetoes: readonly VetoRun[];
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
  readonly cell: Cell;
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
  readonly late: LatePlan | undefined;
  /** Where nothing depends on the run or on what the vetoes keep. */
  readonly onePass: OnePass | undefined;
  readonly rules: readonly CompiledRule[];
  readonly firstRuleJudge: number;
  readonly select: SelectKeys;
  readonly pack: CompiledPack | undefined;
  readonly place: CompiledSelector | undefined;
  readonly fallback: readonly { readonly when: () => boolean; readonly use: string }[];
  readonly reports: readonly CompiledReport[];
  /** Who a verdict names, by position. */
  readonly judges: readonly string[];
  /** Whether a candidate's score depends on the others of its run. */
  readonly needsSet: boolean;
}
