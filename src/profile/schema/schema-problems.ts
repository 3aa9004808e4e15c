import * as z from 'zod';
import { didYouMean, type DataPath, locate, locateWithin, describeValue, type Problem } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { formatDataPath } from '../source/raw-profile.js';
import { CEL_DESCRIPTION, ID_PATTERN } from './entry-schemas.js';
import { keysAt, schemasAt } from './json-schema.js';

/** A value that was checked against a schema, and its path. */
interface SchemaCheck {
  readonly root: unknown;
  readonly path: DataPath;
  readonly schema: z.core.$ZodType;
  /** The class whose params they are. */
  readonly owner?: string | undefined;
}

function valueAt(root: unknown, path: DataPath): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const pathOf = (issue: SchemaIssue): DataPath => issue.path.filter((key) => typeof key !== 'symbol');

/** The issues of the branch of a union that matches the value best. */
function nearestBranch(branches: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] | undefined {
  const deep = branches.filter((issues) =>
    issues.some((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'),
  );
  return deep.length === 1 ? deep[0] : deep.toSorted((a, b) => a.length - b.length)[0];
}

/** The issue inside a child's wrapper. Transforms can only add custom issues, so they wrap others. */
function unwrapChildIssue(issue: SchemaIssue): SchemaIssue {
  const wrapped = issue.code === 'custom' ? (issue.params?.['issue'] as SchemaIssue | undefined) : undefined;
  return wrapped ? { ...wrapped, path: issue.path } : issue;
}

/** Converts zod's issues to problems with places. */
export function schemaProblems(issues: readonly SchemaIssue[], checked: SchemaCheck): Problem[] {
  return rootCauses(issues.map(unwrapChildIssue)).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      // The key __proto__ was refused at every depth before the schema check.
      return issue.keys
        .filter((key) => key !== '__proto__')
        .map((key) => unknownKeyProblem(key, pathOf(issue), checked));
    }
    const best = issue.code === 'invalid_union' ? nearestBranch(issue.errors) : undefined;
    if (!best) return [toProblem(issue, checked)];
    const placed = best.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    return schemaProblems(placed, checked);
  });
}

/** Keys that people often write instead of the right one and that are not similar to it. */
export const MEANT: Readonly<Record<string, string>> = { scorers: 'tier2_scorers', vetoes: 'tier1_scorers' };

/** Keys of entries, which are at the root of a profile if they are not indented. */
const ENTRY_KEYS = new Set(['id', 'class', 'expr', 'params', 'weight', 'when', 'range', 'on_absent', 'on_error']);

function unknownKeyProblem(key: string, local: DataPath, { root, path, schema }: SchemaCheck): Problem {
  const known = keysAt(schema, local);
  const at = [...path, ...local, key];
  // The rest of a text in a flow map that was cut at its comma.
  const isRest = /[^\w.-]/.test(key) && valueAt(root, at) === null;
  const meant = Object.hasOwn(MEANT, key) ? MEANT[key] : undefined;
  const isOfEntry = at.length === 1 && ENTRY_KEYS.has(key) && known.includes('tier2_scorers');
  const others = known.length > 0 ? `known here: ${known.join(', ')}` : undefined;
  return {
    code: 'ASZ201',
    message: `unknown key ${key}`,
    path: formatDataPath(at),
    place: locate(root, at, 'key'),
    hint: isRest
      ? 'quote a text that contains a comma'
      : isOfEntry
        ? `${key} belongs to an entry of a list: indent it like the id of the entry`
        : meant !== undefined && known.includes(meant)
          ? `did you mean ${meant}?`
          : didYouMean(key, known, others),
  };
}

function toProblem(issue: SchemaIssue, checked: SchemaCheck): Problem {
  const { root } = checked;
  const path = [...checked.path, ...pathOf(issue)];
  const details: Readonly<Record<string, unknown>> = (issue.code === 'custom' && issue.params) || {};
  const { offset } = details;
  const isKey = issue.code === 'invalid_key';
  const value = isKey ? path.at(-1) : valueAt(root, path);
  return {
    code: codeOf(issue, details['kind']),
    message: messageOf(issue, value, checked),
    path: formatDataPath(path),
    place: typeof offset === 'number' ? locateWithin(root, path, offset) : locate(root, path, isKey ? 'key' : 'value'),
    hint: typeof details['hint'] === 'string' ? details['hint'] : hintFor(issue, value, checked),
  };
}

