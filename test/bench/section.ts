import type { Result } from './result.js';

/** How much is measured: all of it, or for a test so little that only the answers count. */
export interface Effort {
  /** How often each subject has its turn. */
  readonly rounds: number;
  /** How long a turn lasts at least. */
  readonly millis: number;
  /** How many of something are taken where a full measurement takes `size`. */
  of(size: number): number;
}

export const FULL: Effort = { rounds: 15, millis: 20, of: (size) => size };

/** One round over a handful: nothing is to be learnt of the time. */
export const TINY: Effort = { rounds: 1, millis: 0, of: (size) => Math.min(size, 8 + Math.ceil(size ** 0.25)) };

/** One part of the report, measured in a process of its own: what ran before changes how V8 compiles what comes. */
export interface Section {
  /** What `npm run bench -- NAME` calls it. */
  readonly name: string;
  readonly title: string;
  /** What is compared, and how it is made fair: Markdown. */
  readonly about: string;
  /** The packages that are measured, for their versions. */
  readonly packages?: readonly string[];
  /** How many milliseconds it may take, where that is longer than others may. */
  readonly patience?: number;
  /** Checks that all answers agree, then measures. */
  run(effort: Effort): AsyncIterable<Result>;
}
