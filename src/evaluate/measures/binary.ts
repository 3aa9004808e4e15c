/** Scores with labels, without queries: does a high score go with a positive label? */
export interface Labelled {
  readonly scores: readonly number[];
  /** Which of them are positive. */
  readonly positive: readonly boolean[];
}

/** A measure of a sample: by row, how often it was drawn; each once when not given. */
export type SampledMeasure = (counts?: ArrayLike<number>) => number;

/** Called with each group of equal scores, the highest first: how many positives and negatives it has. */
type VisitTies = (visit: (positives: number, negatives: number) => void, counts?: ArrayLike<number>) => void;

/** Sorts once, O(N log N), and goes through any sample of the rows in O(N). */
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
 * The area under the ROC curve: how likely a positive one has a higher score than a negative one, equal scores counting
 * half (Mann and Whitney). NaN where one of the classes is empty.
 */
export const auc = (labelled: Labelled): number => sampledAuc(labelled)();

/** The same of samples of the rows. */
export function sampledAuc(labelled: Labelled): SampledMeasure {
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

/** Average precision over thresholds: Σ (recall gained) × precision, equal scores together. NaN without a positive one. */
export const averagePrecisionOf = (labelled: Labelled): number => sampledAveragePrecision(labelled)();

/** The same of samples of the rows. */
export function sampledAveragePrecision(labelled: Labelled): SampledMeasure {
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
