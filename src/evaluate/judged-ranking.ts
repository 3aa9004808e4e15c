/** One query's ranking, as measures read it. */
export interface JudgedRanking {
  /** By rank, best first: the grade of what is there; undefined where it was not judged. Below 0: looked at, not judged. */
  readonly grades: readonly (number | undefined)[];
  /** The grades of all judgements of the query, whether they were ranked or not, in any order. */
  readonly judgements: readonly number[];
}

/** The first ranks of a ranking. What is judged stays: a cut does not make a query easier. */
export const cutTo = (ranking: JudgedRanking, cut: number | undefined): JudgedRanking =>
  cut === undefined || cut >= ranking.grades.length ? ranking : { ...ranking, grades: ranking.grades.slice(0, cut) };
