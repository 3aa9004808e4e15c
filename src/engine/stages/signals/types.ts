import type { RunContext } from '../../entries/run-context.js';

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
