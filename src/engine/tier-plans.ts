import type { Columns } from '../data/index.js';
import type { Score } from '../sdk/index.js';
import type { Expression } from '../expression/index.js';
import type { CaseWeights, CombineMethod, ScorerEntry, VetoEntry } from '../profile/index.js';
import type { CompiledUnit, CurrentRun, PrepareFailure, RunContext } from './entries.js';
import type { ColumnLoop, CombineLoop } from './kernel/column-loops.js';
import type { Arithmetic } from './kernel/combine-methods.js';
import type { LoopRule } from './kernel/rule-loop.js';
import type { PartialRows } from './kernel/run-buffers.js';
import type { ScoreLoop } from './kernel/score-loop.js';
import type { BestRows } from './kernel/top-rows.js';
import type { FusedLoop, VetoLoop } from './kernel/veto-loop.js';

export interface CompiledScorer {
  readonly entry: ScorerEntry;
  /** Its number among all that can refuse: vetoes, scorers, combine, rules. Verdicts contain it. */
  readonly refuser: number;
  /** Whether it takes part in the current run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<number>;
}

/** The compiled scorers of a profile, and how their scores are combined. */
export interface ScorePlan {
  readonly current: CurrentRun;
  readonly scorers: readonly CompiledScorer[];
  readonly combine: CombineMethod;
  /** The total of a row without a score to combine; undefined if it is refused. */
  readonly onUnscored: number | undefined;
  /** The formula, if `combine` is one. It reads the resolved scores (`values`) of the current run. */
  readonly formula: Score<unknown, unknown> | undefined;
  readonly cases: (CaseWeights & { readonly evaluate: (candidate: unknown, row: number) => unknown }) | undefined;
  /** The refuser numbers of the first scorer and of the combine stage. */
  readonly firstRefuser: number;
  readonly combineRefuser: number;
  /** Evaluates a weight that is an expression, in the current run. */
  readonly weightOf: (expression: Expression) => unknown;
  readonly loops: Loops;
  /** Which scorers are so expensive that each is called only once per candidate. */
  readonly costs: ScorerCosts;
  /** Whether some scorer has a `when`. */
  readonly conditional: boolean;
  /** The scorers of a run with their weights. */
  readonly scoringOf: (present: readonly CompiledScorer[], failures: PrepareFailures) => Scoring;
}

/** The variants of a loop. */
export interface LoopForm {
  /** The columns, if it reads candidates by column. */
  readonly table?: Columns | undefined;
  /** The fields of them that the profile reads. */
  readonly fields?: ReadonlySet<string> | undefined;
  /** Whether it writes every score into a column. */
  readonly keeps: boolean;
}

/** The loops of a profile. Each is made when it is first needed. */
export interface Loops {
  /** Scores rows that passed the vetoes. */
  score(active: readonly ActiveScorer[], form: LoopForm): ScoreLoop;
  /** The same without code generation: units must be timed outside of the generated loop, which V8 optimises for them. */
  plainScore(active: readonly ActiveScorer[]): ScoreLoop;
  plainFused(active: readonly ActiveScorer[]): FusedLoop;
  /** Writes every score into a column. */
  columns(active: readonly ActiveScorer[], form: Omit<LoopForm, 'keeps'>): ColumnLoop;
  /** Combines columns into totals. */
  combine(active: readonly ActiveScorer[]): CombineLoop;
  /** Vetoes and scores in one pass. */
  fused(
    vetoes: readonly ActiveVeto[],
    active: readonly ActiveScorer[],
    form: LoopForm,
    rules: () => readonly LoopRule[],
    candidates: number,
  ): FusedLoop;
}

/** The loops of a grouped pass. */
export interface GroupedLoops {
  readonly veto: VetoLoop;
  /** Fills the column of an expression inside a scorer. */
  column(unit: CompiledUnit<unknown>, score: Score<unknown>): ColumnLoop;
}

/** By scorer of a run: why it could not be prepared, if it failed. */
export type PrepareFailures = readonly (PrepareFailure | undefined)[];

/** A scorer of one run. */
export interface ActiveScorer {
  readonly entry: ScorerEntry;
  readonly unit: CompiledUnit<number>;
  readonly refuser: number;
  /** The unit's function in the current run, before the entry's rules for absence, failure and range. */
  readonly raw: Score<unknown>;
  /** If it could not be prepared: the rule that applies to every candidate. */
  readonly failed: { readonly rule: number | 'refuse' | 'skip'; readonly cause: unknown } | undefined;
  /** Whether `raw` caches the unit's scores. If so, it is called instead of the unit's own function. */
  readonly cached?: boolean;
  /** By row: its numbers, if they were computed before the loop; NaN if `raw` must be called. */
  readonly known?: Float64Array;
  /** For a deferred scorer: whether it was evaluated on a row. */
  readonly evaluated?: (row: number) => boolean;
}

/** The scorers of one run with their weights. Rows are scored, and later explained, with it. */
export interface Scoring {
  readonly active: readonly ActiveScorer[];
  /** By position in `active`: the function that scores a row on which no score is absent and none fails. */
  readonly scorers: readonly Score<unknown>[];
  /** The functions that the loop calls: `scorers`, or one formula. */
  readonly loopScorers: readonly Score<unknown>[];
  /** Whether a scorer was prepared. If so, the loop gets the prepared function itself. */
  readonly prepared: boolean;
  /** The resolved scores by position in the profile, for rules and formulas; undefined if the scorer is not in the run. */
  readonly scores: RunContext['scores'];
  /** Whether `scores` reads given columns, which may differ from what the scorers return. */
  readonly fromColumns?: true;
  /** Undefined for a formula. */
  readonly arithmetic: Arithmetic | undefined;
  readonly weights: Float64Array;
  /** By case; undefined if the profile has none. */
  readonly caseWeights: ReadonlyMap<string, Float64Array> | undefined;
  /** The weights for one candidate. They differ only if the profile has cases. */
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
}

/** The best rows after the first `sampled` rows of a run. The totals of those may still change. */
export interface BestAfter {
  readonly best: BestRows;
  readonly sampled: number;
}

/** The result of Tier 2, by row: the position in the kept candidates. */
export interface ScoredRows {
  readonly scoring: Scoring;
  readonly totals: Float64Array;
  /**
   * By scorer of the run, if they are kept: the numbers that the loop computed. An absent score is the number of
   * `on_absent`; any other missing score is NaN.
   */
  readonly columns?: readonly Float64Array[] | undefined;
  /** The rows in which a score is missing. */
  readonly partial: PartialRows;
  /** The rows to which the rules are not applied yet, ascending. Undefined: all rows. */
  readonly withoutRules?: readonly number[] | undefined;
  /** The best rows, if the loop has kept them. */
  readonly best?: BestAfter | undefined;
  /** The rows that deferred scorers did not evaluate, if the run has deferred scorers. */
  readonly pruned?: PrunedRows;
}

/** Which rows can still be selected, and in which order. */
export interface PruneGoal {
  readonly top: number;
  readonly minScore: number | undefined;
  /** Whether ties are broken by the order of the input. */
  readonly byPosition: boolean;
}

/**
 * The scorers that a second phase evaluates on some rows only: on the rows that can still be selected (`prune`), or on the
 * best rows by the other scorers (`rerank`).
 */
export type SecondPhasePlan = {
  /** The ids of the scorers, the cheapest first. */
  readonly ask: readonly string[];
} & (({ readonly how: 'prune' } & PruneGoal) | { readonly how: 'rerank'; readonly top: number });

/** The rows that deferred scorers did not evaluate, and why. */
export interface PrunedRows {
  readonly plan: SecondPhasePlan;
  /** The number of rows that were not evaluated by every scorer. */
  readonly count: number;
  /** These rows, the most promising first. */
  rows(): Int32Array;
  /** By row: its upper bound; after a rerank, its score by the other scorers. */
  readonly most: Float64Array;
  /** The score of the last row of the top; −Infinity if there are fewer rows. */
  readonly floor: number;
  readonly entries: readonly { readonly entry: string; readonly evaluated: number; readonly pruned: number }[];
}

/** A scorer with at least this declared cost is expensive. 100 is a comparison of vectors, or reading a long text. */
const EXPENSIVE_COST = 100;

/** Costs are measured again after this many rows, because candidates may have become longer. */
const REMEASURE_ROWS = 1_000_000;

/** Which scorers of a profile are expensive: as declared by the class, or as measured on the first rows of runs. */
export class ScorerCosts {
  readonly #expensive = new Map<CompiledScorer['refuser'], boolean>();
  readonly #declared = new Set<CompiledScorer['refuser']>();
  readonly #times = new Map<CompiledScorer['refuser'], number[]>();
  #rowsLeft = 0;
  #anyExpensive = false;

