import {
  type CostedRow,
  defineSelector,
  fewestCovering,
  largestFirst,
  type Optimality,
  type PackUnit,
  type ParamsOf,
  type Selector,
  type SelectorFunction,
  type SelectorLimits,
  type SelectorNote,
  type SelectorNotSelected,
  type SelectorResult,
  z,
} from '../../src/unit-sdk.js';
import { possibleUnits, type PriceBound, priceBound } from './pack-bound.js';
import { mergeComponents } from './pack-components.js';
import { fill, packGreedily } from './pack-greedy.js';
import {
  cheapest,
  mostValuable,
  NOT_PACKED,
  packProblem,
  type PackProblem,
  type Solution,
  totalsOf,
  unpackedClosure,
  versionsOf,
} from './pack-problem.js';
import { type SearchResult, searchBetter } from './pack-search.js';
import { solveByTable } from './pack-table.js';

type Params = ParamsOf<typeof GroupPack>;

/**
 * Packs the rows with the greatest sum of scores that it finds, and reports how much better another choice could be. It
 * keeps `keep_together`, `requires` and `variants`. A row with a score below 0 is packed only if others need it.
 *
 * It packs greedily by score and by density, takes the better of the two, and improves it by a table over whole costs, or by branch and bound. If the
 * search ends within its effort, the choice is optimal. If not, an upper bound limits the gap.
 */
export class GroupPack implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Packs the greatest sum of scores, in groups that are not split, and reports the gap to the optimum.',
    reads: 'params',
    contracts: true,
    params: z.strictObject({
      method: z
        .enum(['best', 'score', 'density'])
        .default('best')
        .describe(
          'best: the optimum if the search finds it. score: greedily, the best average score first. density: greedily, the best score per cost first.',
        ),
      effort: z
        .number()
        .int()
        .min(0)
        .default(20_000_000)
        .describe('The most comparisons of the search for the optimum. 0: only greedily.'),
    }),
    reasons: {
      too_large: 'it costs {cost}{with}, more than all of the {room} there is',
      no_room: 'it costs {cost}{with}, and {room} is left',
      no_gain: 'it would change the sum of scores by {score}{with}',
      shorter: 'a shorter version, which costs {cost} instead of {whole}',
      needed: '{by} needs it',
    },
  });

  prepare(params: Params): SelectorFunction {
    return (rows, limits) => pack(rows, limits, params);
  }
}

function pack(rows: readonly CostedRow[], limits: SelectorLimits, params: Params): SelectorResult {
  const { target, units = unitsOf(rows) } = limits;
  const problem = packProblem(units, target);
  const merged = mergeComponents(problem);
  const { solution: found, optimality } = solve(merged.problem, params);
  const solution = merged.expand(found);
  // Rows that score 0 do not change the sum, so the search may leave them out although they fit.
  fill(problem, solution, 'density');
  const versions = new Map<number, number>();
  for (const [unit, choice] of solution.entries()) {
    if (choice === NOT_PACKED) continue;
    for (const [index, version] of versionsOf(problem.units[unit]!.choices[choice]!)) versions.set(index, version);
  }
  const isPacked = (_: PackUnit, unit: number): boolean => solution[unit] !== NOT_PACKED;
  const kept = units.filter(isPacked).flatMap((unit) => unit.rows);
  const reasons = new NotPacked(problem, solution);
  return {
    kept: [...rows.filter((row) => row.pinned), ...kept],
    left: units.flatMap((unit, at) => (isPacked(unit, at) ? [] : unit.rows.map(({ index }) => reasons.of(at, index)))),
    notes: notesOf(problem, solution, versions),
    variants: versions,
    optimality,
  };
}

const unitsOf = (rows: readonly CostedRow[]): readonly PackUnit[] =>
  rows.filter((row) => !row.pinned).map((row) => ({ rows: [row], needs: [] }));

function solve(
  problem: PackProblem,
  { method, effort }: Params,
): { readonly solution: Solution; readonly optimality: Optimality } {
  const possible = possibleUnits(problem);
  const isPossible = (unit: number): boolean => possible[unit]!;
  const relaxed = priceBound(problem, isPossible);
  const orders = method === 'best' ? (['density', 'score'] as const) : [method];
  const passes = orders.map((order) => {
    const solution = packGreedily(problem, order);
    return { order, solution, value: totalsOf(problem, solution).value };
  });
  const best = passes.reduce((a, b) => (b.value > a.value ? b : a));
  const search =
    method === 'best' && effort > 0 ? searchBest(problem, relaxed, isPossible, best.value, effort) : undefined;
  const solution = search?.better ?? best.solution;
  if (search?.better) fill(problem, solution, best.order);
  const { value } = totalsOf(problem, solution);
  const bound = Math.max(relaxed.bound, value);
  return search?.isExact
    ? { solution, optimality: { method: 'exact', score: value, bound: value } }
    : { solution, optimality: { method: search?.better ? 'search' : best.order, score: value, bound } };
}

