import type { Context } from '../../contract/index.js';
import { AssizeError, type DataPath, locate, type Problem, toAssizeError } from '../../diagnostics/index.js';
import type { Pipeline, Ranking } from '../../index.js';
import { type Expectation, parseExpectation } from './expectation.js';
import { type Failure, failureOfOne } from './failure-of-one.js';
import { checkExpectationData, type ExpectedCase, type Expectations } from './read-expectations.js';

/** What the expectations are checked on. */
export interface CheckExpectationsOptions {
  /** The candidates of cases that bring none. */
  readonly candidates?: readonly object[] | undefined;
  /** What is known about the request in every case. */
  readonly context?: Context | undefined;
  readonly abort?: AbortSignal;
}

/** What was found. */
export interface CheckedExpectations {
  /** How many were checked. */
  readonly checked: number;
  /** Those that do not hold (ASZ543), each with its place, where it has one, and the reason. */
  readonly failures: readonly Problem[];
}

/**
 * Ranks the candidates of each case, and checks what is expected of them. No memory is updated.
 *
 * ```ts
 * const { failures } = await checkExpectations(pipeline, { expect: ['compass above sextant'] }, { candidates });
 * ```
 *
 * @throws AssizeError where the expectations are none (ASZ202), or have no candidates (ASZ541), and what `rank` throws
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
    const hint = 'give a file of candidates, or candidates in the file of expectations';
    throw toAssizeError([{ code: 'ASZ541', message: 'there are no candidates to expect anything of', hint }]);
  }
  const known = { ...options.context, ...context, ...given.context };
  return pipeline.rank(those, known, { learn: false, ...(options.abort && { abort: options.abort }) });
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

/** What is wrong with one expectation; one of a candidate that there is not does not hold. */
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
