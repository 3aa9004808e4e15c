/** How far something slow has got. */
export interface ProgressStep {
  /** What is being done, as one line says it: `loading Xenova/all-MiniLM-L6-v2`. */
  readonly task: string;
  readonly unit: 'bytes' | 'texts';
  readonly done: number;
  /** How many there are in all; undefined where that is not known yet. The last step of a task has `done` equal to it. */
  readonly total: number | undefined;
}

/** A callback for slow work: called often, and not waited for. */
export type Progress = (step: ProgressStep) => void;
