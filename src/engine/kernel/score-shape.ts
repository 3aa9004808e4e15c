import type { Arithmetic } from '../combine-methods.js';

/** What a loop is made for. Everything else may change from run to run. */
export interface ScoreShape {
  /** By scorer: about how many bytecodes it is. A formula is one. */
  readonly sizes: readonly number[];
  /** Undefined for a formula: one function of the candidate. */
  readonly arithmetic: Arithmetic | undefined;
  /** Whether the weights are chosen for each candidate. */
  readonly cases: boolean;
}
