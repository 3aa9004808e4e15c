import { didYouMean, type Problem } from '../../diagnostics/index.js';
import type { Explanation, Pipeline, Ranking } from '../../index.js';
import type { Expectation } from './expectation.js';
import { outcomeText, rankOf, scoreText, whyAhead } from './failure-words.js';

/** What is wrong with one expectation: what was found, and why. Undefined where it holds. */
export type Failure = Pick<Problem, 'message' | 'hint'> | undefined;

/** Checks one expectation. Throws where there is no such candidate (ASZ504). */
export function failureOfOne(
  ranking: Ranking<object>,
  expected: Expectation,
  pipeline: Pipeline<object>,
): Failure | Promise<Failure> {
  const found = ranking.explain(expected.id);
  if (expected.kind === 'above') return aboveFailure(ranking, found, ranking.explain(expected.other), expected);
  if (expected.kind === 'top') return topFailure(ranking, found, expected);
  if (expected.kind === 'refused') return refusedFailure(found, expected, pipeline);
  if (expected.kind === 'scores') return scoreFailure(found, expected);
  const selected = found.outcome.selected !== undefined;
  if (selected !== expected.not) return undefined;
  return { message: `${outcomeText(found)}, and ${selected ? '' : 'not '}selected` };
}

/** The first is ranked, and the other behind it or not at all. */
async function aboveFailure(
  ranking: Ranking<object>,
  one: Explanation,
  two: Explanation,
  { id, other }: Extract<Expectation, { kind: 'above' }>,
): Promise<Failure> {
  const [rank, behind] = [rankOf(one), rankOf(two)];
  if (rank !== undefined && (behind === undefined || rank < behind)) return undefined;
  const hint =
    rank !== undefined && behind !== undefined && id !== other ? await whyAhead(ranking, other, id) : undefined;
  return { message: `${outcomeText(one)}, ${outcomeText(two)}`, hint };
}

async function topFailure(
  ranking: Ranking<object>,
  found: Explanation,
  { id, most, not }: Extract<Expectation, { kind: 'top' }>,
): Promise<Failure> {
  const rank = rankOf(found) ?? Number.POSITIVE_INFINITY;
  if (rank <= most !== not) return undefined;
  const last = ranking.ranked[most - 1];
  const hint =
    rank < Number.POSITIVE_INFINITY && rank > most && last
      ? await whyAhead(ranking, ranking.nameOf(last), id)
      : undefined;
  return { message: outcomeText(found), hint };
}

function refusedFailure(
  found: Explanation,
  { by, not }: Extract<Expectation, { kind: 'refused' }>,
  pipeline: Pipeline<object>,
): Failure {
  const { outcome } = found;
  const refusers = outcome.kind === 'refused' ? outcome.all.map((one) => one.by) : [];
  if (not ? refusers.length === 0 : by === undefined ? refusers.length > 0 : refusers.includes(by)) return undefined;
  const { vetoes, scorers } = pipeline.describe();
  const known = [...vetoes, ...scorers];
  const typo = by !== undefined && !known.includes(by) && by !== 'combine';
  const hint = typo
    ? `the profile has no ${by}; ${didYouMean(by, known, `there are: ${known.join(', ')}`)}`
    : undefined;
  return { message: outcomeText(found), hint };
}

function scoreFailure(
  found: Explanation,
  { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Extract<Expectation, { kind: 'scores' }>,
): Failure {
  const { outcome } = found;
  if (outcome.kind === 'ranked' && outcome.score >= least && outcome.score <= most) return undefined;
  return { message: outcomeText(found), hint: outcome.kind === 'ranked' ? scoreText(found) : undefined };
}
