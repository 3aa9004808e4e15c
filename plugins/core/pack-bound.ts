import { cheapest, type PackProblem, type Unit } from './pack-problem.js';

/**
 * An upper bound of the values of all solutions, by a price per unit of cost (Lagrangian relaxation). The units may be
 * judged one by one: each contributes its worth, value − price × cost, if that is above 0.
 */
export interface PriceBound {
  readonly bound: number;
  readonly price: number;
  /** By unit: what is added to its worth, because units share the cost of what they need. */
  readonly shifts: Float64Array;
}

/** Steps of the search for the best price. Each halves the interval, roughly. */
const STEPS = 60;

/** The best bound that a search for the price finds. Every price gives a valid bound. */
export function priceBound(problem: PackProblem, isPossible: (unit: number) => boolean): PriceBound {
  const { units, closures } = problem;
  const possible = Array.from(units.keys()).filter(isPossible);
  let most = 0;
  for (const unit of possible)
    for (const { cost, value } of units[unit]!.choices) if (cost > 0) most = Math.max(most, value / cost);
  const dependent = possible.filter((unit) => closures[unit]!.length > 0);
  const at = (price: number) => boundAt(problem, possible, dependent, price);
  let best = at(0);
  const take = (price: number): number => {
    const found = at(price);
    if (found.bound < best.bound) best = found;
    return found.bound;
  };
  // The bound is nearly convex in the price: golden section search, with the price that makes every unit worthless last.
  let [low, high] = [0, Number.isFinite(most) ? most : 0];
  take(high);
  let [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [boundA, boundB] = [take(a), take(b)];
  for (let step = 0; step < STEPS && high - low > high * 1e-12; step++) {
    if (boundA <= boundB) {
      [high, b, boundB] = [b, a, boundA];
      a = high - GOLDEN * (high - low);
      boundA = take(a);
    } else {
      [low, a, boundA] = [a, b, boundB];
      b = low + GOLDEN * (high - low);
      boundB = take(b);
    }
  }
  return best;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

function boundAt(
  { units, closures, capacity }: PackProblem,
  possible: readonly number[],
  dependents: readonly number[],
  price: number,
): PriceBound {
  const shifts = new Float64Array(units.length);
  const worth = new Float64Array(units.length);
  for (const unit of possible) worth[unit] = worthOf(units[unit]!, price);
  // A unit that needs a worthless one pays for it with its own worth. Any such payment gives a valid bound.
  for (const unit of dependents) {
    for (const other of closures[unit]!) {
      const paid = Math.min(worth[unit]!, -worth[other]!);
      if (!(paid > 0)) continue;
      worth[unit]! -= paid;
      worth[other]! += paid;
      shifts[unit]! -= paid;
      shifts[other]! += paid;
    }
  }
  let bound = price * capacity;
  for (const unit of possible) bound += Math.max(0, worth[unit]!);
  return { bound, price, shifts };
}

/** The most that a unit can be worth. If not all of its choices are known, each row has its best version. */
function worthOf({ choices, rows, isComplete }: Unit, price: number): number {
  let most = Number.NEGATIVE_INFINITY;
  if (isComplete) {
    for (const { cost, value } of choices) most = Math.max(most, value - price * cost);
    return most;
  }
  return rows.reduce((sum, { cost, score, variants = [] }) => {
    const worths = variants.map((variant) => variant.share * score - price * variant.cost);
    return sum + Math.max(score - price * cost, ...worths);
  }, 0);
}

/** Whether a unit can be packed at all: with the cheapest choices of the units that it needs, it fits. */
export function possibleUnits(problem: PackProblem): readonly boolean[] {
  const { units, closures, capacity } = problem;
  return units.map((unit, at) => {
    let { cost } = cheapest(unit);
    for (const one of closures[at]!) cost += cheapest(units[one]!).cost;
    return cost <= capacity;
  });
}
