import type { GroupSums } from '../significance/bootstrap.js';

/** Ratings of one unit: a candidate, or a pair of candidates. Undefined where a rater gave none. */
export interface RatedUnit {
  /** Units of one group are not independent, and are sampled together. */
  readonly group: string;
  readonly ratings: readonly (number | undefined)[];
  /** How much it counts. Default: 1. */
  readonly weight?: number;
}

/** Tables of pairs of ratings by group. Tables of several groups add up. */
export interface RatingTables {
  /** The different ratings, ascending: the rows and the columns of a table. */
  readonly grades: readonly number[];
  readonly groups: readonly GroupSums[];
  /** The number of units with two or more ratings, by weight. */
  readonly units: number;
}

/** The coincidences of the ratings of any number of raters, for Krippendorff's alpha. */
export const coincidences = (units: readonly RatedUnit[]): RatingTables =>
  tablesOf(units, (ratings, add) => {
    for (const [k, one] of ratings.entries())
      for (const [l, other] of ratings.entries()) if (k !== l) add(one, other, 1 / (ratings.length - 1));
  });

/** The ratings of the first rater by those of the second, for Cohen's kappa. */
export const contingencies = (units: readonly RatedUnit[]): RatingTables =>
  tablesOf(units, ([one, other], add) => add(one!, other!, 1));

type AddPair = (row: number, column: number, weight: number) => void;

function tablesOf(
  units: readonly RatedUnit[],
  addUnit: (ratings: readonly number[], add: AddPair) => void,
): RatingTables {
  const rated = units
    .map(({ group, ratings, weight = 1 }) => ({ group, weight, ratings: ratings.filter((one) => one !== undefined) }))
    .filter(({ ratings }) => ratings.length >= 2);
  const grades = [...new Set(rated.flatMap(({ ratings }) => ratings))].sort((a, b) => a - b);
  const placeOf = new Map(grades.map((grade, k) => [grade, k]));
  const groups = new Map<string, Map<number, number>>();
  for (const { group, ratings, weight: unitWeight } of rated) {
    const sums = groups.get(group) ?? new Map<number, number>();
    groups.set(group, sums);
    addUnit(ratings, (row, column, weight) => {
      const cell = placeOf.get(row)! * grades.length + placeOf.get(column)!;
      sums.set(cell, (sums.get(cell) ?? 0) + weight * unitWeight);
    });
  }
  const count = rated.reduce((sum, { weight }) => sum + weight, 0);
  return { grades, groups: [...groups.values()].map((sums) => [...sums]), units: count };
}
