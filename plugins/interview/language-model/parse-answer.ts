import { describeValue, isMap, ownValue, type z } from '../../../src/sdk.js';
import {
  QUALITATIVE_SIGNALS,
  type QualitativeSignal,
  type QualitativeSignalName,
  type QualitativeSignals,
  type Reading,
} from './qualitative-signals.js';

/** Parses a model's answer, each signal by itself: a malformed one invalidates no other. Other keys are ignored. */
export function parseAnswer(answer: Readonly<Record<string, unknown>>): QualitativeSignals & Pick<Reading, 'errors'> {
  const errors: Partial<Record<QualitativeSignalName, string>> = {};
  const parse = <K extends QualitativeSignalName>(name: K): QualitativeSignal<K> | null => {
    const key = `${name}_signal`;
    const value = ownValue(answer, key);
    if (value === undefined || isEmpty(value)) return null;
    const { success, data, error } = QUALITATIVE_SIGNALS[name].safeParse(value);
    if (!success) errors[name] = issuesText(value, error.issues);
    return (data as QualitativeSignal<K> | undefined) ?? null;
  };
  return {
    uncertainty: parse('uncertainty'),
    reasoning: parse('reasoning'),
    emotional: parse('emotional'),
    contradiction: parse('contradiction'),
    knowledge_ceiling: parse('knowledge_ceiling'),
    concept_depth: parse('concept_depth'),
    errors,
  };
}

const isEmpty = (value: unknown): boolean => isMap(value) && Object.keys(value).length === 0;

/** The most issues that are reported of one signal. */
const MAX_ISSUES = 3;

/** Describes the issues of a signal: `severity is the string "0.4"; expected a number from 0 to 1`. */
const issuesText = (value: unknown, issues: readonly z.core.$ZodIssue[]): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) =>
      path.length === 0
        ? `it is ${describeValue(value)}; expected a map`
        : `${pathText(path)} is ${describeValue(valueAt(value, path))}; expected ${message}`,
    )
    .concat(issues.length > MAX_ISSUES ? [`${issues.length - MAX_ISSUES} more`] : [])
    .join(', and ');

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`)).join('');

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inside, key) => Reflect.get(Object(inside) as object, key), value);