  constructor(scorers: readonly CompiledScorer[]) {
    for (const { entry, refuser, unit } of scorers) {
      // If a unit prepares, its declared cost is the cost of preparing: its score may be a look-up.
      if (unit.prepares || entry.use.kind !== 'class' || entry.use.unit.meta.cost === undefined) continue;
      this.#declared.add(refuser);
      this.#set(refuser, entry.cost >= EXPENSIVE_COST);
    }
  }

  /**
   * Counts the rows of a run.
   *
   * @returns whether the run measures costs; undefined if it does not and every scorer is cheap, as in most runs
   */
  start(active: readonly ActiveScorer[], rows: number): { readonly measures: boolean } | undefined {
    this.#rowsLeft -= rows;
    const measures = this.#rowsLeft < 0 && active.some(({ refuser }) => !this.#declared.has(refuser));
    return measures || this.#anyExpensive ? { measures } : undefined;
  }

  isExpensive({ refuser }: ActiveScorer): boolean {
    return this.#expensive.get(refuser) ?? false;
  }

  isMeasured({ refuser, evaluated, failed }: ActiveScorer): boolean {
    return !this.#declared.has(refuser) && evaluated === undefined && failed === undefined;
  }

  /** The times of the calls that were measured since the last record. Runs of few rows measure together. */
  timesOf({ refuser }: ActiveScorer): number[] {
    const times = this.#times.get(refuser) ?? [];
    this.#times.set(refuser, times);
    return times;
  }

