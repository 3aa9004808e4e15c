import { cutTo } from '../judged-ranking.js';
import { countRelevant, isRelevant, type Measure, share } from './measure.js';

/** The share of the first ranks that is relevant. Ranks that a short ranking does not have are not. */
export const precision: Measure = (ranking, { cut = ranking.grades.length, relevantFrom }) =>
  share(countRelevant(cutTo(ranking, cut).grades, relevantFrom), cut);

/** The share of what is relevant that is among the first ranks. */
export const recall: Measure = (ranking, { cut, relevantFrom }) =>
  share(countRelevant(cutTo(ranking, cut).grades, relevantFrom), countRelevant(ranking.judgements, relevantFrom));

/** 1 where anything relevant is among the first ranks. */
export const success: Measure = (ranking, { cut, relevantFrom }) =>
  countRelevant(cutTo(ranking, cut).grades, relevantFrom) > 0 ? 1 : 0;

/** The precision at as many ranks as there are relevant ones. */
export const rPrecision: Measure = (ranking, options) => {
  const relevant = countRelevant(ranking.judgements, options.relevantFrom);
  return relevant === 0 ? 0 : precision(cutTo(ranking, options.cut), { ...options, cut: relevant });
};

/** 1 divided by the rank of the first that is relevant. */
export const reciprocalRank: Measure = (ranking, { cut, relevantFrom }) => {
  const first = cutTo(ranking, cut).grades.findIndex((grade) => isRelevant(grade, relevantFrom));
  return first < 0 ? 0 : 1 / (first + 1);
};
