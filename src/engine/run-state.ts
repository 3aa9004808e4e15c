import { columnsOf, dateFactsOf, keepDateFacts } from '../columns/index.js';
import type { Signals } from '../contract/index.js';
import type { Failures } from './failures.js';
import { type ColumnBuffer, RunBuffers } from './kernel/run-buffers.js';
import type { MemoryUpdates, PrepareInput, RunContext } from './entries.js';
import type { ActiveMeasure, Plan, Reports } from './plan.js';
import type { MaybeAsync } from './tasks.js';
import type { ScoredRows, ScoresOfCandidates, SecondPhasePlan, VetoResult } from './tier-plans.js';
import type { Arrangement, Budget, CallBudget, FallbackChoice, RowSelection } from './stages/select/select-plan.js';

/** What is known of each candidate for itself, after veto, measure, score, combine and adjust. */
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
  /** The measures that were in the run. */
  readonly measures: readonly ActiveMeasure[];
  readonly scored: ScoredRows;
  /** The rows of Tier 2 that were not refused, by row of the ranking; undefined where that is all of them. */
  readonly rows: Int32Array | undefined;
  /** By row of the ranking. */
  readonly totals: Float64Array;
}

/** The result of one run, as arrays and positions: a ranking makes objects of it when they are read. */
export interface RunResult extends Evaluation {
  /** Every row of the ranking, best first: sorted when first read. */
  ordered(): Int32Array;
  readonly selected: RowSelection;
  /** The selected once they are packed and placed, where the profile does either. */
  readonly arrangement: Arrangement | undefined;
  readonly fallback: FallbackChoice | undefined;
  readonly reports: Reports;
  readonly failures: Failures;
  readonly budget: Budget | undefined;
}

/** What a run starts from. */
export interface RunStart {
  readonly context: RunContext;
  /** Undefined: the profile's strategies make them. */
  readonly given: readonly unknown[] | undefined;
  readonly abort: AbortSignal;
  /** Signals that need not be computed. */
  readonly knownSignals: Signals;
  /** The call's own budget. */
  readonly callBudget: CallBudget | undefined;
  /** Which scorers see only the rows that are worth it; undefined: all see all. */
  readonly secondPhase: SecondPhasePlan | undefined;
  readonly failures: Failures;
  readonly updates: MemoryUpdates;
  /** Where the scores are kept, where all of them will be read. */
  readonly columns?: ColumnBuffer | undefined;
  /** Where the scores of expensive scorers are, if the run is part of a stream. */
  readonly streamScores?: ScoresOfCandidates | undefined;
}

const NONE: readonly never[] = [];
const NO_REPORTS: Reports = { values: new Map(), warnings: NONE };

/**
 * One run: what it starts from, and what each stage writes, in the order of the stages. A stage reads what earlier ones
 * wrote. One class with all its fields from the start, so that V8 knows a single shape.
 */
export class RunState implements RunResult {
  readonly context: RunContext;
  readonly abort: AbortSignal;
  failures: Failures;

  /** What may be spent, where the profile packs. */
  budget: Budget | undefined = undefined;
  // generate
  candidates: readonly unknown[] = NONE;
  buffers!: RunBuffers;
  // veto
  vetoes!: VetoResult;
  pinned: readonly number[] = NONE;
  kept!: Int32Array;
  /** What measures and scorers are prepared with: the kept candidates. */
  keptInput!: PrepareInput;
  // measure
  measures: readonly ActiveMeasure[] = NONE;
  // score, combine
  scored!: ScoredRows;
  // adjust
  rows: Int32Array | undefined = undefined;
  totals!: Float64Array;
  // select
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
   * From here on, everything is known by position in these. Of candidates by column a list is made, unless the run reads
   * them so.
   *
   * @param kept which are kept, where another run has found that
   */
  setCandidates(candidates: readonly unknown[], kept?: Int32Array): void {
    this.candidates = candidates;
    if (columnsOf(candidates) && !this.#readsByColumn) {
      this.candidates = Array.from(candidates);
      keepDateFacts(this.candidates, dateFactsOf(candidates));
    }
    this.buffers = new RunBuffers(candidates.length, kept);
  }

  /** Whether nothing in the run needs objects: otherwise all are made once, since to make them one by one costs more. */
  get #readsByColumn(): boolean {
    const { fusedPass, columnReader } = this.plan;
    return fusedPass !== undefined && this.start.secondPhase === undefined && columnReader.fields !== undefined;
  }

  /** What a unit is prepared with. */
  prepareInput(candidates: readonly unknown[]): PrepareInput {
    return { candidates, context: this.context, abort: this.abort, updates: this.start.updates };
  }
}

/** One stage of a run: reads what earlier stages wrote into the state, and writes its own. Most need not wait. */
export type Stage = (run: RunState) => MaybeAsync<void>;
