import type { Result } from './result.js';

/** The amount of measuring: full, or for a test so little that only the answers matter. */
export interface Effort {
  /** The number of turns of each subject. */
  readonly rounds: number;
  /** The minimum duration of a turn. */
  readonly millis: number;
  /** The number of items for a full measurement of `size`. */
  of(size: number): number;
}

export const FULL: Effort = { rounds: 15, millis: 20, of: (size) => size };

/** One round over a few items: its times mean nothing. */
export const TINY: Effort = { rounds: 1, millis: 0, of: (size) => Math.min(size, 8 + Math.ceil(size ** 0.25)) };

/** One part of the report, measured in its own process: earlier work changes how V8 compiles later work. */
export interface Section {
  /** Its name in `npm run bench -- NAME`. */
  readonly name: string;
  readonly title: string;
  /** What is compared and why the comparison is fair, in Markdown. */
  readonly about: string;
  /** The measured packages, for their versions. */
  readonly packages?: readonly string[];
  /** The time limit in milliseconds, if it is longer than usual. */
  readonly patience?: number;
  /** Checks that all answers agree, then measures. */
  run(effort: Effort): AsyncIterable<Result>;
}
