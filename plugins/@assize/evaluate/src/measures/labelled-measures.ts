import { didYouMean, toAssizeError } from 'assize/browser';

/** A measure of scores and grades, without queries. */
interface LabelledMeasure {
  readonly summary: string;
  /** Explains a value to readers who do not know the measure. */
  readonly meaning: string;
  /**
   * Prepares the measure for repeated samples of the rows.
   *
   * @param relevantFrom the lowest grade of the positive class, for binary measures
   */
  readonly of: (scores: readonly number[], grades: readonly number[], relevantFrom: number) => SampledMeasure;
}

const classes = (scores: readonly number[], grades: readonly number[], least: number): Labelled => ({
  scores,
  positive: grades.map((grade) => grade >= least),
});

/** The measures for data without queries, by name. */
export const LABELLED_MEASURES = {
  AUC: {
    summary: 'the probability that a positive candidate scores higher than a negative one; a tie counts half',
    meaning: 'How often a positive case scores higher than a negative one. 1: always, 0.5: as often as by chance.',
    of: (scores, grades, least) => sampledAuc(classes(scores, grades, least)),
  },
  AP: {
    summary: 'the mean precision over all thresholds',
    meaning:
      'How pure the top is, down to each positive case. 1: all positives come first; chance is the share of positives.',
    of: (scores, grades, least) => averagePrecisionOf(classes(scores, grades, least)),
  },
  tau: {
    summary: "Kendall's tau-b of scores and grades",
    meaning:
      'Of pairs with different grades, the share in the right order minus the share in the wrong one. 1: all are right, 0: chance.',
    of: (scores, grades) => kendallTauB(scores, grades),
  },
  rho: {
    summary: "Spearman's rho of scores and grades",
    meaning: 'Whether ranks by score follow ranks by grade. 1: exactly, 0: not at all, −1: in reverse.',
    of: (scores, grades) => spearman(scores, grades),
  },
} as const satisfies Readonly<Record<string, LabelledMeasure>>;

export type LabelledMeasureName = keyof typeof LABELLED_MEASURES;

/** Other names. */
const ALIASES: Readonly<Record<string, LabelledMeasureName>> = {
  roc_auc: 'AUC',
  average_precision: 'AP',
  'tau-b': 'tau',
  kendall: 'tau',
  spearman: 'rho',
};

const isName = (name: string): name is LabelledMeasureName => Object.hasOwn(LABELLED_MEASURES, name);

/** Finds a measure for data without queries by name, ignoring case; undefined if it does not exist. */
export function findLabelledMeasure(text: string): LabelledMeasureName | undefined {
  const asked = text.toLowerCase();
  const found = Object.keys(LABELLED_MEASURES).find((name) => name.toLowerCase() === asked);
  if (found !== undefined && isName(found)) return found;
  return Object.hasOwn(ALIASES, asked) ? ALIASES[asked] : undefined;
}

/**
 * Finds a measure for data without queries by name, ignoring case.
 *
 * @throws AssizeError (ASZ605) if no measure has this name
 */
export function parseLabelledMeasure(text: string): LabelledMeasureName {
  const found = findLabelledMeasure(text);
  if (found) return found;
  const names = Object.keys(LABELLED_MEASURES);
  const hint = didYouMean(text, names, `the measures are ${names.join(', ')}; others need queries (group)`);
  throw toAssizeError([{ code: 'ASZ605', message: `there is no measure ${text} for data without queries`, hint }]);
}

/** Scores with binary labels, without queries. */
export interface Labelled {
  readonly scores: readonly number[];
  /** Whether each row is positive. */
  readonly positive: readonly boolean[];
}

/** Measures a sample. `counts` is how often each row was drawn; once by default. */
type SampledMeasure = (counts?: ArrayLike<number>) => number;

/** Calls `visit` with the number of positives and negatives of each group of equal scores, highest first. */
type VisitTies = (visit: (positives: number, negatives: number) => void, counts?: ArrayLike<number>) => void;

/** Sorts once in O(N log N), then visits each sample in O(N). */
function tiesOf({ scores, positive }: Labelled): VisitTies {
  const order = Int32Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  return (visit, counts) => {
    let up = 0;
    let down = 0;
    for (let k = 0; k < order.length; k++) {
      const row = order[k]!;
      const count = counts ? counts[row]! : 1;
      if (positive[row]) up += count;
      else down += count;
      if (k + 1 < order.length && scores[order[k + 1]!] === scores[row]) continue;
      visit(up, down);
      up = 0;
      down = 0;
    }
  };
}

/**
 * The area under the ROC curve: the probability that a positive row has a higher score than a negative row. Equal scores
 * count half (Mann and Whitney). NaN if a class is empty.
 */
export const auc = (labelled: Labelled): number => sampledAuc(labelled)();

