import type { Score } from '../../../contract/index.js';
import type { VetoEntry } from '../../../profile/index.js';
import type { CompiledUnit, PrepareFailure } from '../../entries/compiled-unit.js';
import type { VetoLoop } from '../../kernel/veto-loop.js';

export interface CompiledVeto {
  readonly entry: VetoEntry;
  /** Its number among all that can refuse, for verdicts. */
  readonly refuser: number;
  /** Whether it is in the current run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<boolean>;
}

/** Consecutive vetoes of one loop: a veto that must be prepared needs what the earlier ones keep. */
export interface VetoGroup {
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
