import type { Score } from '../contract/index.js';
import type { Expression } from '../expression/index.js';
import type { CaseWeights, CombineMethod, ScorerEntry, VetoEntry } from '../profile/index.js';
import type { CompiledUnit, CurrentRun, PrepareFailure, RunContext } from './entries.js';
import type { ColumnLoop, CombineLoop } from './kernel/column-loops.js';
import type { Arithmetic } from './kernel/combine-methods.js';
import type { ScoreLoop } from './kernel/score-loop.js';
import type { FusedLoop, VetoLoop } from './kernel/veto-loop.js';

export interface CompiledScorer {
  readonly entry: ScorerEntry;
  /** Its number among all that can refuse, for verdicts. */
  readonly refuser: number;
  /** Whether it is in the current run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<number>;
}

/** How a profile scores: its scorers, and how their scores become one number. */
export interface ScorePlan {
  readonly current: CurrentRun;
  readonly scorers: readonly CompiledScorer[];
  readonly combine: CombineMethod;
  /** The formula, where `combine` is one: reads the resolved scores (`values`) of the current run. */
  readonly formula: Score<unknown, unknown> | undefined;
  readonly cases: (CaseWeights & { readonly evaluate: (candidate: unknown, row: number) => unknown }) | undefined;
  /** The refuser numbers of the first scorer, and of combining. */
  readonly firstRefuser: number;
  readonly combineRefuser: number;
  /** The value of a weight that is an expression, in the current run. */
  readonly weightOf: (expression: Expression) => unknown;
  readonly loops: Loops;
  /** Which scorers are so expensive that each is called once for a candidate. */
  readonly costs: ScorerCosts;
  /** Whether a scorer is in some runs and not in others. */
  readonly conditional: boolean;
  /** The scorers of a run with their weights. */
  readonly scoringOf: (present: readonly CompiledScorer[], failures: PrepareFailures) => Scoring;
}

/** What a loop reads, and what it writes besides totals. */
export interface LoopForm {
  /** Whether it reads candidates by column. */
  readonly byColumn: boolean;
  /** Whether it writes every score into a column. */
  readonly keeps: boolean;
}

/** The loops of a profile, made when first needed. */
export interface Loops {
  /** Over rows that are kept already. */
  score(active: readonly ActiveScorer[], form: LoopForm): ScoreLoop;
  /** The same, not generated: what is timed must not be called where the generated loop calls the units themselves. */
  plainScore(active: readonly ActiveScorer[], form: LoopForm): ScoreLoop;
  plainFused(vetoes: readonly ActiveVeto[], active: readonly ActiveScorer[], form: LoopForm): FusedLoop;
  /** Every score into a column. */
  columns(active: readonly ActiveScorer[], byColumn: boolean): ColumnLoop;
  /** Columns into totals. */
  combine(active: readonly ActiveScorer[]): CombineLoop;
  /** Vetoes and scorers in one pass. */
  fused(vetoes: readonly ActiveVeto[], active: readonly ActiveScorer[], form: LoopForm): FusedLoop;
}

/** By scorer of a run: why it could not be prepared, where it could not. */
export type PrepareFailures = readonly (PrepareFailure | undefined)[];

/** A scorer of one run. */
export interface ActiveScorer {
  readonly entry: ScorerEntry;
  readonly unit: CompiledUnit<number>;
  readonly refuser: number;
  /** The unit's function in the current run, before the entry's rules for absence, failure and range. */
  readonly raw: Score<unknown>;
  /** Where it could not be prepared: the rule that applies to every candidate. */
  readonly failed: { readonly rule: number | 'refuse' | 'skip'; readonly cause: unknown } | undefined;
  /** Whether `raw` keeps what the unit gave: then it is called in place of the unit's own function. */
  readonly kept?: boolean;
  /** Of a deferred scorer: whether it has seen a row. */
  readonly asked?: (row: number) => boolean;
}

/** The scorers of one run with their weights: what scores a row, and explains it later. */
export interface Scoring {
  readonly active: readonly ActiveScorer[];
  /** By position in `active`: the function that scores a row on which nothing is absent or fails. */
  readonly scorers: readonly Score<unknown>[];
  /** What the loop calls: the same, or one formula. */
  readonly loopScorers: readonly Score<unknown>[];
  /** Whether one was prepared, so that the loop is given the prepared function itself. */
  readonly prepared: boolean;
  /** The resolved scores by position in the profile, for rules and formulas; undefined is not in the run. */
  readonly scores: RunContext['scores'];
  /** Undefined for a formula. */
  readonly arithmetic: Arithmetic | undefined;
  readonly weights: Float64Array;
  /** By case; undefined where the profile has none. */
  readonly caseWeights: ReadonlyMap<string, Float64Array> | undefined;
  /** The weights of one candidate, where they differ by case. */
  readonly weightsOf: (candidate: unknown, row: number) => Float64Array;
}

/** The result of Tier 2, by row: the position in the kept candidates. */
export interface ScoredRows {
  readonly scoring: Scoring;
  readonly totals: Float64Array;
  /**
   * By scorer of the run, where they are kept: the numbers that the loop got. Its `on_absent` stands for a score that is
   * absent, NaN for any other that is none.
   */
  readonly columns?: readonly Float64Array[] | undefined;
  /** How many scorers a row was scored on, where it was not all of them. */
  readonly partial: ReadonlyMap<number, number>;
  /** The rows that deferred scorers have not seen, where there are such scorers. */
  readonly pruned?: PrunedRows;
}

/** Which rows can still be selected, and in which order. */
export interface PruneGoal {
  readonly top: number;
  readonly minScore: number | undefined;
  /** Whether equal scores are in the order of the input. */
  readonly byPosition: boolean;
}

/** The scorers that see some rows only, in a second phase: those that can still be selected, or the best by the others. */
export type SecondPhasePlan = {
  /** The ids of the scorers, the cheapest first. */
  readonly ask: readonly string[];
} & (({ readonly how: 'prune' } & PruneGoal) | { readonly how: 'rerank'; readonly top: number });

/** The rows that deferred scorers have not seen, and why. */
export interface PrunedRows {
  readonly plan: SecondPhasePlan;
  /** How many rows some scorer has not seen. */
  readonly count: number;
  /** Which, the most promising first. */
  rows(): Int32Array;
  /** By row: its upper bound; after a rerank its score by the others. */
  readonly most: Float64Array;
  /** The score of the last of the top, where there are as many. */
  readonly floor: number;
  readonly entries: readonly { readonly entry: string; readonly asked: number; readonly pruned: number }[];
}

/** From this declared cost on the same holds: 100 is a comparison of vectors, or reading a long text. */
const EXPENSIVE_COST = 100;

/** After how many rows a cost is measured again: candidates may have become longer. */
const REMEASURE_ROWS = 1_000_000;

/** What scoring one candidate costs, by scorer of a profile: declared by its class, or measured on the first rows of runs. */
export class ScorerCosts {
  readonly #expensive = new Map<CompiledScorer['refuser'], boolean>();
  readonly #declared = new Set<CompiledScorer['refuser']>();
  #rowsLeft = 0;
  #anyExpensive = false;

