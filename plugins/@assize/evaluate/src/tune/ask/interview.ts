import { type Random, seededRandom, randomNormal } from '../../significance/distributions.js';
import type { Interval } from '../../significance/intervals.js';
import type { Ranking } from 'assize';
import type { Profile } from 'assize/internal';
import { addsLogarithms, type ScorerEntry } from '../model/weighing.js';

/** Two rows to compare. */
interface Pair {
  readonly a: number;
  readonly b: number;
}

/** An answer: the first, the second, or neither. */
export type Choice = 'a' | 'b' | 'same';

const PARTICLES = 400;
/** The number of random pairs from which the most informative one is chosen. */
const PAIRS = 400;
const CHOSEN: Readonly<Record<Choice, number>> = { a: 1, b: 0, same: 0.5 };
/**
 * Every fifth question has a predictable answer. The most informative questions have unpredictable answers, so without
 * checks no answer could contradict the others.
 */
const CHECK_EVERY = 5;
const SEEMS_KNOWN = 0.85;
/** An answer contradicts the others if its posterior probability is below this. */
const CONTRADICTED = 0.4;

/**
 * Infers weights from choices. Asks about the pair on which the likely weight vectors disagree most while each of them is
 * certain (BALD, Houlsby et al. 2011).
 */
export class Interview {
  readonly #particles: Particles;
  readonly #random: Random;
  readonly #asked: { readonly pair: Pair; readonly answer: Answer }[] = [];

  constructor(
    private readonly table: ScoreTable,
    private readonly top: number,
    seed: number,
  ) {
    this.#random = seededRandom(seed);
    this.#particles = new Particles(PARTICLES, table.width, table.covariance, this.#random);
  }

  /** The posterior mean weights, which sum to 1. */
  get weights(): Float64Array {
    return this.#particles.mean;
  }

  /** The credible interval of each weight. */
  likely(probability: number): readonly Interval[] {
    return this.#particles.likely(probability);
  }

  /** The share of the top on which the likely vectors agree; 1 if all have the same top. */
  get agreement(): number {
    const top = new Set(bestByWeights(this.table, this.weights, this.top));
    const { vectors, likelihoods } = this.#particles;
    return vectors.reduce((sum, vector, p) => {
      const shared = bestByWeights(this.table, vector.weights, this.top).filter((row) => top.has(row)).length;
      return sum + (shared / top.size) * likelihoods[p]!;
    }, 0);
  }

