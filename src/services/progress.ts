import { type ServiceToken, serviceToken } from '../contract/service.js';

/** How far something slow has got. */
export interface ProgressStep {
  /** What is being done, as one line says it: `loading Xenova/all-MiniLM-L6-v2`. */
  readonly task: string;
  readonly unit: 'bytes' | 'texts';
  readonly done: number;
  /** Of so many; undefined while nobody knows. The last step of a task has `done` equal to it. */
  readonly total: number | undefined;
}

/** Hears of slow work: called often, and not waited for. */
export type Progress = (step: ProgressStep) => void;

/** The token for services that take their time: `@inject(PROGRESS)`. */
export const PROGRESS: ServiceToken<Progress> = serviceToken<Progress>('progress');

export const noProgress: Progress = () => {};
