import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { evaluateExpression } from '../../src/expression/parse-expression.js';
import { ExpressionError, ExpressionEvaluationError } from '../../src/expression/scope.js';
import { isObject } from '../../src/base/index.js';
import { packageRoot } from '../../src/base/package-root.js';
import type { Family } from './family.js';
import type { SkipName } from './skips.js';
import { skip, sum, type Tally } from './tally.js';
/** A value as the suite writes it: its one key is its type, as in `{ int64Value: "3" }`. */
type SuiteValue = Readonly<Record<string, unknown>>;

/** A case of CEL's conformance tests. It has a value or an error. */
export interface CelCase {
  /** The suite's file, and the section in it. */
  readonly file: string;
  readonly section: string;
  readonly name: string;
  readonly expr: string;
  readonly value?: SuiteValue;
  readonly error?: string;
  readonly bindings?: Readonly<Record<string, SuiteValue>>;
}

/**
 * The outcome of a case: `refused` is an error instead of a value, `wrong` is another value, `unseen` is a value
 * instead of an error.
 */
export type CelOutcome = 'pass' | 'refused' | 'wrong' | 'unseen';

/** The applicable cases of CEL's conformance tests. */
export const celCases = (): readonly CelCase[] =>
  readFileSync(join(packageRoot(), 'test/fixtures/cel-spec/cases.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CelCase);

/** The name of a case in reports. */
export const caseName = ({ file, section, name }: CelCase): string => `${file}/${section}/${name}`;

/** How an implementation evaluates an expression: it returns a value, undefined for absence, or throws. */
export type CelEvaluator = (text: string, variables: Readonly<Record<string, unknown>>) => unknown;

const evaluateOurs: CelEvaluator = (text, variables) => {
  try {
    return evaluateExpression(text, variables);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof ExpressionEvaluationError) throw error;
    throw new Error(`an unexpected error for ${text}`, { cause: error }); // never counts as an outcome: see outcomeOf
  }
};

/** An error of CEL that is an absent value in Assize: a key, field, or element that does not exist. */
const MISSING =
  /no such key|no_such_field|no such field|index out of (bounds|range)|invalid_argument|invalid argument/i;

/** The outcome of a case, and the value or error that was found. */
export function outcomeOf(
  one: CelCase,
  evaluate: CelEvaluator = evaluateOurs,
): { readonly outcome: CelOutcome; readonly found: unknown } {
  const variables = Object.fromEntries(
    Object.entries(one.bindings ?? {}).map(([name, value]) => [name, plainValue(value)]),
  );
  let found: unknown;
  try {
    found = evaluate(one.expr, variables);
  } catch (error) {
    if (error instanceof Error && error.cause) throw error;
    return { outcome: one.value ? 'refused' : 'pass', found: error };
  }
  if (!one.value) return { outcome: found === undefined && MISSING.test(one.error ?? '') ? 'pass' : 'unseen', found };
  return { outcome: isSame(plainValue(one.value), found) ? 'pass' : 'wrong', found };
}

/** A value in JavaScript. Integers become doubles, times milliseconds, and null is absent. */
function plainValue(value: SuiteValue): unknown {
  const [[kind, content] = ['nullValue', null]] = Object.entries(value);
  switch (kind) {
    case 'int64Value':
    case 'uint64Value':
    case 'doubleValue':
      return Number(content);
    case 'listValue':
      return listOf(content, 'values').map(plainValue);
    case 'mapValue':
      return Object.fromEntries(
        listOf(content, 'entries').map(({ key, value: inner }) => [
          String(plainValue(key as SuiteValue)),
          plainValue(inner as SuiteValue),
        ]),
      );
    case 'objectValue':
      return isObject(content) ? timeOf(String(content['value'])) : undefined;
    default:
      return content;
  }
}

const listOf = (content: unknown, key: string): readonly SuiteValue[] =>
  isObject(content) && Array.isArray(content[key]) ? (content[key] as readonly SuiteValue[]) : [];

/** The milliseconds of a timestamp, or of a duration such as `1.5s`. */
const timeOf = (text: string): number => (text.endsWith('s') ? Number(text.slice(0, -1)) * 1000 : Date.parse(text));

/** Whether two values are equal. Zero has no sign, and the prototype of a map does not matter. */
function isSame(expected: unknown, result: unknown): boolean {
  const found: unknown =
    result instanceof Map ? Object.fromEntries([...result].map(([key, value]) => [String(key), value])) : result;
  if (expected === null) return found === undefined || found === null;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(found) &&
      expected.length === found.length &&
      expected.every((value, n) => isSame(value, (found as readonly unknown[])[n]))
    );
  }
  if (!isObject(expected)) return expected === found || isDeepStrictEqual(expected, found);
  if (!isObject(found) || Array.isArray(found)) return false;
  const keys = Object.keys(expected);
  return (
    keys.length === Object.keys(found).length &&
    keys.every((key) => Object.hasOwn(found, key) && isSame(expected[key], found[key]))
  );
}

/** The cases that do not pass, by file of the suite and reason, and the number of those that pass. */
interface Differences {
  readonly passing: number;
  readonly differences: Readonly<Record<string, Readonly<Partial<Record<SkipName, readonly string[]>>>>>;
}

export const celDifferences = (): Differences =>
  JSON.parse(readFileSync(join(packageRoot(), 'test/fixtures/cel-spec/differences.json'), 'utf8')) as Differences;

/** Runs all cases. A case that fails has a reason in the table of differences; any other outcome is a failure. */
export function celTally(): Tally {
  const reasons = new Map<string, SkipName>();
  for (const [file, byReason] of Object.entries(celDifferences().differences)) {
    for (const [reason, names] of Object.entries(byReason)) {
      for (const name of names) reasons.set(`${file}/${name}`, reason as SkipName);
    }
  }
  const { passed, failed, skipped } = sum(
    ...celCases().map((one): Tally => {
      const { outcome, found } = outcomeOf(one);
      const name = caseName(one);
      const reason = reasons.get(name);
      if (outcome === 'pass' && reason === undefined) return { passed: 1, failed: [], skipped: [] };
      if (reason !== undefined && (outcome === 'refused' || outcome === 'unseen')) return skip(reason, 1);
      const expected = outcome === 'pass' ? `a difference (${reason})` : JSON.stringify(one.value ?? one.error);
      return { passed: 0, failed: [{ name, expected, found: String(found) }], skipped: [] };
    }),
  );
  const names = [...new Set(skipped.map(({ name }) => name))];
  const counted = names.map((name) => ({ name, cases: skipped.filter((one) => one.name === name).length }));
  return { passed, failed, skipped: counted };
}

/** CEL's own conformance tests. They are in this package. */
export const cel: Family = {
  name: 'cel',
  checks: [{ file: 'test/fixtures/cel-spec/cases.jsonl', own: true, run: () => Promise.resolve(celTally()) }],
};
