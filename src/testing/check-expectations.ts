import type { Context } from '../sdk/index.js';
import {
  didYouMean,
  toAssizeError,
  type DataPath,
  locate,
  AssizeError,
  type Problem,
  formatNumber,
  formatOrdinal,
  formatSigned,
} from '../base/index.js';
import type { Pipeline } from '../pipeline/index.js';
import { type Comparison, type Explanation, explanationParts, type Ranking } from '../ranking/index.js';
import {
  checkExpectationData,
  type Expectation,
  type Expectations,
  type ExpectedCase,
  parseExpectation,
} from './expectations.js';

export interface CheckExpectationsOptions {
  /** The candidates of cases without their own. */
  readonly candidates?: readonly object[] | undefined;
  /** The context of every case. */
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal;
}

/** The result of `checkExpectations`. */
export interface CheckedExpectations {
  /** The number of checked expectations. */
  readonly checked: number;
  /** One problem (ASZ543) for each expectation that does not hold, with its place if known. */
  readonly failures: readonly Problem[];
}

/**
 * Ranks the candidates of each case and checks its expectations. Memories are not updated.
 *
 * ```ts
 * const { failures } = await checkExpectations(pipeline, { expect: ['compass above sextant'] }, { candidates });
 * ```
 *
 * @throws AssizeError if the expectations are invalid (ASZ202) or have no candidates (ASZ541); also throws the errors of `rank`
 */
export async function checkExpectations(
  pipeline: Pipeline<object>,
  expectations: Expectations,
  options: CheckExpectationsOptions = {},
): Promise<CheckedExpectations> {
  checkExpectationData(expectations);
  const failures: Problem[] = [];
  let checked = 0;
  for (const { given, path } of casesOf(expectations)) {
    // oxlint-disable-next-line no-await-in-loop -- case by case
    const ranking = await rankCase(pipeline, expectations, given, options);
    for (const [k, text] of given.expect.entries()) {
      checked += 1;
      // oxlint-disable-next-line no-await-in-loop -- one by one
      const failure = await failureOf(ranking, parseExpectation(text)!, pipeline);
      if (failure) failures.push(problemOf(failure, text, given, locate(expectations, [...path, 'expect', k])));
    }
  }
  return { checked, failures };
}

function casesOf(expectations: Expectations): readonly { readonly given: ExpectedCase; readonly path: DataPath }[] {
  const { expect, cases = [] } = expectations;
  return [
    ...(expect ? [{ given: { expect }, path: [] }] : []),
    ...cases.map((given, k) => ({ given, path: ['cases', k] })),
  ];
}

function rankCase(
  pipeline: Pipeline<object>,
  { context, candidates }: Expectations,
  given: ExpectedCase,
  options: CheckExpectationsOptions,
): Promise<Ranking<object>> {
  const those = given.candidates ?? candidates ?? options.candidates;
  if (!those) {
    const hint = 'give a file of candidates, or add candidates to the file of expectations';
    throw toAssizeError([{ code: 'ASZ541', message: 'the expectations have no candidates', hint }]);
  }
  const known = { ...options.context, ...context, ...given.context };
  return pipeline.rank(those, known, { updateMemory: false, ...(options.signal && { signal: options.signal }) });
}

function problemOf(
  { message, hint }: NonNullable<Failure>,
  text: string,
  { name }: ExpectedCase,
  place: Problem['place'],
) {
  const where = name === undefined ? '' : `${name}: `;
  return { code: 'ASZ543', message: `${where}expected ${text}; ${message}`, place, hint };
}

/** Checks one expectation. An expectation about an unknown candidate does not hold. */
async function failureOf(
  ranking: Ranking<object>,
  expected: Expectation,
  pipeline: Pipeline<object>,
): Promise<Failure> {
  try {
    return await failureOfOne(ranking, expected, pipeline);
  } catch (error) {
    const problem = error instanceof AssizeError ? error.problems[0] : undefined;
    if (problem?.code !== 'ASZ504') throw error;
    return { message: problem.message, hint: problem.hint };
  }
}

/** The actual result and the reason for it; undefined if the expectation holds. */
type Failure = Pick<Problem, 'message' | 'hint'> | undefined;

/** @throws AssizeError (ASZ504) if the candidate does not exist */
function failureOfOne(
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

/** Holds if the first candidate is ranked and the other is behind it or not ranked. */
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
    ? `the profile has no ${by}; ${didYouMean(by, known, `its entries are ${known.join(', ')}`)}`
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

/** The rank of a candidate; undefined if it is not ranked. */
const rankOf = ({ outcome }: Explanation): number | undefined => (outcome.kind === 'ranked' ? outcome.rank : undefined);

/** The outcome of a candidate: `compass is 2nd with 0.41`, `atlas is refused by archived: candidate.archived`. */
function outcomeText({ id, outcome }: Pick<Explanation, 'id' | 'outcome'>): string {
  if (outcome.kind === 'ranked') return `${id} is ${formatOrdinal(outcome.rank)} with ${formatNumber(outcome.score)}`;
  if (outcome.kind === 'refused') return `${id} is refused by ${outcome.by}: ${outcome.reason}`;
  return `${id} is ${outcome.kind.replace('_', ' ')}`;
}

const MAX_TERMS = 3;

/** Why one of two candidates comes first, and what would reverse their order. */
async function whyAhead(ranking: Ranking<unknown>, ahead: string, behind: string): Promise<string | undefined> {
  const comparison = await ranking.compare(ahead, behind);
  return [termsText(comparison), flipText(comparison)].filter((line) => line !== undefined).join('\n') || undefined;
}

function termsText({ a, terms, rules }: Comparison): string | undefined {
  const parts = [...terms, ...rules.map((rule) => ({ ...rule, id: `rule ${rule.id}` }))].filter(
    (part): part is typeof part & { readonly difference: number } => (part.difference ?? 0) !== 0,
  );
  if (parts.length === 0) return undefined;
  const largest = parts.toSorted((x, y) => Math.abs(y.difference) - Math.abs(x.difference)).slice(0, MAX_TERMS);
  return `${a.id} leads by ${largest.map(({ id, difference }) => `${id} ${formatSigned(difference)}`).join(', ')}`;
}

function flipText({ flips }: Comparison): string | undefined {
  for (const flip of flips.weights) {
    if (flip.state !== 'flips') continue;
    const from = flip.from === undefined ? '' : ` instead of ${formatNumber(flip.from)}`;
    return `a weight of ${flip.id} of ${formatNumber(flip.to)}${from} would reverse their order`;
  }
  return undefined;
}

/** The parts of a score: `popularity 0.64, fresh 0.24`. */
function scoreText(explanation: Explanation): string | undefined {
  const { scorers } = explanationParts(explanation);
  const parts = scorers.flatMap(({ id, contribution, value }) => {
    const part = contribution ?? value;
    return part === undefined ? [] : [`${id} ${formatNumber(part)}`];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}
