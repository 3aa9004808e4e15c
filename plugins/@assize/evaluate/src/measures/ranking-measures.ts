/** The ranking of one query, as the input of a measure. */
export interface JudgedRanking {
  /** The grade at each rank, best first; undefined if not judged. A grade below 0 is in the pool but not judged. */
  readonly grades: readonly (number | undefined)[];
  /** All grades of the query, ranked or not, in any order. */
  readonly judgements: readonly number[];
  /**
   * The sizes of the groups of tied ranks, best first, as in `Ranking.tieSizes`. The value of a measure is then the mean
   * over all orders of tied ranks. Default: no ties.
   */
  readonly ties?: ArrayLike<number> | undefined;
}

/** A group of tied ranks; most groups have one rank. */
interface TieGroup {
  /** The number of ranks before the group. */
  readonly from: number;
  readonly size: number;
  /** The number of its ranks within the cut. */
  readonly shown: number;
  readonly grades: readonly (number | undefined)[];
}

/** The groups of tied ranks, best first, down to a cut. A list, because a generator takes three times as long. */
function tieGroups({ grades, ties }: Pick<JudgedRanking, 'grades' | 'ties'>, cut = grades.length): readonly TieGroup[] {
  const end = Math.min(cut, grades.length);
  const groups: TieGroup[] = [];
  for (let from = 0; from < end; ) {
    const size = ties ? ties[groups.length]! : 1;
    const own = size === 1 ? [grades[from]] : grades.slice(from, from + size);
    groups.push({ from, size, shown: Math.min(size, end - from), grades: own });
    from += size;
  }
  return groups;
}

/** Whether the order of tied ranks within the cut changes the value of a measure. */
export function doTiesDecide(ranking: Pick<JudgedRanking, 'grades' | 'ties'>, cut?: number): boolean {
  if (!ranking.ties) return false;
  for (const { size, grades } of tieGroups(ranking, cut)) {
    if (size > 1 && grades.some((grade) => Math.max(0, grade ?? 0) !== Math.max(0, grades[0] ?? 0))) return true;
  }
  return false;
}

const isJudged = (grade: number | undefined): boolean => grade !== undefined && grade >= 0;

/** The share of judged ranks within the cut; a mean if the cut divides tied ranks. NaN if nothing is ranked. */
export function judgedShare(ranking: Pick<JudgedRanking, 'grades' | 'ties'>, cut?: number): number {
  let [judged, ranks] = [0, 0];
  if (!ranking.ties) {
    // Most rankings have no ties; to list a group per rank takes several times as long.
    ranks = Math.min(cut ?? ranking.grades.length, ranking.grades.length);
    for (let k = 0; k < ranks; k++) if (isJudged(ranking.grades[k])) judged += 1;
    return judged / ranks;
  }
  for (const { size, shown, grades } of tieGroups(ranking, cut)) {
    judged += (grades.filter(isJudged).length * shown) / size;
    ranks += shown;
  }
  return judged / ranks;
}

/** A cache of ln n!, by n. */
const LOG_FACTORIALS = [0];

