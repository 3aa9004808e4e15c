import type { PriceBound } from './pack-bound.js';
import { mostValuable, NOT_PACKED, type PackProblem, type Solution } from './pack-problem.js';

/** The most cells, each of which is a byte. */
const MAX_CELLS = 40_000_000;

/**
 * Solves a problem by a table over units and whole costs (dynamic programming). Units that cannot be in a solution better
 * than the known one are left out, and those that must be are packed first.
 *
 * @param known the best known value
 * @param effort the most comparisons
 * @returns the best solution; `known` if none is better than the known one; undefined if a table cannot solve it
 */
export function solveByTable(
  { units, capacity }: PackProblem,
  { bound, price }: PriceBound,
  isPossible: (unit: number) => boolean,
  known: number,
  effort: number,
): Solution | 'known' | undefined {
  const isSolvable = units.every(
    ({ needs, isComplete, choices }) =>
      needs.length === 0 && isComplete && choices.length < 255 && choices.every(({ cost }) => Number.isInteger(cost)),
  );
  if (!isSolvable) return undefined;
  const slack = bound - known;
  const solution: Solution = new Int32Array(units.length).fill(NOT_PACKED);
  const open: number[] = [];
  let [cost, value] = [0, 0];
  for (const [unit, { choices }] of units.entries()) {
    if (!isPossible(unit)) continue;
    const worth = Math.max(...choices.map((choice) => choice.value - price * choice.cost));
    if (worth > slack && choices.length === 1) {
      solution[unit] = 0;
      cost += choices[0]!.cost;
      value += choices[0]!.value;
    } else if (worth >= -slack) open.push(unit);
  }
  if (!(cost <= capacity)) return 'known';
  // A table for more room than the open units can fill would only take memory.
  const room = Math.floor(
    Math.min(
      capacity - cost,
      open.reduce((sum, unit) => sum + mostValuable(units[unit]!).cost, 0),
    ),
  );
  const width = room + 1;
  const comparisons = open.reduce((sum, unit) => sum + units[unit]!.choices.length * width, 0);
  if (!(comparisons <= effort) || open.length * width > MAX_CELLS) return undefined;
  const best = new Float64Array(width);
  const taken = new Uint8Array(open.length * width);
  for (const [k, unit] of open.entries()) {
    const { choices } = units[unit]!;
    // From the largest room down, so that each cell reads those without this unit.
    for (let at = room; at >= 0; at--) {
      let most = best[at]!;
      for (let choice = 0; choice < choices.length; choice++) {
        const one = choices[choice]!;
        if (one.cost > at) break;
        const sum = best[at - one.cost]! + one.value;
        if (sum <= most) continue;
        most = sum;
        taken[k * width + at] = choice + 1;
      }
      best[at] = most;
    }
  }
  if (!(value + best[room]! > known)) return 'known';
  for (let [k, at] = [open.length - 1, room]; k >= 0; k--) {
    const choice = taken[k * width + at]! - 1;
    if (choice < 0) continue;
    solution[open[k]!] = choice;
    at -= units[open[k]!]!.choices[choice]!.cost;
  }
  return solution;
}
