import type { Score } from '../../contract/index.js';
import type { ChildUse } from '../../profile/index.js';
import type { RunContext } from './run-context.js';
import type { MaybeAsync } from '../tasks/task.js';

/** The next memories of units, by slot. */
export type MemoryUpdates = (readonly [slot: number, memory: unknown])[];

/** What units are prepared with. */
export interface PrepareInput {
  readonly candidates: readonly unknown[];
  readonly context: RunContext;
  readonly abort: AbortSignal;
  /** Where a unit's next memory is put; the engine keeps it when the run has succeeded. */
  readonly updates: MemoryUpdates;
}

/** Why a unit could not be prepared, as a value: what follows is the entry's own rule. */
export interface PrepareFailure {
  readonly cause: unknown;
}

/** One use of a class or an expression, compiled once a pipeline. */
export interface CompiledUnit<V> {
  /** Whether it, or an entry inside it, must be prepared for each run. */
  readonly prepares: boolean;
  /** The score in the current run, whichever that is. */
  readonly score: Score<unknown, V>;
  /** The score in this run: of a batch unit the function that it prepared, without the look-up for each row. */
  scoreIn(context: RunContext): Score<unknown, V>;
  /** Prepares it, and the entries inside it. A failure may be returned or thrown. */
  prepare(input: PrepareInput): MaybeAsync<PrepareFailure | undefined>;
  /** The entries inside it, in the order of its params. */
  readonly children: readonly CompiledChild[];
}

/** An entry inside another, compiled. */
export interface CompiledChild {
  readonly unit: CompiledUnit<unknown>;
  readonly use: ChildUse;
}
