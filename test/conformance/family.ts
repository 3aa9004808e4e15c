import type { Tally } from './tally.js';

/** How a conformance run was asked for. */
export interface Options {
  /** Also what takes minutes: all of what is otherwise sampled. */
  readonly live: boolean;
}

/** One file of the reference's results, and how Assize is asked for its own. */
export interface Check {
  /** The path of the file, from the folder that holds them all. It is left out where it does not exist. */
  readonly file: string;
  run(folder: string, options: Options): Promise<Tally>;
}

/** The files of one reference system. */
export interface Family {
  readonly name: string;
  readonly checks: readonly Check[];
}