  /** The positions of answers that contradict the weights inferred from all answers. */
  get contradictions(): readonly number[] {
    const { vectors, likelihoods } = this.#particles;
    const fits = ({ difference, chosen }: Answer): number => {
      if (chosen === 0.5) return 1;
      const first = vectors.reduce((sum, one, p) => sum + this.#particles.chance(one, difference) * likelihoods[p]!, 0);
      return chosen === 1 ? first : 1 - first;
    };
    return [...this.#asked.keys()].filter((k) => fits(this.#asked[k]!.answer) < CONTRADICTED);
  }

  /** The most informative pair, or every fifth time a check. */
  question(): Pair {
    const rows = this.#contenders();
    const isCheck = this.#asked.length % CHECK_EVERY === CHECK_EVERY - 1;
    let best: Pair = { a: 0, b: Math.min(1, this.table.rows - 1) };
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < PAIRS; k++) {
      // Half of the pairs are from the possible top, half from all rows.
      const pool = k % 2 === 0 ? rows : undefined;
      const [a, b] = [this.#draw(pool), this.#draw(pool)];
      if (a === b || this.#wasAsked(a, b)) continue;
      const { mean, information } = this.#expected(a, b);
      const gain = isCheck && Math.max(mean, 1 - mean) < SEEMS_KNOWN ? information - 1 : information;
      if (gain > most) [best, most] = [{ a, b }, gain];
    }
    return best;
  }

  answer(pair: Pair, choice: Choice): void {
    const answer = { difference: this.#difference(pair.a, pair.b), chosen: CHOSEN[choice] };
    this.#asked.push({ pair, answer });
    this.#particles.learn(answer);
  }

  /** The rows that are in the top of any likely vector. */
  #contenders(): readonly number[] {
    const rows = new Set<number>();
    for (const [p, vector] of this.#particles.vectors.entries())
      if (p % 8 === 0) for (const row of bestByWeights(this.table, vector.weights, this.top)) rows.add(row);
    return [...rows];
  }

  #draw(rows: readonly number[] | undefined): number {
    return rows ? rows[Math.floor(this.#random() * rows.length)]! : Math.floor(this.#random() * this.table.rows);
  }

  #wasAsked(a: number, b: number): boolean {
    return this.#asked.some(({ pair }) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
  }

  #difference(a: number, b: number): Float64Array {
    const { width, scores } = this.table;
    return Float64Array.from({ length: width }, (_, k) => scores[a * width + k]! - scores[b * width + k]!);
  }

  /**
   * The probability that the first is chosen, and the expected information of the answer about the weights, in nats: the
   * entropy of the mean minus the mean of the entropies.
   */
  #expected(a: number, b: number): { readonly mean: number; readonly information: number } {
    const difference = this.#difference(a, b);
    const { likelihoods } = this.#particles;
    let [mean, doubt] = [0, 0];
    for (const [p, vector] of this.#particles.vectors.entries()) {
      const chance = this.#particles.chance(vector, difference);
      mean += chance * likelihoods[p]!;
      doubt += entropy(chance) * likelihoods[p]!;
    }
    return { mean, information: entropy(mean) - doubt };
  }
}

const entropy = (chance: number): number =>
  chance <= 0 || chance >= 1 ? 0 : -chance * Math.log(chance) - (1 - chance) * Math.log(1 - chance);

/** The scores of ranked candidates by the tuned scorers, row by row, without gaps. */
export interface ScoreTable {
  readonly rows: number;
  readonly width: number;
  readonly scores: Float64Array;
  /** By row: the position of the candidate in the input. */
  readonly index: Int32Array;
  /** The covariance matrix of the scorers' scores, row by row. */
  readonly covariance: Float64Array;
}

/** If there are more candidates than this, the questions use a random sample of them. */
const MOST_ROWS = 1000;

/** The scores of a ranking. A missing score is replaced by the mean of its scorer. */
export function scoreTable(
  { matrix }: Ranking<unknown>,
  profile: Profile,
  entries: readonly ScorerEntry[],
  random: Random,
): ScoreTable {
  const logs = addsLogarithms(profile);
  const drawn = drawRows(matrix.index.length, random);
  const columns = entries.map(({ id }) => {
    const { resolved } = matrix.column(id);
    const own = Array.from(drawn, (row) => (logs ? Math.log(Math.max(resolved[row]!, 1e-6)) : resolved[row]!));
    const known = own.filter(Number.isFinite);
    const mean = known.reduce((sum, x) => sum + x, 0) / Math.max(1, known.length);
    return own.map((x) => (Number.isFinite(x) ? x : mean));
  });
  const [rows, width] = [drawn.length, entries.length];
  const scores = new Float64Array(rows * width);
  for (const [k, column] of columns.entries()) for (const [row, x] of column.entries()) scores[row * width + k] = x;
  return {
    rows,
    width,
    scores,
    index: Int32Array.from(drawn, (row) => matrix.index[row]!),
    covariance: covarianceOf(columns),
  };
}

function drawRows(count: number, random: Random): readonly number[] {
  const rows = Array.from({ length: count }, (_, row) => row);
  if (count <= MOST_ROWS) return rows;
  for (let k = 0; k < MOST_ROWS; k++) {
    const other = k + Math.floor(random() * (count - k));
    [rows[k], rows[other]] = [rows[other]!, rows[k]!];
  }
  return rows.slice(0, MOST_ROWS);
}

function covarianceOf(columns: readonly (readonly number[])[]): Float64Array {
  const centred = columns.map((column) => {
    const mean = column.reduce((sum, x) => sum + x, 0) / column.length;
    return column.map((x) => x - mean);
  });
  return Float64Array.from(
    centred.flatMap((a) => centred.map((b) => a.reduce((sum, x, row) => sum + x * b[row]!, 0) / a.length)),
  );
}

/** The best rows by some weights, best first. O(rows × (scorers + top)). */
export function bestByWeights(
  { rows, width, scores }: ScoreTable,
  weights: Float64Array,
  top: number,
): readonly number[] {
  const best: { readonly row: number; readonly total: number }[] = [];
  for (let row = 0; row < rows; row++) {
    let total = 0;
    for (let k = 0; k < width; k++) total += weights[k]! * scores[row * width + k]!;
    if (best.length === top && total <= best.at(-1)!.total) continue;
    let at = best.length;
    while (at > 0 && best[at - 1]!.total < total) at -= 1;
    best.splice(at, 0, { row, total });
    if (best.length > top) best.pop();
  }
  return best.map(({ row }) => row);
}

/** The score differences of a pair, by scorer, and the choice: 1 the first, 0 the second, 0.5 neither. */
interface Answer {
  readonly difference: Float64Array;
  readonly chosen: number;
}

/** A weight vector and the standard deviation of its weighted sums. */
interface Believed {
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
class Particles {
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
