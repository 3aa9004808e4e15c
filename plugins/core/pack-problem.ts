import type { CostedRow, PackUnit } from '../../src/unit-sdk.js';

/** One way to pack a unit: a version of each row. */
export interface Choice {
  readonly cost: number;
  /** The sum of the scores, each by the share of its version. */
  readonly value: number;
  /** The rows that are not whole; undefined if all are. */
  readonly versions: Versions | undefined;
}

/** A linked list, because choices share most of their versions. */
export interface Versions {
  readonly index: number;
  readonly version: number;
  readonly before: Versions | undefined;
}

/** A unit with its choices. */
export interface Unit {
  readonly rows: readonly CostedRow[];
  /** By rising cost; each has a greater value than the one before it. */
  readonly choices: readonly Choice[];
  readonly needs: readonly number[];
  /** The units that need it. */
  readonly neededBy: readonly number[];
  /** False if it has too many choices, so that some are missing. */
  readonly isComplete: boolean;
}

/** The units to choose from, and the capacity. The sum of the values of the chosen units is to be maximal. */
export interface PackProblem {
  readonly units: readonly Unit[];
  readonly capacity: number;
  /** By unit: the other units that it needs, directly or through others. Only the direct ones if there are too many. */
  readonly closures: readonly (readonly number[])[];
}

/** By unit: the position of its choice, or −1 if it is not packed. */
export type Solution = Int32Array;

export const NOT_PACKED = -1;

/** The most choices of a unit: the number of combinations of versions grows exponentially. */
const MAX_CHOICES = 32;

export function packProblem(units: readonly PackUnit[], capacity: number): PackProblem {
  const neededBy = units.map((): number[] => []);
  for (const [unit, { needs }] of units.entries()) for (const other of needs) neededBy[other]!.push(unit);
  return {
    capacity,
    closures: closuresOf(units),
    units: units.map(({ rows, needs }, k) => ({ rows, needs, neededBy: neededBy[k]!, ...choicesOf(rows) })),
  };
}

function choicesOf(rows: readonly CostedRow[]): Pick<Unit, 'choices' | 'isComplete'> {
  let choices: readonly Choice[] = [{ cost: 0, value: 0, versions: undefined }];
  let isComplete = true;
  for (const { index, cost, score, variants = [] } of rows) {
    const versions = [
      { cost, value: score, version: -1 },
      ...variants.map((variant, version) => ({ cost: variant.cost, value: variant.share * score, version })),
    ];
    const next = choices.flatMap((choice) =>
      versions.map((one) => ({
        cost: choice.cost + one.cost,
        value: choice.value + one.value,
        versions: one.version < 0 ? choice.versions : { index, version: one.version, before: choice.versions },
      })),
    );
    const best = versions.length === 1 ? next : undominated(next);
    choices = best.length > MAX_CHOICES ? spread(best) : best;
    isComplete &&= best.length <= MAX_CHOICES;
  }
  return { choices, isComplete };
}

/** The choices that no other one beats in both cost and value, by rising cost. */
export function undominated<C extends Choice>(choices: readonly C[]): readonly C[] {
  const sorted = choices.toSorted((a, b) => a.cost - b.cost || b.value - a.value);
  let best = Number.NEGATIVE_INFINITY;
  return sorted.filter(({ value }, k) => {
    const isBetter = value > best || k === 0;
    best = Math.max(best, value);
    return isBetter;
  });
}

/** Some choices from the cheapest to the best, evenly. */
const spread = (choices: readonly Choice[]): readonly Choice[] =>
  Array.from({ length: MAX_CHOICES }, (_, k) => choices[Math.round((k * (choices.length - 1)) / (MAX_CHOICES - 1))]!);

export const cheapest = ({ choices }: Unit): Choice => choices[0]!;
export const mostValuable = ({ choices }: Unit): Choice => choices.at(-1)!;

/** The most numbers in closures: a chain of units has half the square of its length. */
const MAX_CLOSURE_SIZE = 1_000_000;

function closuresOf(units: readonly PackUnit[]): readonly (readonly number[])[] {
  let size = 0;
  const closures: (readonly number[])[] = [];
  for (const [unit, { needs }] of units.entries()) {
    const closure = new Set(needs);
    for (const one of closure) for (const other of units[one]!.needs) closure.add(other);
    closures[unit] = [...closure];
    size += closure.size;
    if (size > MAX_CLOSURE_SIZE) return units.map((one) => one.needs);
  }
  return closures;
}

/** A unit and the units that it needs which are not packed, as long as their cheapest choices fit. */
export function unpackedClosure(
  { units }: PackProblem,
  solution: Solution,
  unit: number,
  room = Number.POSITIVE_INFINITY,
): readonly number[] | undefined {
  const closure = new Set([unit]);
  let cost = 0;
  for (const one of closure) {
    cost += cheapest(units[one]!).cost;
    if (!(cost <= room)) return undefined;
    for (const other of units[one]!.needs) if (solution[other] === NOT_PACKED) closure.add(other);
  }
  return [...closure];
}

/** The cost and the value of a solution. */
export function totalsOf(
  { units }: PackProblem,
  solution: Solution,
): { readonly cost: number; readonly value: number } {
  let [cost, value] = [0, 0];
  for (const [unit, choice] of solution.entries()) {
    if (choice === NOT_PACKED) continue;
    const chosen = units[unit]!.choices[choice]!;
    cost += chosen.cost;
    value += chosen.value;
  }
  return { cost, value };
}

/** By `index` of a row: its version, for the rows of a choice that are not whole. */
export function* versionsOf({ versions }: Choice): Generator<readonly [index: number, version: number], void> {
  for (let one = versions; one; one = one.before) yield [one.index, one.version];
}
