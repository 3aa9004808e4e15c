import type { Score } from '../../../contract/index.js';
import type { CompiledUnit } from '../../entries/compiled-unit.js';

export interface CompiledMeasure {
  readonly id: string;
  readonly timeout: number | undefined;
  /** When it fails on a candidate or in prepare: `skip` leaves it absent. */
  readonly onError: 'skip' | 'fail';
  /** Whether it is in the current run. */
  readonly when: () => boolean;
  readonly unit: CompiledUnit<number>;
}

/** A measure of one run. */
export interface ActiveMeasure {
  readonly id: string;
  /** The unit's function; undefined where it could not be prepared. */
  readonly score: Score<unknown> | undefined;
  /** Why it could not be prepared. */
  readonly cause: unknown;
}
