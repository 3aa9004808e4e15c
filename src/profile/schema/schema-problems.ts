import { z } from 'zod';
import { describeValue } from '../../diagnostics/describe-value.js';
import { didYouMean } from '../../diagnostics/did-you-mean.js';
import { locate, locateWithin, type DataPath as Path } from '../../diagnostics/places.js';
import type { Problem } from '../../diagnostics/problem.js';
import { isMap } from '../../expression/is-map.js';
import { CEL_DESCRIPTION, ID_MESSAGE } from './entry-schemas.js';
import { allowedValues, describeExpected, rootCauses, type SchemaIssue } from './expected-value.js';
import { keysAt, schemasAt } from './schema-walk.js';

/** How a path is written in messages: `tier2_scorers[0].params.field`. */
export const formatDataPath = (path: Path): string =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${key}` : key), '');

/** What was held to a schema, and where it stands. */
export interface SchemaCheck {
  readonly root: unknown;
  readonly path: Path;
  readonly schema: z.core.$ZodType;
  /** The class whose params it is. */
  readonly owner?: string | undefined;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const pathOf = (issue: SchemaIssue): Path => issue.path.filter((key) => typeof key !== 'symbol');

/** Of the ways that a union could be meant, the one that the value came nearest to. */
function nearestBranch(branches: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] | undefined {
  const deep = branches.filter((issues) =>
    issues.some((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'),
  );
  return deep.length === 1 ? deep[0] : deep.toSorted((a, b) => a.length - b.length)[0];
}

/** A child's issue comes wrapped, because a transform may only add custom ones. */
function unwrapChildIssue(issue: SchemaIssue): SchemaIssue {
  const wrapped = issue.code === 'custom' ? (issue.params?.['issue'] as SchemaIssue | undefined) : undefined;
  return wrapped ? { ...wrapped, path: issue.path } : issue;
}

/** What zod found, as problems with places. */
export function schemaProblems(issues: readonly SchemaIssue[], checked: SchemaCheck): Problem[] {
  return rootCauses(issues.map(unwrapChildIssue)).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      // The name __proto__ is refused wherever it stands, before anything is held to a schema.
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

function unknownKeyProblem(key: string, local: Path, { root, path, schema }: SchemaCheck): Problem {
  const known = keysAt(schema, local);
  const at = [...path, ...local, key];
  // The rest of a text that was cut at its comma, in a map on one line.
  const isRest = /[^\w.-]/.test(key) && valueAt(root, at) === null;
  const others = known.length > 0 ? `known here: ${known.join(', ')}` : undefined;
  return {
    code: 'ASZ201',
    message: `unknown key ${key}`,
    path: formatDataPath(at),
    place: locate(root, at, 'key'),
    hint: isRest ? 'a text that holds a comma goes in quotes' : didYouMean(key, known, others),
  };
}

function toProblem(issue: SchemaIssue, checked: SchemaCheck): Problem {
  const { root } = checked;
  const path = [...checked.path, ...pathOf(issue)];
  const said: Readonly<Record<string, unknown>> = (issue.code === 'custom' && issue.params) || {};
  const { offset } = said;
  const isKey = issue.code === 'invalid_key';
  const value = isKey ? path.at(-1) : valueAt(root, path);
  return {
    code: codeOf(issue, said['kind']),
    message: messageOf(issue, value, checked),
    path: formatDataPath(path),
    place: typeof offset === 'number' ? locateWithin(root, path, offset) : locate(root, path, isKey ? 'key' : 'value'),
    hint: typeof said['hint'] === 'string' ? said['hint'] : hintFor(issue, value, checked),
  };
}

function codeOf(issue: SchemaIssue, kind: unknown): Problem['code'] {
  if (kind === 'syntax') return 'ASZ401';
  if (kind === 'type') return 'ASZ402';
  return issue.code === 'invalid_key' || issue.message === ID_MESSAGE ? 'ASZ204' : 'ASZ202';
}

function messageOf(issue: SchemaIssue, value: unknown, { owner, schema }: SchemaCheck): string {
  const local = pathOf(issue);
  const name = local.at(-1);
  const own = issue.code === 'custom' && (!issue.message.startsWith('expected ') || issue.message.includes(', found '));
  if (own) return issue.message;
  if (value === undefined && typeof name === 'string') {
    const what = owner === undefined ? name : `param ${formatDataPath(local)} of ${owner}`;
    const title = titleAt(schema, local);
    return `missing ${what}: expected ${title === undefined ? describeExpected(issue) : `a ${title}`}`;
  }
  // What is wrong between the keys of a map is not that it is one.
  if (issue.code === 'custom' && typeof value === 'object') return issue.message;
  const expected = describeExpected(issue);
  if (typeof value === 'number' && !Number.isFinite(value))
    return `expected ${expected.replace('a number', 'a finite number')}, found ${value}`;
  const found = Array.isArray(value) && issue.code !== 'invalid_type' ? `a list of ${value.length}` : undefined;
  return `expected ${expected}, found ${found ?? describeValue(value)}`;
}

/** What a param calls what it wants: a path, a duration. */
function titleAt(schema: z.core.$ZodType, path: Path): string | undefined {
  const [only, ...others] = schemasAt(schema, path).map((one) => z.globalRegistry.get(one)?.title);
  return others.length === 0 ? only : undefined;
}

/** Whether a text is meant as an expression. */
const isExpressionSchema = (schema: z.core.$ZodType): boolean =>
  z.globalRegistry.get(schema)?.description === CEL_DESCRIPTION;

/** What YAML 1.1 read as true and false; 1.2 reads texts. */
const YAML_1_1_BOOLEANS = new Map([
  ...['yes', 'y', 'on'].map((word) => [word, true] as const),
  ...['no', 'n', 'off'].map((word) => [word, false] as const),
]);

function hintFor(issue: SchemaIssue, value: unknown, { schema }: SchemaCheck): string | undefined {
  const wanted = issue.code === 'invalid_type' ? issue.expected : undefined;
  if (value === null) return 'a key without a value is null: give it one, or leave it out';
  if (wanted === 'array' && isMap(value)) return 'write a list: [{ … }], or a dash before each';
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  if (wanted === 'string' && isScalar && schemasAt(schema, pathOf(issue)).some(isExpressionSchema))
    return `an expression is a text: '${value}'`;
  if (typeof value !== 'string') return undefined;
  const meant = wanted === 'boolean' ? YAML_1_1_BOOLEANS.get(value.toLowerCase()) : undefined;
  if (meant !== undefined) return `write ${meant}`;
  const near = didYouMean(value, allowedValues(issue));
  if (near !== undefined) return near;
  if (issue.code !== 'invalid_type' || issue.expected !== 'array') return undefined;
  const items = schemasAt(schema, [...pathOf(issue), 0]);
  const item = /^[\w.-]+$/.test(value) ? value : JSON.stringify(value);
  return items.some((one) => one instanceof z.ZodString) ? `write a list: [${item}]` : undefined;
}
