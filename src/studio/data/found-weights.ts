/** A weight that was found. */
export interface FoundWeight {
  readonly id: string;
  readonly before: number;
  readonly weight: number;
  /** Of answers: where it lies with a probability of 90 %. */
  readonly likely?: readonly [least: number, most: number] | undefined;
}

/** Weights that tuning or answers found, and what shows that they are better. */
export interface FoundWeights {
  /** Empty where nothing was found: then there is nothing to try. */
  readonly scorers: readonly FoundWeight[];
  /** In words, a line each: what it was learnt from, and what came out. */
  readonly evidence: readonly string[];
  /** Whether a gain is shown on what was kept back by a search that came to its end; of answers, whether they decide the top. */
  readonly shown: boolean;
}

/** A step of tuning. */
export interface TuneProgress {
  readonly task: string;
  readonly done: number;
  readonly of: number;
}

/** Which of two candidates should come first? By their positions. */
export interface AskedPair {
  /** What an answer names: a second one to the same question is refused. */
  readonly question: string;
  readonly pair: readonly [a: number, b: number];
  readonly answered: number;
  /** How much of the top the weights agree on that are still likely, from 0 to 1. */
  readonly agreement: number;
}

/** The first, the second, neither before the other; or no more questions. */
export const REPLIES = ['a', 'b', 'same', 'stop'] as const;
export type PairReply = (typeof REPLIES)[number];
