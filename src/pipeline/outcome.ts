import type { Failures } from '../stages/failures.js';
import type { MeasureRun } from '../stages/measure.js';
import type { RunState } from '../stages/plan.js';
import type { Scored } from '../stages/score.js';
import type { Selected } from '../stages/select.js';
import type { Vetoed } from '../stages/veto.js';
import type { Arranged } from './arrange.js';
import type { Fallen } from './fall-back.js';

/** What Tiers 1 and 2 and the rules came to, as numbers and positions: all that is to be known of each candidate alone. */
export interface Judgement {
  readonly candidates: readonly unknown[];
  readonly state: RunState;
  /** By position in the input: 0, or the verdict that refused the candidate. */
  readonly verdicts: Uint16Array;
  readonly vetoed: Vetoed;
  /** The positions that were pinned, in order. */
  readonly pinned: readonly number[];
  /** The positions of the candidates that were scored, by row of Tier 2. */
  readonly kept: Int32Array;
  /** The measures that were in the run. */
  readonly measured: readonly MeasureRun[];
  readonly scored: Scored;
  /** The rows of Tier 2 that nothing refused, by row of the ranking; undefined where that is all of them. */
  readonly rows: Int32Array | undefined;
  /** By row of the ranking. */
  readonly totals: Float64Array;
}

/** What one run came to: a ranking reads it when somebody looks. */
export interface Outcome extends Judgement {
  /** Every row of the ranking, best first: made when it is asked for. */
  ordered(): Int32Array;
  readonly selected: Selected;
  /** The selected once they are packed and placed, where the profile does either. */
  readonly arranged: Arranged | undefined;
  readonly fallback: Fallen | undefined;
  readonly reports: { readonly values: ReadonlyMap<string, unknown>; readonly warnings: readonly string[] };
  readonly failures: Failures;
}
