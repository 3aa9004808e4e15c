import {
  type Choice,
  NOT_PACKED,
  type PackProblem,
  type Solution,
  undominated,
  type Unit,
  type Versions,
} from './pack-problem.js';

/** A problem in which small sets of units that need one another are single units. */
export interface MergedProblem {
  readonly problem: PackProblem;
  /** The same solution, by the units of the original problem. */
  expand(solution: Solution): Solution;
}

/** The most units of a set, and the most ways to pack it, that are listed. */
const MAX_UNITS = 12;
const MAX_WAYS = 2000;

/** A way to pack a set of units: the choice of each, or −1. */
interface Way extends Choice {
  readonly packed: readonly number[];
}

/**
 * Lists the ways to pack each small set of units that need one another. The set is then one unit without
 * needs, so that bounds are tight and a table can solve the problem.
 */
export function mergeComponents(problem: PackProblem): MergedProblem {
  const sets = connected(problem.units);
  if (sets.length === problem.units.length) return { problem, expand: (solution) => solution };
  const merged: {
    readonly unit: Unit;
    readonly members: readonly number[];
    readonly ways: readonly Way[] | undefined;
  }[] = [];
  for (const members of sets) {
    const ways = members.length > 1 ? waysOf(problem, members) : undefined;
    if (!ways) {
      for (const one of members) merged.push({ unit: problem.units[one]!, members: [one], ways: undefined });
      continue;
    }
    const rows = members.flatMap((one) => problem.units[one]!.rows);
    const isComplete = members.every((one) => problem.units[one]!.isComplete);
    merged.push({ unit: { rows, choices: ways, needs: [], neededBy: [], isComplete }, members, ways });
  }
  const placeOf = new Map(merged.flatMap(({ members, ways }, at) => (ways ? [] : [[members[0]!, at] as const])));
  const placesOf = (units: readonly number[]): readonly number[] => units.map((one) => placeOf.get(one)!);
  return {
    problem: {
      capacity: problem.capacity,
      units: merged.map(({ unit }) => ({ ...unit, needs: placesOf(unit.needs), neededBy: placesOf(unit.neededBy) })),
      closures: merged.map(({ members, ways }) => (ways ? [] : placesOf(problem.closures[members[0]!]!))),
    },
    expand: (solution) => {
      const expanded: Solution = new Int32Array(problem.units.length).fill(NOT_PACKED);
      for (const [at, choice] of solution.entries()) {
        if (choice === NOT_PACKED) continue;
        const { members, ways } = merged[at]!;
        for (const [k, one] of members.entries()) expanded[one] = ways ? ways[choice]!.packed[k]! : choice;
      }
      return expanded;
    },
  };
}

/** The sets of units that need one another, in either direction. */
function connected(units: readonly Unit[]): readonly (readonly number[])[] {
  const seen = new Uint8Array(units.length);
  const sets: (readonly number[])[] = [];
  for (const unit of units.keys()) {
    if (seen[unit] === 1) continue;
    const set = new Set([unit]);
    for (const one of set) for (const other of [...units[one]!.needs, ...units[one]!.neededBy]) set.add(other);
    for (const one of set) seen[one] = 1;
    sets.push([...set]);
  }
  return sets;
}

/** The ways to pack a set, without the empty one; undefined if there are too many. */
function waysOf({ units, capacity }: PackProblem, members: readonly number[]): readonly Way[] | undefined {
  if (members.length > MAX_UNITS) return undefined;
  const placeOf = new Map(members.map((one, k) => [one, k]));
  const ways: Way[] = [];
  const packed = members.map(() => NOT_PACKED);
  let isTooLarge = false;
  const walk = (k: number, cost: number, value: number, versions: Versions | undefined): void => {
    if (isTooLarge || cost > capacity) return;
    if (k === members.length) {
      const isClosed = members.every(
        (one, at) =>
          packed[at] === NOT_PACKED || units[one]!.needs.every((other) => packed[placeOf.get(other)!] !== NOT_PACKED),
      );
      if (isClosed && packed.some((choice) => choice !== NOT_PACKED))
        ways.push({ cost, value, versions, packed: [...packed] });
      isTooLarge = ways.length > MAX_WAYS;
      return;
    }
    walk(k + 1, cost, value, versions);
    for (const [at, choice] of units[members[k]!]!.choices.entries()) {
      packed[k] = at;
      walk(k + 1, cost + choice.cost, value + choice.value, versions);
    }
    packed[k] = NOT_PACKED;
  };
  walk(0, 0, 0, undefined);
  return isTooLarge || ways.length === 0 ? undefined : undominated(ways);
}