function logFactorial(n: number): number {
  for (let k = LOG_FACTORIALS.length; k <= n; k++) LOG_FACTORIALS.push(LOG_FACTORIALS[k - 1]! + Math.log(k));
  return LOG_FACTORIALS[n]!;
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/** The probability that `drawn` of `size` items, drawn without replacement, contain exactly `found` of the `marked` items. */
function hypergeometric(found: number, drawn: number, marked: number, size: number): number {
  if (found < 0 || found > marked || drawn - found < 0 || drawn - found > size - marked) return 0;
  return Math.exp(logChoose(marked, found) + logChoose(size - marked, drawn - found) - logChoose(size, drawn));
}

/** The parameters of a measure. */
interface MeasureOptions {
  /** The number of ranks to read; all if undefined. */
  readonly cut: number | undefined;
  /** The lowest relevant grade. */
  readonly relevantFrom: number;
  /** The options in parentheses: p in `RBP(p=0.9)`. */
  readonly settings: Readonly<Record<string, number>>;
}

/** A measure of one ranking, usually from 0 to 1. */
export type Measure = (ranking: JudgedRanking, options: MeasureOptions) => number;

function countRelevant(grades: readonly (number | undefined)[], relevantFrom: number): number {
  let count = 0;
  for (const grade of grades) if (grade !== undefined && grade >= relevantFrom) count += 1;
  return count;
}

/** A quotient; 0 if the divisor is 0. */
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** The number of relevant ranks within the cut; its expectation if the cut divides tied ranks. */
function relevantWithin(ranking: JudgedRanking, cut: number | undefined, relevantFrom: number): number {
  let count = 0;
  for (const { size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    count += shown === size ? relevant : (relevant * shown) / size;
  }
  return count;
}

/** The share of relevant ranks within the cut. Missing ranks of a short ranking count as not relevant. */
export const precision: Measure = (ranking, { cut = ranking.grades.length, relevantFrom }) =>
  share(relevantWithin(ranking, cut, relevantFrom), cut);

/** The share of relevant items that are within the cut. */
export const recall: Measure = (ranking, { cut, relevantFrom }) =>
  share(relevantWithin(ranking, cut, relevantFrom), countRelevant(ranking.judgements, relevantFrom));

/** 1 if a relevant item is within the cut, else 0; with ties, the probability of 1. */
export const success: Measure = (ranking, { cut, relevantFrom }) => {
  let none = 1;
  for (const { size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    for (let drawn = 0; drawn < (relevant > 0 ? shown : 0); drawn++) none *= Math.max(0, 1 - relevant / (size - drawn));
  }
  return 1 - none;
};

/** The precision at rank R, where R is the number of relevant items. */
export const rPrecision: Measure = (ranking, { cut = Number.POSITIVE_INFINITY, relevantFrom }) => {
  const relevant = countRelevant(ranking.judgements, relevantFrom);
  return share(relevantWithin(ranking, Math.min(cut, relevant), relevantFrom), relevant);
};

/** The reciprocal of the rank of the first relevant item; with ties, the mean over their orders. */
export const reciprocalRank: Measure = (ranking, { cut, relevantFrom }) => {
  for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    if (relevant === 0) continue;
    let none = 1; // the probability that no relevant item came before
    let sum = 0;
    for (let k = 0; k < shown; k++) {
      const here = Math.min(1, relevant / (size - k));
      sum += (none * here) / (from + k + 1);
      none *= 1 - here;
    }
    return sum;
  }
  return 0;
};

/**
 * The share of pairs of judged candidates with different grades in which the better one is ranked higher. Equal scores
 * and pairs of two unranked candidates count half. An unranked candidate is below all ranked ones. Chance is 0.5.
 * O(judged²).
 */
export const agreement: Measure = (ranking, { cut }) => {
  const places: { readonly grade: number; readonly group: number }[] = [];
  const left = ranking.judgements.filter((grade) => grade >= 0);
  let groups = 0;
  for (const { grades, shown, size } of tieGroups(ranking, cut)) {
    if (shown < size) break; // if the cut divides tied ranks, all of them count as unranked
    for (const grade of grades) {
      if (grade === undefined || grade < 0) continue;
      places.push({ grade, group: groups });
      const at = left.indexOf(grade);
      if (at >= 0) left.splice(at, 1);
    }
    groups += 1;
  }
  for (const grade of left) places.push({ grade, group: groups });
  let [right, pairs] = [0, 0];
  for (const better of places) {
    for (const worse of places) {
      if (!(better.grade > worse.grade)) continue;
      pairs += 1;
      right += better.group < worse.group ? 1 : better.group === worse.group ? 0.5 : 0;
    }
  }
  return pairs === 0 ? 0.5 : right / pairs;
};

/** The gain of a grade; 0 for grades of 0 or below. */
type Gain = (grade: number) => number;

const gainOf = (grade: number | undefined, gain: Gain): number => (grade !== undefined && grade > 0 ? gain(grade) : 0);

/**
 * The discounted gain of a ranking divided by that of the ideal order of all judged items. Tied ranks each get the mean of
 * their gains (McSherry and Najork 2008).
 */
const ndcgWith =
  (gain: Gain): Measure =>
  (ranking, { cut }) => {
    let sum = 0;
    for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
      const mean = grades.reduce<number>((total, grade) => total + gainOf(grade, gain), 0) / size;
      if (mean > 0) for (let k = from; k < from + shown; k++) sum += mean / Math.log2(k + 2);
    }
    const ideal = ranking.judgements.toSorted((a, b) => b - a).slice(0, cut);
    return share(
      sum,
      ideal.reduce((total, grade, k) => total + gainOf(grade, gain) / Math.log2(k + 2), 0),
    );
  };

/** nDCG with the grade as gain, as trec_eval computes it (Järvelin and Kekäläinen 2002). */
export const ndcg: Measure = ndcgWith((grade) => grade);

/** nDCG with the gain 2^grade − 1, as in learning to rank (Burges et al. 2005). */
export const ndcgExponential: Measure = ndcgWith((grade) => 2 ** grade - 1);

/**
 * The mean, over relevant items, of the precision at their rank; 0 for unranked items. With ties, the expectation over
 * their orders (McSherry and Najork 2008).
 */
export const averagePrecision: Measure = (ranking, { cut, relevantFrom }) => {
  let found = 0;
  let sum = 0;
  for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    if (relevant === 0) continue;
    for (let k = 0; k < shown; k++) {
      const before = k === 0 ? 0 : (k * (relevant - 1)) / (size - 1);
      sum += (relevant / size) * ((found + before + 1) / (from + k + 1));
    }
    found += relevant;
  }
  return share(sum, countRelevant(ranking.judgements, relevantFrom));
};

