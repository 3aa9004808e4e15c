import type { Failures } from './failures.js';
import type { RunContext } from './run-context.js';
import type { ActiveMeasure } from './stages/measure/measure.js';
import type { ScoredRows } from './stages/score/score.js';
import type { Arrangement } from './stages/select/arrange.js';
import type { FallbackChoice } from './stages/select/fallback.js';
import type { RowSelection } from './stages/select/select.js';
import type { Vetoed } from './stages/veto/veto.js';

/** What Tiers 1 and 2 and the rules came to, as numbers and positions: all that is to be known of each candidate alone. */
export interface Evaluation {
  readonly candidates: readonly unknown[];
  readonly context: RunContext;
  /** By position in the input: 0, or the verdict that refused the candidate. */
  readonly verdicts: Uint16Array;
  readonly vetoes: Vetoed;
  /** The positions that were pinned, in order. */
  readonly pinned: readonly number[];
  /** The positions of the candidates that were scored, by row of Tier 2. */
  readonly kept: Int32Array;
  /** The measures that were in the run. */
  readonly measures: readonly ActiveMeasure[];
  readonly scored: ScoredRows;
  /** The rows of Tier 2 that nothing refused, by row of the ranking; undefined where that is all of them. */
  readonly rows: Int32Array | undefined;
  /** By row of the ranking. */
  readonly totals: Float64Array;
}

/** What one run came to: a ranking reads it when somebody looks. */
export interface RunResult extends Evaluation {
  /** Every row of the ranking, best first: made when it is asked for. */
  ordered(): Int32Array;
  readonly selected: RowSelection;
  /** The selected once they are packed and placed, where the profile does either. */
  readonly arrangement: Arrangement | undefined;
  readonly fallback: FallbackChoice | undefined;
  readonly reports: { readonly values: ReadonlyMap<string, unknown>; readonly warnings: readonly string[] };
  readonly failures: Failures;
}
