/** How far a slow task has got. */
export interface ProgressStep {
  /** The task, in one line: `loading Xenova/all-MiniLM-L6-v2`. */
  readonly task: string;
  readonly unit: 'bytes' | 'percent' | 'rows' | 'texts' | 'queries' | 'folds' | 'parts';
  readonly done: number;
  /** How many in all; undefined while that is unknown. The last step of a task has `done` equal to it. */
  readonly total: number | undefined;
}

/** Receives the steps of slow tasks: called often, and not awaited. */
export type Progress = (step: ProgressStep) => void;
