import type { PriceBound } from './pack-bound.js';
import { cheapest, NOT_PACKED, type PackProblem, type Solution } from './pack-problem.js';

/** A unit without a decision. */
const OPEN = -3;
/** A unit that must be packed, because another one needs it. Its choice is open. */
const REQUIRED = -2;

/** The most units to decide one by one, because each is a level of recursion. */
const MAX_DEPTH = 2000;

/** Sums of scores that differ by less are equal. */
const PRECISION = 1e-12;

export interface SearchResult {
  /** A solution that is better than the given one; undefined if none was found. */
  readonly better: Solution | undefined;
  /** Whether no solution is better than the result. */
  readonly isExact: boolean;
}

/**
 * Branch and bound: decides unit by unit, those with the clearest worth first, and skips each part of the tree whose
 * bound is not above the best known value.
 *
 * @param known the best known value
 * @param steps the most decisions to try
 */
export function searchBetter(
  problem: PackProblem,
  relaxed: PriceBound,
  isPossible: (unit: number) => boolean,
  known: number,
  steps: number,
): SearchResult {
  return new Search(problem, relaxed, known, steps).run(isPossible);
}

class Search {
  readonly #units: PackProblem['units'];
  readonly #state: Int32Array;
  /** By unit and choice: the worth at the price. */
  readonly #worths: readonly (readonly number[])[];
  /** By unit: the greatest of its worths. */
  readonly #best: Float64Array;
  readonly #trail: number[] = [];
  readonly #capacity: number;
  #steps: number;
  #known: number;
  #found: Solution | undefined;
  /** The least cost of the units that are packed or required. */
  #cost = 0;
  /** The bound: the price of the capacity, and the worths of the units that are not skipped. */
  #bound: number;
  #value = 0;

  constructor(problem: PackProblem, { price, shifts }: PriceBound, known: number, steps: number) {
    const { units, capacity } = problem;
    this.#units = units;
    this.#capacity = capacity;
    this.#known = known;
    this.#steps = steps;
    this.#state = new Int32Array(units.length).fill(OPEN);
    this.#worths = units.map(({ choices }, unit) =>
      choices.map(({ cost, value }) => value - price * cost + shifts[unit]!),
    );
    this.#best = Float64Array.from(this.#worths, (worths) => Math.max(...worths));
    this.#bound = price * capacity;
    for (let unit = 0; unit < units.length; unit++) this.#bound += Math.max(0, this.#best[unit]!);
  }

  run(isPossible: (unit: number) => boolean): SearchResult {
    let isOpen = true;
    for (const unit of this.#units.keys()) if (!isPossible(unit)) isOpen &&= this.#skip(unit);
    const order = this.#fixClear();
    if (!order) return this.#result(true);
    if (order.length > MAX_DEPTH) return this.#result(false);
    return this.#result(this.#decide(order, 0));
  }

  #result(isDone: boolean): SearchResult {
    return { better: this.#found, isExact: isDone && this.#units.every(({ isComplete }) => isComplete) };
  }

  /**
   * Decides the units for which one decision alone lowers the bound to the known value, and orders the others.
   *
   * @returns undefined if no decision can lead to a better solution
   */
  #fixClear(): readonly number[] | undefined {
    const order = Array.from(this.#units.keys(), (unit) => ({ unit, clarity: Math.abs(this.#best[unit]!) }))
      .sort((a, b) => b.clarity - a.clarity)
      .map(({ unit }) => unit);
    for (const unit of order) {
      if (this.#state[unit] !== OPEN || this.#isHopeful(Math.abs(this.#best[unit]!))) continue;
      const isFixed = this.#best[unit]! > 0 ? this.#require(unit) : this.#skip(unit);
      if (!isFixed || !this.#isHopeful()) return undefined;
    }
    return order.filter((unit) => this.#state[unit] === OPEN || this.#state[unit] === REQUIRED);
  }

  /** Whether a better solution may exist, after the bound falls by an amount. */
  #isHopeful(less = 0): boolean {
    return this.#bound - less > this.#known + Math.abs(this.#known) * PRECISION && this.#cost <= this.#capacity;
  }

  /** Decides the units from a position on. Returns false if the steps are used up. */
  #decide(order: readonly number[], from: number): boolean {
    let at = from;
    while (at < order.length && this.#state[order[at]!] !== OPEN && this.#state[order[at]!] !== REQUIRED) at += 1;
    const unit = order[at];
    if (unit === undefined) {
      // The bound includes the price of the capacity that is left.
      if (!(this.#value > this.#known)) return true;
      this.#known = this.#value;
      this.#found = this.#state.map((choice) => Math.max(choice, NOT_PACKED));
      return true;
    }
    const canSkip = this.#state[unit] === OPEN;
    const worths = this.#worths[unit]!;
    const options = Array.from(worths.keys());
    if (canSkip) options.push(NOT_PACKED);
    const worthOf = (choice: number): number => (choice === NOT_PACKED ? 0 : worths[choice]!);
    options.sort((a, b) => worthOf(b) - worthOf(a));
    for (const choice of options) {
      this.#steps -= 1;
      if (this.#steps < 0) return false;
      const [cost, bound, value, mark] = [this.#cost, this.#bound, this.#value, this.#trail.length];
      const isAllowed = choice === NOT_PACKED ? this.#skip(unit) : this.#pack(unit, choice);
      const isDone = !isAllowed || !this.#isHopeful() || this.#decide(order, at + 1);
      [this.#cost, this.#bound, this.#value] = [cost, bound, value];
      while (this.#trail.length > mark) {
        const state = this.#trail.pop()!;
        this.#state[this.#trail.pop()!] = state;
      }
      if (!isDone) return false;
    }
    return true;
  }

  #set(unit: number, state: number): void {
    this.#trail.push(unit, this.#state[unit]!);
    this.#state[unit] = state;
  }

  #pack(unit: number, choice: number): boolean {
    if (!this.#require(unit)) return false;
    const { cost, value } = this.#units[unit]!.choices[choice]!;
    this.#set(unit, choice);
    this.#cost += cost - cheapest(this.#units[unit]!).cost;
    this.#bound += this.#worths[unit]![choice]! - this.#best[unit]!;
    this.#value += value;
    return true;
  }

  /** Requires a unit and the units that it needs. Returns false if one of them is skipped. */
  #require(unit: number): boolean {
    const open = [unit];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      const state = this.#state[one]!;
      if (state === NOT_PACKED) return false;
      if (state !== OPEN) continue;
      this.#set(one, REQUIRED);
      this.#cost += cheapest(this.#units[one]!).cost;
      this.#bound += Math.min(0, this.#best[one]!);
      open.push(...this.#units[one]!.needs);
    }
    return true;
  }

  /** Skips a unit and the units that need it. Returns false if one of them is packed or required. */
  #skip(unit: number): boolean {
    const open = [unit];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      const state = this.#state[one]!;
      if (state === NOT_PACKED) continue;
      if (state !== OPEN) return false;
      this.#set(one, NOT_PACKED);
      this.#bound -= Math.max(0, this.#best[one]!);
      open.push(...this.#units[one]!.neededBy);
    }
    return true;
  }
}
