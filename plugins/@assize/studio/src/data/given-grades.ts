/** A grade that a person gave in a studio, by the number of the query and the position of the candidate; null removes one. */
export type GivenGrade = readonly [query: number, position: number, grade: number | null];

/** The grades that people gave in a studio, as their file has them now. */
export interface GradesState {
  /** The name of the file. */
  readonly file: string;
  /** The version of the file; absent if it does not exist. */
  readonly version?: string;
  /** Why items cannot be graded. */
  readonly problem?: string;
  readonly given: readonly GivenGrade[];
}

/** The answer to a new grade. */
export interface GradeReply extends GradesState {
  /** Why the grade was not written: the file has another one than the page showed. */
  readonly conflict?: string;
}

/** A grade to write. */
export interface NewGrade {
  readonly query: number;
  readonly position: number;
  /** null removes the grade. */
  readonly grade: number | null;
  /** The grade that the page shows. If the file has another one, nothing is written. */
  readonly was: number | null;
}

/** The part of a query's data that grades are about. */
interface Graded {
  readonly candidates: readonly object[];
  readonly grades?: readonly (number | null)[];
}

/** The data of a query with the grades that people gave. They replace those of the data. */
export function withGiven<D extends Graded>(data: D, given: readonly GivenGrade[], query: number): D {
  const own = given.filter(([of]) => of === query);
  if (own.length === 0) return data;
  const grades = data.grades ? [...data.grades] : data.candidates.map(() => null);
  for (const [, position, grade] of own) grades[position] = grade;
  return { ...data, grades };
}