/** A decision of the search takes as long as some comparisons. */
const COMPARISONS_PER_DECISION = 200;

/** Solves by a table if the costs are whole and not too large, otherwise by branch and bound. */
function searchBest(
  problem: PackProblem,
  relaxed: PriceBound,
  isPossible: (unit: number) => boolean,
  known: number,
  effort: number,
): SearchResult {
  const solved = solveByTable(problem, relaxed, isPossible, known, effort);
  if (solved !== undefined) return { better: solved === 'known' ? undefined : solved, isExact: true };
  return searchBetter(problem, relaxed, isPossible, known, Math.floor(effort / COMPARISONS_PER_DECISION));
}

/** Why rows are packed, if their score is not the reason. */
function notesOf(
  { units }: PackProblem,
  solution: Solution,
  versions: ReadonlyMap<number, number>,
): readonly SelectorNote[] {
  return units.flatMap(({ rows, neededBy }, unit) => {
    if (solution[unit] === NOT_PACKED) return [];
    const by = neededBy.find((other) => solution[other] !== NOT_PACKED);
    return rows.flatMap((row): SelectorNote[] => {
      const { index, cost: whole, variants } = row;
      const version = versions.get(index);
      if (version !== undefined) return [{ index, reason: 'shorter', data: { cost: variants![version]!.cost, whole } }];
      return by === undefined ? [] : [{ index, reason: 'needed', data: { by: units[by]!.rows[0]!.id } }];
    });
  });
}

/** Explains why units are not packed. Each reason is computed when it is read. */
class NotPacked {
  readonly #room: number;
  /** The packed units, the largest first. The index is that of a unit. */
  #largest: readonly { readonly index: number; readonly cost: number }[] | undefined;

  constructor(
    private readonly problem: PackProblem,
    private readonly solution: Solution,
  ) {
    this.#room = problem.capacity - totalsOf(problem, solution).cost;
  }

  of(unit: number, index: number): SelectorNotSelected {
    const explain = (): SelectorNotSelected => (explained ??= this.#explain(unit, index));
    let explained: SelectorNotSelected | undefined;
    return {
      index,
      get reason() {
        return explain().reason;
      },
      get data() {
        return explain().data;
      },
      get replacedBy() {
        return explain().replacedBy;
      },
    };
  }

  #explain(unit: number, index: number): SelectorNotSelected {
    const { problem, solution } = this;
    const { units, capacity } = problem;
    const missing = unpackedClosure(problem, solution, unit) ?? [unit];
    const others = missing.flatMap((one) => units[one]!.rows).filter((row) => row.index !== index);
    const sum = (amountOf: (unit: PackProblem['units'][number]) => number): number =>
      missing.reduce((total, one) => total + amountOf(units[one]!), 0);
    const cost = sum((one) => cheapest(one).cost);
    const whole = sum((one) => mostValuable(one).value);
    const withOthers = withText(others.map(({ id }) => id));
    if (cost > capacity) return { index, reason: 'too_large', data: { cost, room: capacity, with: withOthers } };
    if (cost <= this.#room) return { index, reason: 'no_gain', data: { score: whole, with: withOthers } };
    const data = { cost, room: this.#room, with: withOthers };
    return { index, reason: 'no_room', data, replacedBy: this.#instead(unit, cost - this.#room) };
  }

  /** The rows of the fewest packed units, largest first, that use the room which a unit lacks. */
  #instead(unit: number, lacked: number): readonly number[] {
    const { units } = this.problem;
    this.#largest ??= largestFirst(
      Array.from(this.solution.entries()).flatMap(([packed, choice]) =>
        choice === NOT_PACKED ? [] : [{ index: packed, cost: units[packed]!.choices[choice]!.cost }],
      ),
    );
    const needed = new Set(this.problem.closures[unit]);
    const free = this.#largest.filter((one) => !needed.has(one.index));
    return fewestCovering(free, lacked).flatMap((one) => units[one.index]!.rows.map((row) => row.index));
  }
}

const NAMED = 3;

function withText(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '';
  return ` with ${ids.slice(0, NAMED).join(', ')}${more}`;
}
