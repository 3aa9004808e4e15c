/** The points of a curve, by x. */
export type CurvePoints = readonly (readonly [x: number, y: number])[];

/** How many points `CurveScorer` needs. */
export const FEWEST_POINTS = 2;
/** More than anybody draws. */
export const MOST_POINTS = 1000;

/** An entry that reads a curve. */
export interface CurveData {
  /** As the profile writes them. */
  readonly points: CurvePoints;
  /** The numbers that it is read at, by position of the candidate; null where there is none. */
  readonly xs: readonly (number | null)[];
}

/** What a param can be set to in a page: a number, or the points of a curve. */
export type ParamValue = number | CurvePoints;

/** Whether two params are set to the same. */
export const isSameParam = (a: ParamValue | undefined, b: ParamValue | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
