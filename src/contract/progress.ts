/** How far a slow task has got. */
export interface ProgressStep {
  /** The task, in one line: `loading Xenova/all-MiniLM-L6-v2`. */
  readonly task: string;
  /** What `done` and `total` count. `percent`, of 100, is of a statement in a database, whose work has no other unit. */
  readonly unit: 'bytes' | 'percent' | 'rows' | 'texts' | 'queries' | 'folds' | 'parts';
  /** How many so far, from 0. */
  readonly done: number;
  /** How many in all; undefined while that is unknown. The last step of a task has `done` equal to it. */
  readonly total: number | undefined;
}

/** Receives the steps of slow tasks: called often, and not awaited. */
export type Progress = (step: ProgressStep) => void;
