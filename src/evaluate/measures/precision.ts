import { type JudgedRanking, tieGroups } from '../judged-ranking.js';
import { countRelevant, type Measure, share } from './measure.js';

/** How many of the first ranks are relevant. Of tied ranks that a cut divides, as many as on average over their orders. */
function relevantWithin(ranking: JudgedRanking, cut: number | undefined, relevantFrom: number): number {
  let count = 0;
  for (const { size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    count += shown === size ? relevant : (relevant * shown) / size;
  }
  return count;
}

/** The share of the first ranks that is relevant. Ranks that a short ranking does not have are not. */
export const precision: Measure = (ranking, { cut = ranking.grades.length, relevantFrom }) =>
  share(relevantWithin(ranking, cut, relevantFrom), cut);

/** The share of what is relevant that is among the first ranks. */
export const recall: Measure = (ranking, { cut, relevantFrom }) =>
  share(relevantWithin(ranking, cut, relevantFrom), countRelevant(ranking.judgements, relevantFrom));

/** 1 where anything relevant is among the first ranks; where ties decide, how likely that is. */
export const success: Measure = (ranking, { cut, relevantFrom }) => {
  let none = 1;
  for (const { size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    for (let drawn = 0; drawn < (relevant > 0 ? shown : 0); drawn++) none *= Math.max(0, 1 - relevant / (size - drawn));
  }
  return 1 - none;
};

/** The precision at as many ranks as there are relevant ones. */
export const rPrecision: Measure = (ranking, { cut = Number.POSITIVE_INFINITY, relevantFrom }) => {
  const relevant = countRelevant(ranking.judgements, relevantFrom);
  return share(relevantWithin(ranking, Math.min(cut, relevant), relevantFrom), relevant);
};

/** 1 divided by the rank of the first that is relevant; the mean of that over the orders of the tied. */
export const reciprocalRank: Measure = (ranking, { cut, relevantFrom }) => {
  for (const { from, size, shown, grades } of tieGroups(ranking, cut)) {
    const relevant = countRelevant(grades, relevantFrom);
    if (relevant === 0) continue;
    let none = 1; // the probability that no relevant one was before
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
 * Of the pairs of judged candidates with different grades, the share whose better one is ranked higher: how likely the
 * better of two is put first. Equal scores count half, and so do two that are not ranked; one that is not ranked is below
 * all that are. 0.5 is chance. O(judged²).
 */
export const agreement: Measure = (ranking, { cut }) => {
  const places: { readonly grade: number; readonly group: number }[] = [];
  const left = ranking.judgements.filter((grade) => grade >= 0);
  let groups = 0;
  for (const { grades, shown, size } of tieGroups(ranking, cut)) {
    if (shown < size) break; // a cut through tied ranks leaves them all among the others
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
