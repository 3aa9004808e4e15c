import { describeValue, z } from '../../../src/sdk.js';
import { conceptDepth } from './concept-depth-signal.js';
import { contradiction } from './contradiction-signal.js';
import { emotional } from './emotional-signal.js';
import { knowledgeCeiling } from './knowledge-ceiling-signal.js';
import { reasoningQuality } from './reasoning-signal.js';
import { uncertainty } from './uncertainty-signal.js';

/** The qualitative signals, by name. A model's answer has each under its name with `_signal`. */
export const QUALITATIVE_SIGNALS = {
  uncertainty,
  reasoning: reasoningQuality,
  emotional,
  contradiction,
  knowledge_ceiling: knowledgeCeiling,
  concept_depth: conceptDepth,
};

export type QualitativeSignalName = keyof typeof QUALITATIVE_SIGNALS;

export const QUALITATIVE_SIGNAL_NAMES = Object.keys(QUALITATIVE_SIGNALS) as [
  QualitativeSignalName,
  ...QualitativeSignalName[],
];

/** Every signal: null where the conversation shows nothing of it, or what the model said of it was wrong. */
export type QualitativeSignals = {
  readonly [K in QualitativeSignalName]: z.output<(typeof QUALITATIVE_SIGNALS)[K]> | null;
};

/** What was wrong with the model's answer, by signal. */
export type QualitativeSignalErrors = Readonly<Partial<Record<QualitativeSignalName, string>>>;

/** What a language model read in a conversation. */
export interface Reading extends QualitativeSignals {
  readonly errors: QualitativeSignalErrors;
  /** The model that answered. */
  readonly model: string;
  /** How many tokens that took. */
  readonly tokens: number;
}

/** Reads a model's answer, each signal alone: a wrong one loses no other. Other keys are left alone. */
export function readQualitativeSignals(
  answer: Readonly<Record<string, unknown>>,
): QualitativeSignals & Pick<Reading, 'errors'> {
  const errors: Partial<Record<QualitativeSignalName, string>> = {};
  const read = <K extends QualitativeSignalName>(name: K): z.output<(typeof QUALITATIVE_SIGNALS)[K]> | null => {
    const key = `${name}_signal`;
    const said = Object.hasOwn(answer, key) ? answer[key] : undefined;
    if (said === undefined || said === null || isEmpty(said)) return null;
    const { success, data, error } = QUALITATIVE_SIGNALS[name].safeParse(said);
    if (!success) errors[name] = issuesText(said, error.issues);
    return (data as z.output<(typeof QUALITATIVE_SIGNALS)[K]> | undefined) ?? null;
  };
  return {
    uncertainty: read('uncertainty'),
    reasoning: read('reasoning'),
    emotional: read('emotional'),
    contradiction: read('contradiction'),
    knowledge_ceiling: read('knowledge_ceiling'),
    concept_depth: read('concept_depth'),
    errors,
  };
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** How many mistakes are told. */
const MAX_ISSUES = 3;

/** What is wrong with a signal: `severity is the string "0.4"; expected a number from 0 to 1`. */
const issuesText = (said: unknown, issues: readonly z.core.$ZodIssue[]): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) =>
      path.length === 0
        ? `it is ${describeValue(said)}; expected a map`
        : `${pathText(path)} is ${describeValue(valueAt(said, path))}; expected ${message}`,
    )
    .concat(issues.length > MAX_ISSUES ? [`${issues.length - MAX_ISSUES} more`] : [])
    .join(', and ');

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`)).join('');

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, key) => Reflect.get(Object(inside) as object, key), value);
