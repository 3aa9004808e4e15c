import type { Interval } from '../significance/intervals.js';
import type { JudgeCost } from './ask-judge.js';

/** What a measure of a judge is about. `people` is the agreement of people with each other. */
export type JudgeAspect = 'repeatability' | 'order bias' | 'length bias' | 'agreement' | 'people';

/** A measure of a judge with its 95 % interval. */
export interface JudgeMeasure {
  readonly aspect: JudgeAspect;
  readonly name: string;
  /** Absent if the data does not determine it; `absent` then says why. */
  readonly value?: number;
  /** Absent if there are fewer than two independent groups. */
  readonly interval?: Interval;
  /** The number of candidates, or of pairs of candidates, that it is about. */
  readonly count: number;
  readonly absent?: string;
}

/** How one judge of a profile answered. */
export interface MeasuredJudge {
  readonly id: string;
  readonly class: string;
  /** The model, as the profile names it. */
  readonly model?: string;
  /** Whether it grades one candidate at a time, or compares two. */
  readonly kind: 'grades' | 'pairs';
  /** The number of candidates, or of pairs, that it was asked about. */
  readonly asked: number;
  /** How many of these have no answer, and the first reason. */
  readonly failed: number;
  readonly failure?: string;
  /** The number of candidates without a text, which were not asked about. */
  readonly withoutText: number;
  readonly measures: readonly JudgeMeasure[];
  readonly cost: JudgeCost;
}

/** The measures of all judges of a profile. */
export interface JudgeReport {
  readonly profile: string;
  /** How often each question was asked. */
  readonly repeats: number;
  readonly judges: readonly MeasuredJudge[];
}