function codeOf(issue: SchemaIssue, kind: unknown): Problem['code'] {
  if (kind === 'syntax') return 'ASZ401';
  if (kind === 'type') return 'ASZ402';
  if (kind === 'outside') return 'ASZ111';
  const isId = issue.code === 'invalid_format' && issue.pattern === String(ID_PATTERN);
  return issue.code === 'invalid_key' || isId ? 'ASZ204' : 'ASZ202';
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

function messageOf(issue: SchemaIssue, value: unknown, { owner, schema }: SchemaCheck): string {
  const local = pathOf(issue);
  const name = local.at(-1);
  // The schema's own message is complete: it expects nothing, or already names what was found.
  if (issue.code === 'custom' && ownExpectation(issue)?.includes(', found ') !== false) return issue.message;
  if (value === undefined && typeof name === 'string') {
    const what = owner === undefined ? name : `param ${formatDataPath(local)} of ${owner}`;
    const title = titleAt(schema, local);
    return `missing ${what}: expected ${title === undefined ? describeExpected(issue) : withArticle(title)}`;
  }
  // A problem between the keys of a map. That a map was found is not the problem.
  if (issue.code === 'custom' && typeof value === 'object') return issue.message;
  const expected = describeExpected(issue);
  if (typeof value === 'number' && !Number.isFinite(value))
    return `expected ${expected.replace('a number', 'a finite number')}, found ${value}`;
  const found = Array.isArray(value) && issue.code !== 'invalid_type' ? `a list of ${value.length}` : undefined;
  return `expected ${expected}, found ${found ?? describeValue(value)}`;
}

/** The title of a param's schema: a path, a duration. */
function titleAt(schema: z.core.$ZodType, path: DataPath): string | undefined {
  const [only, ...others] = schemasAt(schema, path).map((one) => z.globalRegistry.get(one)?.title);
  return others.length === 0 ? only : undefined;
}

/** Whether a schema is that of a CEL expression. */
const isExpressionSchema = (schema: z.core.$ZodType): boolean =>
  z.globalRegistry.get(schema)?.description === CEL_DESCRIPTION;

/** Words that are booleans in YAML 1.1 and texts in YAML 1.2. */
const YAML_1_1_BOOLEANS = new Map([
  ...['yes', 'y', 'on'].map((word) => [word, true] as const),
  ...['no', 'n', 'off'].map((word) => [word, false] as const),
]);

function hintFor(issue: SchemaIssue, value: unknown, { schema }: SchemaCheck): string | undefined {
  const wanted = issue.code === 'invalid_type' ? issue.expected : undefined;
  if (value === null) return 'a key without a value is null: add a value or remove the key';
  if (wanted === 'array' && isMap(value)) return 'write a list: [{ … }], or a dash before each';
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  if (wanted === 'string' && isScalar && schemasAt(schema, pathOf(issue)).some(isExpressionSchema))
    return `an expression is a text: '${value}'`;
  if (typeof value !== 'string') return undefined;
  const meant = wanted === 'boolean' ? YAML_1_1_BOOLEANS.get(value.toLowerCase()) : undefined;
  if (meant !== undefined) return `write ${meant}`;
  const percentage = /^(-?\d+(?:\.\d+)?) ?%$/.exec(value);
  if (percentage && describeExpected(issue).includes('number'))
    return `write ${Number((Number(percentage[1]) / 100).toPrecision(12))}`;
  const near = didYouMean(value, allowedValues(issue));
  if (near !== undefined) return near;
  if (issue.code !== 'invalid_type' || issue.expected !== 'array') return undefined;
  const items = schemasAt(schema, [...pathOf(issue), 0]);
  const item = /^[\w.-]+$/.test(value) ? value : JSON.stringify(value);
  return items.some((one) => one instanceof z.ZodString) ? `write a list: [${item}]` : undefined;
}

type SchemaIssue = z.core.$ZodIssue;

const EXPECTED = 'expected ';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  tuple: 'two numbers [least, most]',
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

/** The allowed values, if they are listed. */
function allowedValues(issue: SchemaIssue): string[] {
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
 * The expectation in a schema's own message, which is never zod's. By convention, it starts with "expected ", so that the
 * found value can be added. Plugins are documented to do the same.
 */
const ownExpectation = ({ message }: SchemaIssue): string | undefined =>
  message.startsWith(EXPECTED) ? message.slice(EXPECTED.length) : undefined;

/** What was expected, as a phrase. */
export const describeExpected = (issue: SchemaIssue): string =>
  joinAlternatives([...new Set(expectedAlternatives(issue))]);

/** Removes further issues of a value that has the wrong type: a function has a length, but not a string's. */
function rootCauses(issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  const mistyped = new Map(
    issues.flatMap((issue) => (issue.code === 'invalid_type' ? [[JSON.stringify(issue.path), issue] as const] : [])),
  );
  return issues.filter((issue) => (mistyped.get(JSON.stringify(issue.path)) ?? issue) === issue);
}