  constructor(scorers: readonly CompiledScorer[]) {
    for (const { entry, refuser, unit } of scorers) {
      // Of a unit that prepares, the declared cost is that of preparing: its score may be a look-up.
      if (unit.prepares || entry.use.kind !== 'class' || entry.use.unit.meta.cost === undefined) continue;
      this.#declared.add(refuser);
      this.#set(refuser, entry.cost >= EXPENSIVE_COST);
    }
  }

  /**
   * Counts the rows of a run.
   *
   * @returns whether the run measures costs; undefined if it need not, and every scorer is cheap, as in most runs
   */
  start(active: readonly ActiveScorer[], rows: number): { readonly measures: boolean } | undefined {
    this.#rowsLeft -= rows;
    const measures = this.#rowsLeft < 0 && active.some(({ refuser }) => !this.#declared.has(refuser));
    return measures || this.#anyExpensive ? { measures } : undefined;
  }

  isExpensive({ refuser }: ActiveScorer): boolean {
    return this.#expensive.get(refuser) ?? false;
  }

  isMeasured({ refuser, asked, failed }: ActiveScorer): boolean {
    return !this.#declared.has(refuser) && asked === undefined && failed === undefined;
  }

  /** Takes note of what was measured. */
  learn({ refuser }: ActiveScorer, isExpensive: boolean): void {
    this.#set(refuser, isExpensive);
    this.#rowsLeft = REMEASURE_ROWS;
  }

  #set(refuser: number, isExpensive: boolean): void {
    this.#expensive.set(refuser, isExpensive);
    this.#anyExpensive = [...this.#expensive.values()].includes(true);
  }
}

/** The scores of one candidate in a stream, by scorer: kept until the candidate is dropped. */
export type ScoresOfCandidates = WeakMap<object, Map<string, Kept>>;

export type Kept = { readonly value: number | undefined } | { readonly error: unknown };

export interface CompiledVeto {
  readonly entry: VetoEntry;
  /** Its number among all that can refuse, for verdicts. */
  readonly refuser: number;
  /** Whether it is in the current run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<boolean>;
}

/** Consecutive vetoes of one loop: a veto that must be prepared needs what the earlier ones keep. */
interface VetoGroup {
  readonly vetoes: readonly CompiledVeto[];
  readonly loop: VetoLoop;
}

/** The vetoes of a profile. */
export interface VetoPlan {
  readonly groups: readonly VetoGroup[];
  /** Whether the first refusal ends it (`veto_on_first`). */
  readonly onFirst: boolean;
}

/** A veto of one run. */
export interface ActiveVeto {
  readonly entry: VetoEntry;
  readonly refuser: number;
  /** The unit's function; of a veto that could not be prepared one that throws its cause. */
  readonly refuses: Score<unknown, boolean>;
  /** Why it could not be prepared, where it could not: reported once for the run. */
  readonly failure: PrepareFailure | undefined;
  /** The positions of the candidates that it was given, where that is not all of them. Its `index` counts these. */
  readonly given: Int32Array | undefined;
}

/** The result of Tier 1; verdicts and kept candidates apart. */
export interface VetoResult {
  /** The vetoes that were in the run. */
  readonly runs: readonly ActiveVeto[];
  /** Every verdict by position, where all vetoes see every candidate (`veto_on_first: false`). */
  readonly all: ReadonlyMap<number, readonly number[]> | undefined;
}