/** Avoids 0 / 0 if no earlier rank is judged. The value of trec_eval. */
const EPSILON = 0.00001;

/** The counts above a rank of a sampled pool. */
interface SeenAbove {
  readonly relevant: number;
  readonly others: number;
  readonly unjudged: number;
}

/** The precision at a relevant rank, estimated from the ranks above it. */
function inferredPrecision(above: number, { relevant, others, unjudged }: SeenAbove): number {
  const judged = (relevant + EPSILON) / (relevant + others + 2 * EPSILON);
  return above === 0 ? 1 : 1 / (above + 1) + ((relevant + others + unjudged) / (above + 1)) * judged;
}

/**
 * Average precision if only a sample of the pool was judged: each precision is estimated from the judged ranks above it
 * (Yilmaz and Aslam 2006). An item with a grade below 0 is in the pool but not judged; an item without a grade is not in
 * the pool. With ties, the mean over their orders: O(size × relevant × others) for a group.
 */
export const inferredAveragePrecision: Measure = (ranking, { cut, relevantFrom }) => {
  let seen: SeenAbove = { relevant: 0, others: 0, unjudged: 0 };
  let sum = 0;
  for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    const others = grades.filter((grade) => grade !== undefined && grade >= 0 && grade < relevantFrom).length;
    const unjudged = grades.filter((grade) => grade !== undefined && grade < 0).length;
    for (let k = 0; k < (relevant > 0 ? shown : 0); k++) {
      const own = { relevant: relevant - 1, others, unjudged };
      sum += (relevant / size) * (size === 1 ? inferredPrecision(from, seen) : meanPrecision(from, k, seen, own, size));
    }
    seen = {
      relevant: seen.relevant + relevant,
      others: seen.others + others,
      unjudged: seen.unjudged + unjudged,
    };
  }
  return share(sum, countRelevant(ranking.judgements, relevantFrom));
};

/**
 * The mean inferred precision at the k-th of tied ranks, given that it is relevant.
 *
 * @param own the counts of the other ranks of its group
 */
function meanPrecision(from: number, k: number, seen: SeenAbove, own: SeenAbove, size: number): number {
  const rest = size - 1 - own.relevant - own.others; // not judged, or not in the pool
  let mean = 0;
  for (let others = 0; others <= Math.min(k, own.others); others++) {
    const ofOthers = hypergeometric(others, k, own.others, size - 1);
    for (let relevant = 0; relevant <= Math.min(k - others, own.relevant); relevant++) {
      const chance = ofOthers * hypergeometric(relevant, k - others, own.relevant, size - 1 - own.others);
      const unjudged = rest === 0 ? 0 : ((k - others - relevant) * own.unjudged) / rest;
      mean +=
        chance *
        inferredPrecision(from + k, {
          relevant: seen.relevant + relevant,
          others: seen.others + others,
          unjudged: seen.unjudged + unjudged,
        });
    }
  }
  return mean;
}