  /** Records a measurement. */
  record({ refuser }: ActiveScorer, isExpensive: boolean): void {
    this.#times.delete(refuser);
    this.#set(refuser, isExpensive);
    this.#rowsLeft = REMEASURE_ROWS;
  }

  #set(refuser: number, isExpensive: boolean): void {
    this.#expensive.set(refuser, isExpensive);
    this.#anyExpensive = [...this.#expensive.values()].includes(true);
  }
}

/** By candidate of a stream: its scores by scorer, kept until the candidate is garbage. */
export type ScoresOfCandidates = WeakMap<object, Map<string, CachedResult>>;

/** The result of calling a scorer once. */
export type CachedResult = { readonly value: number | undefined } | { readonly error: unknown };

export interface CompiledVeto {
  readonly entry: VetoEntry;
  /** Its number among all that can refuse: vetoes, scorers, combine, rules. Verdicts contain it. */
  readonly refuser: number;
  /** Whether it takes part in the current run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<boolean>;
}

/** Consecutive vetoes that share a loop. A veto that must be prepared starts a new group: it needs the candidates that earlier ones keep. */
interface VetoGroup {
  readonly vetoes: readonly CompiledVeto[];
  readonly loop: VetoLoop;
}

/** The vetoes of a profile. */
export interface VetoPlan {
  readonly groups: readonly VetoGroup[];
  /** Whether the first refusal is final (`veto_on_first`). */
  readonly onFirst: boolean;
}

/** A veto of one run. */
export interface ActiveVeto {
  readonly entry: VetoEntry;
  readonly refuser: number;
  readonly unit: CompiledUnit<boolean>;
  /** The unit's function; if the veto could not be prepared, a function that throws the cause. */
  readonly refuses: Score<unknown, boolean>;
  /** Why it could not be prepared, if it failed: reported once per run. */
  readonly failure: PrepareFailure | undefined;
  /** The positions of the candidates that it was called on, if not all. Its `index` is a position in this list. */
  readonly given: Int32Array | undefined;
}

/** The result of Tier 1 besides the verdicts and the kept candidates. */
export interface VetoResult {
  /** The vetoes that took part in the run. */
  readonly runs: readonly ActiveVeto[];
  /** Every verdict by position, if all vetoes were called on every candidate (`veto_on_first: false`). */
  readonly all: ReadonlyMap<number, readonly number[]> | undefined;
}
