import type { Focus, ReportResult, ReportRun, RunFacts, Score, Tracer } from '../contract/index.js';
import type { Problem } from '../diagnostics/index.js';
import type { Change, Profile } from '../profile/index.js';
import type { Clock } from '../services/index.js';
import type { ColumnReader } from './candidates.js';
import type { CompiledUnit, CurrentRun, RunContext } from './entries.js';
import type { ActiveVeto, ScorePlan, Scoring, SecondPhasePlan, VetoPlan } from './tier-plans.js';
import type { SelectPlan } from './stages/select/select-plan.js';
import type { Binder } from './units/binder.js';
import type { UnitCompiler } from './units/unit-compiler.js';

/** Both tiers in one pass: the vetoes and scorers of every run. */
interface FusedPass {
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

/** A compiled profile, and how to compile it with a change. */
export interface CompiledProfile {
  readonly plan: Plan;
  /** What is legal in the profile and surely a mistake. */
  readonly warnings: readonly Problem[];
  /** The text of each entry, by id: entries with other texts differ in another version of the profile. */
  readonly entryTexts: () => ReadonlyMap<string, string>;
  /** @throws AssizeError where the change, or the profile that it makes, is not valid */
  readonly applyChange: (change: Change) => CompiledProfile;
}

/** A signal's unit, compiled: a value of the run as a whole. */
export interface CompiledSignal {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly retries: number;
  readonly onError: 'skip' | 'fail';
  /** Whether it is in the current run. */
  readonly when: () => boolean;
  readonly compute: (context: RunContext, abort: AbortSignal) => unknown;
}

/** A window of turns. */
export interface CompiledPhase {
  readonly name: string;
  readonly turns: number | undefined;
  readonly when: () => boolean;
}

/** A strategy, compiled: it makes a candidate for each focus. */
export interface CompiledStrategy {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether it is in the current run. */
  readonly available: () => boolean;
  /** Undefined: a single open focus, named after the strategy. */
  readonly focuses:
    | ((context: RunContext, abort: AbortSignal) => readonly Focus[] | Promise<readonly Focus[]>)
    | undefined;
}

/** A candidate that a strategy made. Its id is `strategy/focus key`. */
export interface GeneratedCandidate {
  readonly id: string;
  readonly strategy: Readonly<Record<string, unknown>>;
  readonly focus: Focus;
}

export interface CompiledMeasure {
  readonly id: string;
  readonly timeout: number | undefined;
  /** When it fails on a candidate or in prepare: `skip` leaves it absent. */
  readonly onError: 'skip' | 'fail';
  /** Whether it is in the current run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<number>;
}

/** A measure of one run. */
export interface ActiveMeasure {
  readonly id: string;
  /** The unit's function; undefined where it could not be prepared. */
  readonly score: Score<unknown> | undefined;
  /** Why it could not be prepared. */
  readonly cause: unknown;
}

/** An amount of a rule, for a candidate and the score so far (`score` of the current run). */
export type CompiledAmount = (candidate: unknown, row: number) => unknown;

/** A factor; undefined where the key that chooses it is absent: then the rule does not fire. */
export interface CompiledFactor {
  readonly factor: CompiledAmount;
  /** Of a table: what chooses a row, one a level. */
  readonly keys: readonly CompiledAmount[];
  /** Whether a factor of 0 refuses the candidate. */
  readonly zeroRefuses: boolean;
}

/** A rule on the combined score. What is undefined is not part of it. */
export interface CompiledRule {
  readonly id: string;
  readonly when: CompiledAmount | undefined;
  readonly set: CompiledAmount | undefined;
  readonly add: CompiledAmount | undefined;
  readonly multiply: CompiledFactor | undefined;
  readonly min: CompiledAmount | undefined;
  readonly max: CompiledAmount | undefined;
}

/** One operation of a rule, and the score after it. */
export interface RuleStep {
  readonly operation: 'set' | 'add' | 'multiply' | 'min' | 'max';
  readonly amount: number;
  readonly score: number;
}

/** What a report is given of the run's result. */
export type ReportFacts = Omit<ReportRun, keyof RunFacts>;

/** A report's unit, compiled: a value of the ranking as a whole. */
export interface CompiledReport {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly warnBelow: number | undefined;
  /** Whether it is in the current run. */
  readonly when: () => boolean;
  readonly compute: (
    facts: ReportFacts,
    context: RunContext,
    abort: AbortSignal,
  ) => ReportResult | Promise<ReportResult>;
}

/** The values of the reports by id, and the warnings of all. */
export interface Reports {
  readonly values: ReadonlyMap<string, unknown>;
  readonly warnings: readonly string[];
}