/**
 * Bpref (Buckley and Voorhees 2004, as trec_eval computes it): penalizes items judged not relevant above relevant items.
 * Items without judgements are ignored. With ties, the mean over their orders.
 */
export const bpref: Measure = (ranking, { cut, relevantFrom }) => {
  const isOther = (grade: number | undefined): boolean => grade !== undefined && grade >= 0 && grade < relevantFrom;
  const relevant = countRelevant(ranking.judgements, relevantFrom);
  const most = Math.min(ranking.judgements.filter(isOther).length, relevant);
  const valueOf = (above: number): number => (above === 0 ? 1 : 1 - Math.min(above, relevant) / most);
  let above = 0;
  let sum = 0;
  for (const { size, shown, grades } of tieGroups(ranking, cut)) {
    const others = grades.filter(isOther).length;
    const own = countRelevant(grades, relevantFrom);
    for (let k = 0; k < (own > 0 ? shown : 0); k++) {
      for (let before = 0; before <= Math.min(k, others); before++) {
        const chance = size === 1 ? 1 : hypergeometric(before, k, others, size - 1);
        sum += (own / size) * chance * valueOf(above + before);
      }
    }
    above += others;
  }
  return share(sum, relevant);
};

/** The share of judged ranks among the first; 0 if nothing is ranked. Missing ranks of a short ranking do not count. */
export const judgedRanks: Measure = (ranking, { cut }) => judgedShare(ranking, cut) || 0;

/** The default p of RBP, as in ir_measures. */
export const RBP_P = 0.8;

/** The highest grade of gdeval, which TREC's web tracks use. */
export const ERR_MAX = 4;

/**
 * Rank-biased precision (Moffat and Zobel 2008): the expected share of relevant ranks for a user who reads the next rank
 * with probability p. Tied ranks each get the mean of their relevance.
 */
export const rankBiasedPrecision: Measure = (ranking, { cut, relevantFrom, settings: { p = RBP_P } }) => {
  let sum = 0;
  for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom) / size;
    if (relevant > 0) for (let k = from; k < from + shown; k++) sum += relevant * p ** k;
  }
  return (1 - p) * sum;
};

/**
 * Expected reciprocal rank (Chapelle, Metzler, Zhang and Grinspan 2009): a user stops at a rank with probability
 * (2^grade − 1) / 2^max. Higher grades count as `max`. With ties, the mean over their orders: O(size × shown) for a group.
 */
export const expectedReciprocalRank: Measure = (ranking, { cut, settings: { max_rel: max = ERR_MAX } }) => {
  const stops = (grade: number | undefined): number => gainOf(grade, (one) => 2 ** Math.min(one, max) - 1) / 2 ** max;
  let sum = 0;
  let reaches = 1; // the probability that the user reads the first rank of the group
  for (const { from, shown, grades } of tieGroups(ranking, cut)) {
    const passes = meanProducts(
      grades.map((grade) => 1 - stops(grade)),
      shown,
    );
    for (let k = 0; k < shown; k++) sum += (reaches * (passes[k]! - passes[k + 1]!)) / (from + k + 1);
    reaches *= passes[shown]!;
  }
  return sum;
};

/** The mean product of k of the numbers, drawn without replacement, for each k up to `most`. */
function meanProducts(numbers: readonly number[], most: number): Float64Array {
  const means = new Float64Array(most + 1);
  means[0] = 1;
  for (const [seen, number] of numbers.entries()) {
    const size = seen + 1;
    // The number is among k of `size` in k of `size` draws.
    for (let k = Math.min(size, most); k > 0; k--) {
      means[k] = (means[k]! * (size - k) + number * means[k - 1]! * k) / size;
    }
  }
  return means;
}
