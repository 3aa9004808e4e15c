import type { Context, Score, Signals } from '../contract/index.js';
import type { ScorerEntry, VetoEntry } from '../profile/profile.js';
import type { Refusal } from './kernel/verdict.js';
import type { MaybeAsync } from './task.js';

/** What a run knows. Compiled units read it through `Live`, so that they stay the same from run to run. */
export interface RunContext {
  readonly now: number;
  readonly context: Context;
  signals: Signals;
  /** Columns by measure id, by row; NaN is absent. */
  readonly measures: Record<string, Float64Array>;
  /** The scores that were prepared in this run, by slot. */
  readonly prepared: (Score<unknown, unknown> | undefined)[];
  /** The settled scorers of this run by their position in the profile, for rules and formulas that read one. */
  scores: readonly (Score<unknown> | undefined)[];
  /** The settled scores of one row by their position in the profile: what a formula reads. */
  readonly values: (number | undefined)[];
  /** What `score` means in a rule: the score so far. */
  score: number;
  /** What a fallback may ask about. */
  counts: {
    readonly generated: number;
    readonly vetoed: number;
    readonly failed: number;
    readonly strategies: readonly string[];
  };
}

/** Which run compiled units read just now: set directly before every synchronous section, never earlier. */
export interface CurrentRun {
  context: RunContext;
}

/** Memories by slot, as units with a memory left them. */
export type MemoryUpdates = (readonly [slot: number, memory: unknown])[];

/** What units are prepared with. */
export interface PrepareInput {
  readonly candidates: readonly unknown[];
  readonly context: RunContext;
  readonly abort: AbortSignal;
  /** What the units with a memory learnt: kept when the run has succeeded. */
  readonly updates: MemoryUpdates;
}

/** The same batch over other candidates, or learning on its own. Not spread: that makes V8 learn a new shape for each run. */
export const prepareInput = (
  { context, abort, updates: all }: PrepareInput,
  candidates: readonly unknown[],
  updates: MemoryUpdates = all,
): PrepareInput => ({
  candidates,
  context,
  abort,
  updates,
});

/** Why something could not be prepared, as a value: what that means is the entry's own rule. */
export interface PrepareFailure {
  readonly cause: unknown;
}

/** One use of a class or an expression, compiled once a pipeline. */
export interface CompiledUnit<V> {
  /** Whether it, or an entry inside it, must be prepared for each run. */
  readonly prepares: boolean;
  /** The score in whatever run is the cell's. */
  readonly score: Score<unknown, V>;
  /** The score in this run: for a prepared unit the function that it prepared. */
  scoreIn(state: RunContext): Score<unknown, V>;
  /** Prepares it, and the entries inside it; gives what went wrong, where that is not thrown. */
  prepare(batch: PrepareInput): MaybeAsync<PrepareFailure | undefined>;
}

export interface CompiledVeto {
  readonly entry: VetoEntry;
  /** Whether it is in the cell's run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<boolean>;
}

export interface CompiledMeasure {
  readonly id: string;
  readonly timeout: number | undefined;
  /** Whether it is in the cell's run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<number>;
}

export interface CompiledScorer {
  readonly entry: ScorerEntry;
  /** Whether it is in the cell's run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<number>;
}

/** Refuses the candidate that is being scored. Thrown, because it may come from deep inside an entry. */
export class CandidateRefused extends Error {
  constructor(
    /** The entry that refuses. */
    readonly by: string,
    readonly refusal: Refusal,
    /** What happened, where something failed. */
    readonly failure?: unknown,
  ) {
    super(`refused by ${by}`);
  }
}

/** Fails the run: an entry said `fail`. */
export class RunFailed extends Error {
  constructor(
    readonly entry: string,
    readonly stage: string,
    readonly failure: unknown,
    /** The position of the candidate, where it was about one. */
    readonly index?: number,
  ) {
    super(`entry ${entry} failed`);
  }
}
