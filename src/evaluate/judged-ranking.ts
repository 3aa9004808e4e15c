/** One query's ranking, as measures read it. */
export interface JudgedRanking {
  /** By rank, best first: the grade of what is there; undefined where it was not judged. Below 0: looked at, not judged. */
  readonly grades: readonly (number | undefined)[];
  /** The grades of all judgements of the query, whether they were ranked or not, in any order. */
  readonly judgements: readonly number[];
  /**
   * The sizes of the groups of tied ranks, best first, as `Ranking.tieSizes` has them. A measure is then the mean over all
   * orders of the tied. Every rank is its own group when not given.
   */
  readonly ties?: ArrayLike<number> | undefined;
}

/** Ranks that are tied, most often one. */
export interface TieGroup {
  /** How many ranks are before it. */
  readonly from: number;
  readonly size: number;
  /** How many of its ranks are within the cut. */
  readonly shown: number;
  readonly grades: readonly (number | undefined)[];
}

/** The groups of tied ranks, best first, down to a cut. */
export function* tieGroups(
  { grades, ties }: Pick<JudgedRanking, 'grades' | 'ties'>,
  cut = grades.length,
): Generator<TieGroup> {
  const end = Math.min(cut, grades.length);
  for (let from = 0, group = 0; from < end; group++) {
    const size = ties ? ties[group]! : 1;
    yield { from, size, shown: Math.min(size, end - from), grades: grades.slice(from, from + size) };
    from += size;
  }
}

/** Whether tied ranks have different grades within a cut, so that their order decides the value of a measure. */
export function doTiesDecide(ranking: Pick<JudgedRanking, 'grades' | 'ties'>, cut?: number): boolean {
  if (!ranking.ties) return false;
  for (const { size, grades } of tieGroups(ranking, cut)) {
    if (size > 1 && grades.some((grade) => Math.max(0, grade ?? 0) !== Math.max(0, grades[0] ?? 0))) return true;
  }
  return false;
}

/** The share of the first ranks that is judged; of tied ranks that a cut divides, the mean. NaN where nothing is ranked. */
export function judgedShare(ranking: Pick<JudgedRanking, 'grades' | 'ties'>, cut?: number): number {
  let [judged, ranks] = [0, 0];
  for (const { size, shown, grades } of tieGroups(ranking, cut)) {
    judged += (grades.filter((grade) => grade !== undefined && grade >= 0).length * shown) / size;
    ranks += shown;
  }
  return judged / ranks;
}

/** By n: the logarithm of n!, as far as it was needed. */
const LOG_FACTORIALS = [0];

function logFactorial(n: number): number {
  for (let k = LOG_FACTORIALS.length; k <= n; k++) LOG_FACTORIALS.push(LOG_FACTORIALS[k - 1]! + Math.log(k));
  return LOG_FACTORIALS[n]!;
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/** The probability that `drawn` of `size` items, drawn without replacement, hold `found` of the `marked` ones. */
export function hypergeometric(found: number, drawn: number, marked: number, size: number): number {
  if (found < 0 || found > marked || drawn - found < 0 || drawn - found > size - marked) return 0;
  return Math.exp(logChoose(marked, found) + logChoose(size - marked, drawn - found) - logChoose(size, drawn));
}
