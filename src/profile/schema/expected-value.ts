import type * as z from 'zod';

export type SchemaIssue = z.core.$ZodIssue;

const EXPECTED = 'expected ';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** `a`, `a or b`, `a, b or c`. */
const joinAlternatives = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

const stringBound = (relation: string, limit: number | bigint): string =>
  relation === 'at least' && limit <= 1 ? 'a string that is not empty' : `a string of ${relation} ${limit} characters`;

const describeBound = (origin: string, relation: string, limit: number | bigint): string =>
  origin === 'array'
    ? `a list of ${relation} ${limit}`
    : origin === 'string'
      ? stringBound(relation, limit)
      : relation.startsWith('at ')
        ? `a number of ${relation} ${limit}`
        : `a number ${relation} ${limit}`;

/** The allowed values, where they are listed. */
export function allowedValues(issue: SchemaIssue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union') return [];
  if ('options' in issue) return (issue.options ?? []).map(String);
  return issue.errors.flat().flatMap(allowedValues);
}

function expectedAlternatives(issue: SchemaIssue): string[] {
  switch (issue.code) {
    case 'invalid_type':
      return [TYPE_NAMES[issue.expected] ?? issue.expected];
    case 'invalid_value':
      return allowedValues(issue);
    case 'invalid_union':
      return issue.errors.length > 0
        ? issue.errors.flatMap((branch) => rootCauses(branch).flatMap(expectedAlternatives))
        : allowedValues(issue);
    case 'too_small':
      return [describeBound(issue.origin, issue.inclusive ? 'at least' : 'above', issue.minimum)];
    case 'too_big':
      return [describeBound(issue.origin, issue.inclusive ? 'at most' : 'below', issue.maximum)];
    case 'invalid_key':
      return rootCauses(issue.issues).flatMap(expectedAlternatives);
    case 'invalid_format':
      return [ownExpectation(issue) ?? `a string that matches ${issue.pattern ?? issue.format}`];
    case 'not_multiple_of':
      return [`a multiple of ${issue.divisor}`];
    default:
      return [ownExpectation(issue) ?? issue.message];
  }
}

/**
 * What a schema's own message (never zod's) expects. Ours, and by their documentation those of plugins, start with
 * "expected ", so that what was found can be added.
 */
export const ownExpectation = ({ message }: SchemaIssue): string | undefined =>
  message.startsWith(EXPECTED) ? message.slice(EXPECTED.length) : undefined;

/** What was expected, in a few words. */
export const describeExpected = (issue: SchemaIssue): string =>
  joinAlternatives([...new Set(expectedAlternatives(issue))]);

/** The issues without those of a value that also has the wrong type: a function has a length, but not a string's. */
export function rootCauses(issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  const mistyped = new Map(
    issues.flatMap((issue) => (issue.code === 'invalid_type' ? [[JSON.stringify(issue.path), issue] as const] : [])),
  );
  return issues.filter((issue) => (mistyped.get(JSON.stringify(issue.path)) ?? issue) === issue);
}