/** `auc` for samples of the rows. */
function sampledAuc(labelled: Labelled): SampledMeasure {
  const ties = tiesOf(labelled);
  return (counts) => {
    let above = 0;
    let won = 0;
    let negatives = 0;
    ties((up, down) => {
      won += down * (above + up / 2);
      above += up;
      negatives += down;
    }, counts);
    return won / (above * negatives);
  };
}

/** Average precision over thresholds: Σ (recall gained) × precision, equal scores together. NaN without positive rows. */
export function averagePrecisionOf(labelled: Labelled): SampledMeasure {
  const ties = tiesOf(labelled);
  return (counts) => {
    let found = 0;
    let seen = 0;
    let sum = 0;
    ties((up, down) => {
      found += up;
      seen += up + down;
      if (up > 0) sum += up * (found / seen);
    }, counts);
    return found === 0 ? Number.NaN : sum / found;
  };
}

/** Ranks the rows of a sample, from 1; equal values share the mean of their ranks. Sorts once for all samples. */
function ranksOf(values: readonly number[]): (counts?: ArrayLike<number>) => Float64Array {
  const order = Int32Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  return (counts) => {
    const ranks = new Float64Array(values.length);
    let seen = 0;
    for (let from = 0, to = 0; from < order.length; from = to) {
      const before = seen;
      while (to < order.length && values[order[to]!] === values[order[from]!]) {
        seen += counts ? counts[order[to]!]! : 1;
        to += 1;
      }
      for (let k = from; k < to; k++) ranks[order[k]!] = (before + seen + 1) / 2;
    }
    return ranks;
  };
}

/** Spearman's ρ: the correlation of the ranks, from −1 to 1. NaN if a list is constant. O(N log N). */
export function spearman(x: readonly number[], y: readonly number[]): SampledMeasure {
  const [ranksOfX, ranksOfY] = [ranksOf(x), ranksOf(y)];
  return (counts) => {
    const [a, b] = [ranksOfX(counts), ranksOfY(counts)];
    const count = (row: number): number => (counts ? counts[row]! : 1);
    let rows = 0;
    for (let row = 0; row < a.length; row++) rows += count(row);
    // The mean of the ranks 1 to N.
    const mean = (rows + 1) / 2;
    let together = 0;
    let ofA = 0;
    let ofB = 0;
    for (let row = 0; row < a.length; row++) {
      const [times, dA, dB] = [count(row), a[row]! - mean, b[row]! - mean];
      together += times * dA * dB;
      ofA += times * dA * dA;
      ofB += times * dB * dB;
    }
    return together / Math.sqrt(ofA * ofB);
  };
}

const pairs = (count: number): number => (count * (count - 1)) / 2;

/** The number of tied pairs in a list whose equal values are adjacent. */
function tiedPairs(count: number, isTied: (a: number, b: number) => boolean): number {
  let tied = 0;
  let run = 1;
  for (let k = 1; k <= count; k++) {
    if (k < count && isTied(k - 1, k)) run += 1;
    else {
      tied += pairs(run);
      run = 1;
    }
  }
  return tied;
}

/** The number of pairs in descending order, counted by merge sort. O(N log N). */
function countInversions(values: number[]): number {
  if (values.length < 2) return 0;
  const half = values.length >> 1;
  const [left, right] = [values.slice(0, half), values.slice(half)];
  let inversions = countInversions(left) + countInversions(right);
  for (let at = 0, l = 0, r = 0; at < values.length; at++) {
    if (r === right.length || (l < left.length && left[l]! <= right[r]!)) values[at] = left[l++]!;
    else {
      values[at] = right[r++]!;
      inversions += left.length - l;
    }
  }
  return inversions;
}

/**
 * Kendall's τ-b: concordant less discordant pairs as a share of all pairs, from −1 to 1, corrected for ties. NaN if a list
 * is constant. O(N log N) (Knight 1966).
 */
export function kendallTauB(x: readonly number[], y: readonly number[]): SampledMeasure {
  const sorted = Array.from(x.keys()).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!);
  return (counts) => {
    const order = counts ? sorted.flatMap((row) => Array.from<number>({ length: counts[row]! }).fill(row)) : sorted;
    const count = order.length;
    const sameX = (a: number, b: number): boolean => x[order[a]!] === x[order[b]!];
    const inX = tiedPairs(count, sameX);
    const inBoth = tiedPairs(count, (a, b) => sameX(a, b) && y[order[a]!] === y[order[b]!]);
    const values = order.map((row) => y[row]!);
    const discordant = countInversions(values);
    const inY = tiedPairs(count, (a, b) => values[a] === values[b]);
    const all = pairs(count);
    const difference = all - inX - inY + inBoth - 2 * discordant;
    return difference / Math.sqrt((all - inX) * (all - inY));
  };
}
