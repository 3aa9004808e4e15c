/** Scores with labels, without queries: does a high score go with a positive label? */
export interface Labelled {
  readonly scores: readonly number[];
  /** Which of them are positive. */
  readonly positive: readonly boolean[];
}

/** Groups of equal scores, highest first: how many positives and negatives each has. O(N log N). */
function tieGroups({ scores, positive }: Labelled): readonly (readonly [positives: number, negatives: number])[] {
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
  const groups: [number, number][] = [];
  let last: number | undefined;
  for (const k of order) {
    if (scores[k] !== last) groups.push([0, 0]);
    last = scores[k];
    groups.at(-1)![positive[k] ? 0 : 1] += 1;
  }
  return groups;
}

/**
 * The area under the ROC curve: how likely a positive one has a higher score than a negative one, equal scores counting
 * half (Mann and Whitney). NaN where one of the classes is empty.
 */
export function auc(labelled: Labelled): number {
  let above = 0;
  let won = 0;
  let negatives = 0;
  for (const [up, down] of tieGroups(labelled)) {
    won += down * (above + up / 2);
    above += up;
    negatives += down;
  }
  return won / (above * negatives);
}

/** Average precision over thresholds: Σ (recall gained) × precision, equal scores together. NaN without a positive one. */
export function averagePrecisionOf(labelled: Labelled): number {
  const positives = labelled.positive.filter(Boolean).length;
  let found = 0;
  let seen = 0;
  let sum = 0;
  for (const [up, down] of tieGroups(labelled)) {
    found += up;
    seen += up + down;
    sum += (up / positives) * (found / seen);
  }
  return positives === 0 ? Number.NaN : sum;
}
