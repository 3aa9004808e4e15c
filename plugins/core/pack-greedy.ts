import {
  cheapest,
  type Choice,
  mostValuable,
  NOT_PACKED,
  type PackProblem,
  type Solution,
  unpackedClosure,
} from './pack-problem.js';

/** The orders in which a greedy pass tries the units. */
export type GreedyOrder = 'score' | 'density';

/**
 * Packs units in order, each with the units that it needs, if they fit and do not lower the sum of scores. A unit whose
 * best choice does not fit gets a cheaper one.
 */
export function packGreedily(problem: PackProblem, order: GreedyOrder): Solution {
  const solution: Solution = new Int32Array(problem.units.length).fill(NOT_PACKED);
  fill(problem, solution, order);
  return solution;
}

/** Adds to a solution what still fits: larger versions of packed units first, then other units. */
export function fill(problem: PackProblem, solution: Solution, order: GreedyOrder): void {
  let room = problem.capacity - costOf(problem, solution);
  room = enlarge(problem, solution, room);
  for (const unit of tryingOrder(problem, order)) {
    if (solution[unit] !== NOT_PACKED) continue;
    const missing = unpackedClosure(problem, solution, unit, room);
    const choices = missing && choicesThatFit(problem, missing, room);
    if (!choices) continue;
    let [cost, value] = [0, 0];
    for (const [k, one] of missing.entries()) {
      const choice = problem.units[one]!.choices[choices[k]!]!;
      cost += choice.cost;
      value += choice.value;
    }
    if (!(value >= 0)) continue;
    for (const [k, one] of missing.entries()) solution[one] = choices[k]!;
    room -= cost;
  }
  enlarge(problem, solution, room);
}

const costOf = ({ units }: PackProblem, solution: Solution): number => {
  let cost = 0;
  for (const [unit, choice] of solution.entries())
    if (choice !== NOT_PACKED) cost += units[unit]!.choices[choice]!.cost;
  return cost;
};

/** Replaces choices by more valuable ones that fit. Returns the room that is left. */
function enlarge({ units }: PackProblem, solution: Solution, room: number): number {
  let left = room;
  for (const [unit, choice] of solution.entries()) {
    if (choice === NOT_PACKED) continue;
    const { choices } = units[unit]!;
    const most = choices[choice]!.cost + left;
    const better = choices.findLastIndex(({ cost }, k) => k > choice && cost <= most);
    if (better < 0) continue;
    left -= choices[better]!.cost - choices[choice]!.cost;
    solution[unit] = better;
  }
  return left;
}

/** By unit: the position of a choice, so that all fit, the first ones as valuable as possible; undefined if none do. */
function choicesThatFit(
  { units }: PackProblem,
  needed: readonly number[],
  room: number,
): readonly number[] | undefined {
  let spare = room - needed.reduce((sum, unit) => sum + cheapest(units[unit]!).cost, 0);
  if (!(spare >= 0)) return undefined;
  return needed.map((unit) => {
    const { choices } = units[unit]!;
    const least = choices[0]!.cost;
    const at = choices.findLastIndex(({ cost }) => cost - least <= spare);
    spare -= choices[at]!.cost - least;
    return at;
  });
}

/** The units by falling average score, or by falling score per cost, each counted with the units that it needs. */
function tryingOrder({ units, closures }: PackProblem, order: GreedyOrder): readonly number[] {
  const keyed = units.map((unit, at) => {
    if (order === 'score') return { at, key: mostValuable(unit).value / unit.rows.length };
    return { at, key: densityOf([at, ...closures[at]!].map((one) => mostValuable(units[one]!))) };
  });
  // Compare instead of subtracting: two infinite keys are equal.
  return keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? 1 : -1)).map(({ at }) => at);
}

function densityOf(choices: readonly Choice[]): number {
  let [cost, value] = [0, 0];
  for (const choice of choices) {
    cost += choice.cost;
    value += choice.value;
  }
  return cost === 0 ? (value < 0 ? Number.NEGATIVE_INFINITY : Number.MAX_VALUE) : value / cost;
}
