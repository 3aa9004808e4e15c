import { type Random, seededRandom } from '../../evaluate/significance/random.js';
import type { Interval } from '../../evaluate/significance/intervals.js';
import { type Answer, Particles } from './particles.js';
import { type ScoreTable, topRows } from './score-table.js';

/** Two rows of which a person says which comes first. */
export interface Pair {
  readonly a: number;
  readonly b: number;
}

/** The first, the second, or neither before the other. */
export type Choice = 'a' | 'b' | 'same';

const PARTICLES = 400;
/** So many pairs are compared for the one that teaches most. */
const PAIRS = 400;
const CHOSEN: Readonly<Record<Choice, number>> = { a: 1, b: 0, same: 0.5 };
/**
 * Every fifth question is one whose answer seems known. Those that teach most are those whose answer cannot be foreseen,
 * so that by them alone no answer would ever be a surprise.
 */
const CHECK_EVERY = 5;
const SEEMS_KNOWN = 0.85;
/** An answer that what was learnt from all of them expects less than this contradicts the others; one of a near tie does not. */
const CONTRADICTED = 0.4;

/**
 * Learns weights from choices. It asks for the pair about which the vectors that are still likely disagree most, though
 * each of them is sure (BALD, Houlsby et al. 2011).
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

  /** The weights that are believed, which sum to 1. */
  get weights(): Float64Array {
    return this.#particles.mean;
  }

  /** By weight: where it lies with some probability. */
  likely(probability: number): readonly Interval[] {
    return this.#particles.likely(probability);
  }

  /** How much of the top the likely vectors agree on: 1 where all have the same. */
  get agreement(): number {
    const top = new Set(topRows(this.table, this.weights, this.top));
    const { vectors, likelihoods } = this.#particles;
    return vectors.reduce((sum, vector, p) => {
      const shared = topRows(this.table, vector.weights, this.top).filter((row) => top.has(row)).length;
      return sum + (shared / top.size) * likelihoods[p]!;
    }, 0);
  }

  /** The answers that contradict what all of them together say, by their order. */
  get contradictions(): readonly number[] {
    const { vectors, likelihoods } = this.#particles;
    const fits = ({ difference, chosen }: Answer): number => {
      if (chosen === 0.5) return 1;
      const first = vectors.reduce((sum, one, p) => sum + this.#particles.chance(one, difference) * likelihoods[p]!, 0);
      return chosen === 1 ? first : 1 - first;
    };
    return [...this.#asked.keys()].filter((k) => fits(this.#asked[k]!.answer) < CONTRADICTED);
  }

  /** The pair that teaches most, or now and then one that checks what was learnt. */
  question(): Pair {
    const rows = this.#contenders();
    const isCheck = this.#asked.length % CHECK_EVERY === CHECK_EVERY - 1;
    let best: Pair = { a: 0, b: Math.min(1, this.table.rows - 1) };
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < PAIRS; k++) {
      // Half of them among those that may be at the top, half among all.
      const pool = k % 2 === 0 ? rows : undefined;
      const [a, b] = [this.#draw(pool), this.#draw(pool)];
      if (a === b || this.#wasAsked(a, b)) continue;
      const { mean, information } = this.#expected(a, b);
      const taught = isCheck && Math.max(mean, 1 - mean) < SEEMS_KNOWN ? information - 1 : information;
      if (taught > most) [best, most] = [{ a, b }, taught];
    }
    return best;
  }

  answer(pair: Pair, choice: Choice): void {
    const answer = { difference: this.#difference(pair.a, pair.b), chosen: CHOSEN[choice] };
    this.#asked.push({ pair, answer });
    this.#particles.learn(answer);
  }

  /** The rows that any likely vector has at the top. */
  #contenders(): readonly number[] {
    const rows = new Set<number>();
    for (const [p, vector] of this.#particles.vectors.entries())
      if (p % 8 === 0) for (const row of topRows(this.table, vector.weights, this.top)) rows.add(row);
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
   * How likely the first is taken, and what the answer would tell of the weights, in nats: the entropy of the mean, less
   * the mean of the entropies.
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
