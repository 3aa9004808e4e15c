import type { Interval } from '../../significance/intervals.js';
import { type Random, randomNormal } from '../../significance/distributions.js';

/** The score differences of a pair, by scorer, and the choice: 1 the first, 0 the second, 0.5 neither. */
export interface Answer {
  readonly difference: Float64Array;
  readonly chosen: number;
}

/** A weight vector and the standard deviation of its weighted sums. */
export interface Believed {
  readonly weights: Float64Array;
  readonly spread: number;
}

/** The slope of the choice model for a difference of one standard deviation. */
const SHARPNESS = 8;
/** The probability that an answer is random. */
const SLIP = 0.04;
const MOVES = 4;

/**
 * The posterior of the weights as a sample of vectors that sum to 1: a particle filter with resampling and Metropolis
 * moves (Chopin 2002). The prior is uniform on the simplex; a vector is stored as exponential variables whose shares are
 * the weights.
 */
export class Particles {
  /** The vectors before normalization. */
  #parts: Float64Array[];
  #vectors: readonly Believed[] = [];
  #weights: Float64Array;
  readonly #answers: Answer[] = [];

  /**
   * @param covariance of the scores, row by row; determines the spread of a weighted sum
   */
  constructor(
    count: number,
    private readonly width: number,
    private readonly covariance: Float64Array,
    private readonly random: Random,
  ) {
    this.#parts = Array.from({ length: count }, () =>
      Float64Array.from({ length: width }, () => -Math.log1p(-random())),
    );
    this.#weights = new Float64Array(count).fill(1 / count);
    this.#vectors = this.#parts.map((part) => this.#believed(part));
  }

  /** The vectors, each summing to 1. */
  get vectors(): readonly Believed[] {
    return this.#vectors;
  }

  /** The probability of each vector. */
  get likelihoods(): Float64Array {
    return this.#weights;
  }

  /** The posterior mean. */
  get mean(): Float64Array {
    const mean = new Float64Array(this.width);
    for (const [p, { weights }] of this.#vectors.entries())
      for (let k = 0; k < this.width; k++) mean[k]! += weights[k]! * this.#weights[p]!;
    return mean;
  }

  /** The central credible interval of each weight. */
  likely(probability: number): readonly Interval[] {
    const tail = (1 - probability) / 2;
    return Array.from({ length: this.width }, (_, k) => {
      const order = Array.from(this.#vectors.keys()).sort((a, b) => this.#share(a, k) - this.#share(b, k));
      const at = (part: number): number => {
        let below = 0;
        const found = order.find((p) => (below += this.#weights[p]!) >= part) ?? order.at(-1)!;
        return this.#share(found, k);
      };
      return [at(tail), at(1 - tail)];
    });
  }

  #share(vector: number, k: number): number {
    return this.#vectors[vector]!.weights[k]!;
  }

  /** The probability that a person with these weights chooses the first. */
  chance({ weights, spread }: Believed, difference: Float64Array): number {
    let lead = 0;
    for (let k = 0; k < this.width; k++) lead += weights[k]! * difference[k]!;
    return SLIP / 2 + (1 - SLIP) / (1 + Math.exp((-SHARPNESS * lead) / spread));
  }

  /** Updates the posterior with an answer. */
  learn(answer: Answer): void {
    this.#answers.push(answer);
    for (const [p, vector] of this.#vectors.entries()) this.#weights[p]! *= this.#likelihood(vector, answer);
    const sum = this.#weights.reduce((total, one) => total + one, 0);
    this.#weights = this.#weights.map((one) => one / sum);
    const effective = 1 / this.#weights.reduce((total, one) => total + one * one, 0);
    if (effective < this.#parts.length / 2) this.#renew();
  }

  #likelihood(vector: Believed, { difference, chosen }: Answer): number {
    const chance = this.chance(vector, difference);
    return chosen === 0.5 ? 4 * chance * (1 - chance) : chosen === 1 ? chance : 1 - chance;
  }

  /** Resamples the vectors by their probabilities and moves each by Metropolis steps. */
  #renew(): void {
    const count = this.#parts.length;
    const drawn: Float64Array[] = [];
    let [sum, p] = [this.#weights[0]!, 0];
    const offset = this.random();
    for (let k = 0; k < count; k++) {
      while ((k + offset) / count > sum && p < count - 1) sum += this.#weights[++p]!;
      drawn.push(this.#parts[p]!);
    }
    this.#parts = drawn.map((part) => this.#moved(part));
    this.#vectors = this.#parts.map((part) => this.#believed(part));
    this.#weights = new Float64Array(count).fill(1 / count);
  }

  #moved(start: Float64Array): Float64Array {
    let part = start;
    let density = this.#density(part);
    for (let move = 0; move < MOVES; move++) {
      const next = part.map((x) => x * Math.exp(0.5 * randomNormal(this.random)));
      const reached = this.#density(next);
      if (Math.log(this.random()) < reached - density) [part, density] = [next, reached];
    }
    return part;
  }

  /** The log density of the unnormalized vector, up to a constant, in log coordinates. */
  #density(part: Float64Array): number {
    const prior = part.reduce((sum, x) => sum + Math.log(x) - x, 0);
    const vector = this.#believed(part);
    return this.#answers.reduce((sum, answer) => sum + Math.log(this.#likelihood(vector, answer)), prior);
  }

  #believed(part: Float64Array): Believed {
    const sum = part.reduce((total, one) => total + one, 0);
    const weights = part.map((one) => one / sum);
    let variance = 0;
    for (let k = 0; k < this.width; k++)
      for (let j = 0; j < this.width; j++) variance += weights[k]! * weights[j]! * this.covariance[k * this.width + j]!;
    return { weights, spread: Math.sqrt(variance) || 1 };
  }
}
