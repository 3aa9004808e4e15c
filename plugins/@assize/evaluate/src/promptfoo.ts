import { explanationParts, type Pipeline, type ProfileOrPipeline, type ScorerNode } from 'assize';
import { checkOptions, formatNumber, openPipeline } from 'assize/internal';

/** The part of the context of promptfoo's JavaScript assertions that is used here. */
export interface AssertionContext {
  readonly prompt?: string | undefined;
  readonly vars?: Readonly<Record<string, unknown>> | undefined;
  /** The `config` of the assertion. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** What the provider returned besides the output. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The result of an assertion, as promptfoo's `GradingResult`. */
export interface AssertionResult {
  pass: boolean;
  score: number;
  reason: string;
  namedScores?: Record<string, number>;
  componentResults?: AssertionResult[];
}

/** A JavaScript assertion of promptfoo. */
export type Assertion = (output: unknown, context?: AssertionContext) => Promise<AssertionResult>;

/** The type of the option `threshold`. */
const NUMBER = { expected: 'a number', accepts: (value: unknown): boolean => Number.isFinite(value) };

/** The options of `scoreAssertion`. */
export interface ScoreAssertionOptions {
  /** The least score that passes. By default an output passes if the profile selects it. */
  readonly threshold?: number | undefined;
  /**
   * Makes the candidate. By default it is the output if that is an object, or the text of a JSON object, and otherwise
   * `{ output, prompt, vars, metadata }`.
   */
  readonly candidateOf?: ((output: unknown, context: AssertionContext) => object) | undefined;
}

/**
 * Makes an assertion of promptfoo that scores an output by a profile. The `vars` of the test are the context of the
 * profile. Memories are not updated.
 *
 * ```js
 * // quality.mjs, used as `{ type: javascript, value: 'file://quality.mjs' }`
 * export default scoreAssertion('./quality.yaml', { threshold: 0.7 });
 * ```
 *
 * @param profile a preset, a path relative to the working directory, a profile, or a pipeline
 * @throws AssizeError if an option is unknown or invalid (ASZ533)
 */
export function scoreAssertion(profile: ProfileOrPipeline<object>, options: ScoreAssertionOptions = {}): Assertion {
  checkOptions('scoreAssertion', options, { threshold: NUMBER, candidateOf: 'function' });
  const { threshold, candidateOf = candidateFrom } = options;
  let opened: Promise<Pipeline<object>> | undefined;
  return async (output, context = {}) => {
    opened ??= openPipeline<object>(profile);
    return scoreOutput(await opened, candidateOf(output, context), context.vars ?? {}, threshold);
  };
}

/**
 * The assertion for a configuration without a file: its `config` has the `profile`, and a `threshold` if wanted.
 *
 * ```yaml
 * assert:
 *   - type: javascript
 *     value: package:@assize/evaluate:assertScore
 *     config: { profile: ./quality.yaml, threshold: 0.7 }
 * ```
 *
 * @throws TypeError if the config has no profile
 * @throws AssizeError if the config has an unknown or invalid key (ASZ533)
 */
export const assertScore: Assertion = async (output, context = {}) => {
  const { profile, ...options } = context.config ?? {};
  if (typeof profile !== 'string') throw new TypeError('config.profile is missing; expected a preset or a path');
  checkOptions('assertScore', options, { threshold: NUMBER });
  const key = JSON.stringify([profile, options]);
  let assertion = assertions.get(key);
  if (!assertion) assertions.set(key, (assertion = scoreAssertion(profile, options)));
  return assertion(output, context);
};

/** By profile and threshold, so that a profile is loaded once for all tests. */
const assertions = new Map<string, Assertion>();

async function scoreOutput(
  pipeline: Pipeline<object>,
  candidate: object,
  vars: Readonly<Record<string, unknown>>,
  threshold: number | undefined,
): Promise<AssertionResult> {
  const ranking = await pipeline.rank([candidate], vars, { updateMemory: false, prune: false });
  const [refused] = ranking.refused;
  if (refused) return { pass: false, score: 0, reason: `refused by ${refused.by}: ${refused.reason}` };
  const { details } = ranking.explain({ index: 0 });
  const components = explanationParts({ details }).scorers.filter(({ value }) => value !== undefined);
  const score = ranking.ranked[0]?.score ?? 0;
  const [left] = ranking.notSelected;
  const isLow = threshold !== undefined && score < threshold;
  return {
    pass: !isLow && left === undefined,
    score,
    reason: `${pipeline.name}: ${formatNumber(score)}${isLow ? `, below ${threshold}` : ''}${left ? `, not selected: ${left.text}` : ''}`,
    namedScores: Object.fromEntries(components.map(({ id, value = 0 }) => [id, value])),
    componentResults: components.map(componentResult),
  };
}

/** A scorer cannot fail an output by itself: its number is a part of the score. */
const componentResult = ({ id, value = 0, text, error, details }: ScorerNode): AssertionResult => {
  const inside = details.filter(({ kind }) => kind === 'entry').map((entry) => entry.text);
  const why = [error ?? text, ...inside].filter((part) => part !== '').join('; ');
  return { pass: true, score: value, reason: why === '' ? id : `${id}: ${why}` };
};

function candidateFrom(output: unknown, { prompt, vars, metadata }: AssertionContext): object {
  const found = typeof output === 'string' ? parsed(output) : output;
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found;
  return { output, prompt, vars, metadata };
}

/** The value of a text that is JSON, as providers that return objects give them. */
function parsed(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
