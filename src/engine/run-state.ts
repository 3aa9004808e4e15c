import { columnsOf, dateFactsOf, keepDateFacts } from '../data/index.js';
import type { Signals } from '../sdk/index.js';
import type { Failures } from './failures.js';
import { type ColumnBuffer, RunBuffers } from './kernel/run-buffers.js';
import type { MemoryUpdates, PrepareInput, RunContext } from './entries.js';
import type { ActiveMeasure, Plan, Reports } from './plan.js';
import type { MaybeAsync } from './tasks.js';
import type { ScoredRows, ScoresOfCandidates, SecondPhasePlan, VetoResult } from './tier-plans.js';
import type {
  Arrangement,
  Budget,
  CallBudget,
  FallbackChoice,
  PackContracts,
  RowSelection,
} from './stages/select/select-plan.js';

/** The results per candidate, after veto, measure, score, combine and adjust. */
export interface Evaluation {
  readonly candidates: readonly unknown[];
  readonly context: RunContext;
  /** By position in the input: 0, or the verdict that refused the candidate. */
  readonly verdicts: Uint16Array;
  readonly vetoes: VetoResult;
  /** The positions of the pinned candidates, ascending. */
  readonly pinned: readonly number[];
  /** The positions of the candidates that were scored, by row of Tier 2. */
  readonly kept: Int32Array;
  /** The measures that took part in the run. */
  readonly measures: readonly ActiveMeasure[];
  readonly scored: ScoredRows;
  /** By row of the ranking: the row of Tier 2. Undefined if no row of Tier 2 was refused. */
  readonly rows: Int32Array | undefined;
  /** By row of the ranking: its score. */
  readonly totals: Float64Array;
}

/** The result of one run, as arrays and positions. A ranking creates objects from it when they are read. */
export interface RunResult extends Evaluation {
  /** Every row of the ranking, best first. Sorted on the first call. */
  ordered(): Int32Array;
  readonly selected: RowSelection;
  /** The selected rows after diversify, pack and place, if the profile has any of these. */
  readonly arrangement: Arrangement | undefined;
  readonly fallback: FallbackChoice | undefined;
  readonly reports: Reports;
  readonly failures: Failures;
  readonly budget: Budget | undefined;
}

/** The input of a run. */
export interface RunStart {
  readonly context: RunContext;
  /** Undefined if the profile's strategies generate the candidates. */
  readonly given: readonly unknown[] | undefined;
  readonly abort: AbortSignal;
  /** Signals that are already known and are not computed. */
  readonly knownSignals?: Signals;
  /** The budget that the caller gave. */
  readonly callBudget?: CallBudget | undefined;
  /** The scorers that are evaluated on some rows only; undefined if all are evaluated on all rows. */
  readonly secondPhase?: SecondPhasePlan | undefined;
  readonly failures: Failures;
  /** Collects the next memories of units. Without it, they are discarded. */
  readonly updates?: MemoryUpdates;
  /** The buffer for the scores, if all of them will be read. */
  readonly columns?: ColumnBuffer | undefined;
  /** The ends of groups of candidates, if scorers are prepared for each group on its own. */
  readonly groupEnds?: readonly number[] | undefined;
  /** The scores of expensive scorers, if the run is part of a stream. */
  readonly streamScores?: ScoresOfCandidates | undefined;
}

const NONE: readonly never[] = [];
const NO_REPORTS: Reports = { values: new Map(), warnings: NONE };

/**
 * The state of one run: its input, and the fields that each stage writes, in the order of the stages. A stage reads the
 * fields of earlier stages. All fields exist from the start, so that V8 sees a single shape.
 */
export class RunState implements RunResult {
  readonly context: RunContext;
  readonly abort: AbortSignal;
  failures: Failures;

  /** The budget, if the profile packs. */
  budget: Budget | undefined = undefined;
  // generate
  candidates: readonly unknown[] = NONE;
  buffers!: RunBuffers;
  // veto
  vetoes!: VetoResult;
  pinned: readonly number[] = NONE;
  kept!: Int32Array;
  /** The kept candidates, with which measures and scorers are prepared. */
  keptInput!: PrepareInput;
  // measure
  measures: readonly ActiveMeasure[] = NONE;
  // score, combine
  scored!: ScoredRows;
  // adjust
  rows: Int32Array | undefined = undefined;
  totals!: Float64Array;
  // select
  contracts: PackContracts | undefined = undefined;
  ordered!: () => Int32Array;
  selected!: RowSelection;
  arrangement: Arrangement | undefined = undefined;
  fallback: FallbackChoice | undefined = undefined;
  // report
  reports: Reports = NO_REPORTS;

  constructor(
    readonly plan: Plan,
    readonly start: RunStart,
  ) {
    this.context = start.context;
    this.abort = start.abort;
    this.failures = start.failures;
  }

  get verdicts(): Uint16Array {
    return this.buffers.verdicts;
  }

  /**
   * Sets the candidates; all positions refer to them. Candidates that are stored by column become a list of objects,
   * unless the run can read columns.
   *
   * @param kept the kept positions, if another run already found them
   */
  setCandidates(candidates: readonly unknown[], kept?: Int32Array): void {
    this.candidates = candidates;
    if (columnsOf(candidates) && !this.#readsByColumn) {
      this.candidates = Array.from(candidates);
      keepDateFacts(this.candidates, dateFactsOf(candidates));
    }
    this.buffers = new RunBuffers(candidates.length, kept);
  }

  /** Whether the run can read columns. Otherwise all objects are created at once, which is cheaper than one by one. */
  get #readsByColumn(): boolean {
    const { fusedPass, groupedPass, columnReader } = this.plan;
    const { secondPhase, groupEnds } = this.start;
    const hasPass = fusedPass !== undefined || (groupedPass !== undefined && groupEnds !== undefined);
    return hasPass && secondPhase === undefined && columnReader.fields !== undefined;
  }

  /** Whether its groups are evaluated by column. */
  get isGrouped(): boolean {
    return this.#readsByColumn && this.plan.fusedPass === undefined && columnsOf(this.candidates) !== undefined;
  }

  /** The input for preparing a unit. */
  prepareInput(candidates: readonly unknown[]): PrepareInput {
    return { candidates, context: this.context, abort: this.abort, updates: this.start.updates ?? [] };
  }
}

/** One stage of a run: reads the fields of earlier stages and writes its own. Most stages do not wait. */
export type Stage = (run: RunState) => MaybeAsync<void>;
