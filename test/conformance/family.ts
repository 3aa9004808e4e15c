import type { Tally } from './tally.js';

/** The options of a conformance run. */
export interface Options {
  /** Also runs what takes minutes: all data that is otherwise sampled. */
  readonly live: boolean;
}

/**
 * One file of the reference's results, and how Assize computes its own.
 *
 */
export interface Check {
  /** The path of the file, from the folder that holds them all. It is skipped if it does not exist. */
  readonly file: string;
  /** Whether the file is in this package: its path is then from the package's folder. */
  readonly own?: true;
  run(folder: string, options: Options): Promise<Tally>;
}

/** The files of one reference system. */
export interface Family {
  readonly name: string;
  readonly checks: readonly Check[];
}
