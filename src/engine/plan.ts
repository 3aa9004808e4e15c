import type { Tracer, Focus, ReportResult, ReportRun, RunFacts, Score } from '../sdk/index.js';
import type { Problem } from '../base/index.js';
import type { RowFormula } from '../expression/index.js';
import type { Adjustment, Profile, Change, StatisticEntry } from '../profile/index.js';
import type { Clock } from '../services/index.js';
import type { ColumnReader, OpenColumns } from './candidates.js';
import type { CompiledUnit, CurrentRun, RunContext } from './entries.js';
import type { LoopRule, RuleLoop } from './kernel/rule-loop.js';
import type {
  ActiveVeto,
  CompiledScorer,
  GroupedLoops,
  ScorePlan,
  Scoring,
  SecondPhasePlan,
  VetoPlan,
} from './tier-plans.js';
import type { SelectPlan } from './stages/select/select-plan.js';
import type { Binder, UnitCompiler } from './units/unit-compiler.js';

/** Both tiers in one pass: the vetoes and scorers of every run. */
interface FusedPass {
  readonly vetoes: readonly ActiveVeto[];
  readonly scoring: Scoring;
}

/** The pass over groups whose candidates are stored by column: its vetoes, and the loops for columns of some kinds. */
export interface GroupedPass {
  readonly vetoes: readonly ActiveVeto[];
  readonly loopsFor: (columns: OpenColumns) => GroupedLoops;
}

/** A profile, compiled: everything that a run needs, stage by stage. It is independent of YAML, class names and injection. */
export interface Plan extends SelectPlan {
  readonly profile: Profile;
  /** The profile as loaded, without the weights and limits of a call. */
  readonly loaded: Profile;
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
  readonly stats: readonly CompiledStatistic[];
  readonly score: ScorePlan;
  /** Reads candidates that are stored by column. */
  readonly columnReader: ColumnReader;
  /** The scorers that a ranking defers, and to which rows it limits them. */
  readonly secondPhase: SecondPhasePlan | undefined;
  /** Defined if no entry depends on the run or on the candidates that the vetoes keep. */
  readonly fusedPass: FusedPass | undefined;
  /** Defined if groups can be evaluated by column: each scorer that depends on its group is prepared for many groups at once. */
  readonly groupedPass: GroupedPass | undefined;
  readonly rules: readonly CompiledRule[];
  /** The loop that applies the rules to candidates, which may be stored by column. It may read the scorers that score every row. */
  readonly ruleLoop: (columns: OpenColumns | undefined, scorers: readonly CompiledScorer[]) => RuleLoop;
  readonly firstRuleRefuser: number;
  readonly reports: readonly CompiledReport[];
  /** The ids of all that can refuse, by the refuser number in a verdict: vetoes, scorers, combine, rules. */
  readonly refusers: readonly string[];
  /** Whether a candidate's score depends on the other candidates of its run. */
  readonly needsSet: boolean;
}

/** A compiled profile, and how to compile it with a change. */
export interface CompiledProfile {
  readonly plan: Plan;
  /** Mistakes in the profile that do not make it invalid. */
  readonly warnings: readonly Problem[];
  /** The text of each entry, by id, to find the entries that differ in another version of the profile. */
  readonly entryTexts: () => ReadonlyMap<string, string>;
  /** @throws AssizeError if the change, or the changed profile, is invalid */
  readonly applyChange: (change: Change) => CompiledProfile;
}

/** A compiled signal: a value of the whole run. */
export interface CompiledSignal {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly retries: number;
  readonly onError: 'skip' | 'fail';
  /** Whether it takes part in the current run. */
  readonly when: () => boolean;
  readonly compute: (context: RunContext, abort: AbortSignal) => unknown;
}

/** A window of turns. */
export interface CompiledPhase {
  readonly name: string;
  readonly turns: number | undefined;
  readonly when: () => boolean;
}

/** A compiled strategy. It generates one candidate per focus. */
export interface CompiledStrategy {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether it takes part in the current run. */
  readonly available: () => boolean;
  /** Undefined for a single focus without data, named after the strategy. */
  readonly focuses:
    | ((context: RunContext, abort: AbortSignal) => readonly Focus[] | Promise<readonly Focus[]>)
    | undefined;
}

/** A candidate that a strategy generated. Its id is `strategy/focus key`. */
export interface GeneratedCandidate {
  readonly id: string;
  readonly strategy: Readonly<Record<string, unknown>>;
  readonly focus: Focus;
}

export interface CompiledMeasure {
  readonly id: string;
  readonly timeout: number | undefined;
  /** The rule if it fails on a candidate or in prepare. `skip` makes the measure absent. */
  readonly onError: 'skip' | 'fail';
  /** Whether it takes part in the current run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<number>;
}

/** A compiled entry of `stats`. */
export interface CompiledStatistic {
  readonly entry: StatisticEntry;
  /** Its number, absent for candidates that are not counted. */
  readonly number: CompiledMeasure;
  readonly by: Score<unknown, unknown> | undefined;
}

/** A measure of one run. */
export interface ActiveMeasure {
  readonly id: string;
  /** The unit's function; undefined if it could not be prepared. */
  readonly score: Score<unknown> | undefined;
  /** Why it could not be prepared. */
  readonly cause: unknown;
}

/** Computes an amount of a rule from a candidate and the score so far (`score` of the current run). */
export type CompiledAmount = (candidate: unknown, row: number) => unknown;

/** A factor of a rule. If a key of its table is absent, the factor is undefined and the rule does not apply. */
export interface CompiledFactor {
  readonly factor: CompiledAmount;
  /** The keys that look up a table, one per level. */
  readonly keys: readonly CompiledAmount[];
  /** Whether a factor of 0 refuses the candidate. */
  readonly zeroRefuses: boolean;
}

/** A rule on the combined score. An undefined operation is not part of it. */
export interface CompiledRule {
  readonly id: string;
  /** The rule as part of a loop, with the scores that it reads there. */
  readonly inLoop: (scores: RowFormula['children']) => LoopRule;
  /** The group in which the rule reads a candidate's place, and the position of the rule. */
  readonly group: { readonly of: CompiledAmount; readonly at: number } | undefined;
  readonly when: CompiledAmount | undefined;
  readonly set: CompiledAmount | undefined;
  readonly add: CompiledAmount | undefined;
  readonly multiply: CompiledFactor | undefined;
  readonly min: CompiledAmount | undefined;
  readonly max: CompiledAmount | undefined;
  readonly refuse: Adjustment['refuse'];
}

/** One operation of a rule, and the score after it. */
export interface RuleStep {
  readonly operation: 'set' | 'add' | 'multiply' | 'min' | 'max';
  readonly amount: number;
  readonly score: number;
}

/** The facts about the result that a report receives. */
export type ReportFacts = Omit<ReportRun, keyof RunFacts>;

/** A compiled report: a value of the whole ranking. */
export interface CompiledReport {
  readonly id: string;
  readonly timeout: number | undefined;
  readonly warnBelow: number | undefined;
  /** Whether it takes part in the current run. */
  readonly when: () => boolean;
  readonly compute: (
    facts: ReportFacts,
    context: RunContext,
    abort: AbortSignal,
  ) => ReportResult | Promise<ReportResult>;
}

/** The values of the reports by id, and all their warnings. */
export interface Reports {
  readonly values: ReadonlyMap<string, unknown>;
  readonly warnings: readonly string[];
}
