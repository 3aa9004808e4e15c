import { z } from 'zod';
import type { Problem } from '../contract/index.js';
import { locate, placeWithin } from '../document/places.js';
import { describeValue } from '../expression/describe.js';
import { suggest } from '../expression/suggest.js';

type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];

/** How a path is written in messages: `tier2_scorers[0].params.field`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${key}` : key), '');

const NAMES: Readonly<Record<string, string>> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

const nameOf = (type: string): string => NAMES[type] ?? type;

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** What may stand where the schema was asked, for "did you mean". */
function keysOf(schema: z.core.$ZodType | undefined, path: Path): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => keysOf(option, path));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return keysOf(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodPipe) return keysOf(schema.in, path);
  if (schema instanceof z.ZodLazy) return keysOf(schema.unwrap(), path);
  const [key, ...rest] = path;
  if (schema instanceof z.ZodArray) return keysOf(schema.element, rest);
  if (schema instanceof z.ZodRecord) return keysOf(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return key === undefined ? Object.keys(schema.shape) : keysOf(schema.shape[key], rest);
}

/** Of the ways that a union could be meant, the one that the value came nearest to. */
function nearest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const deep = branches.filter((issues) =>
    issues.some((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'),
  );
  return deep.length === 1 ? deep[0] : deep.toSorted((a, b) => a.length - b.length)[0];
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return nameOf(issue.expected);
    case 'invalid_value':
      return issue.values
        .map(String)
        .join(', ')
        .replace(/, ([^,]*)$/, ' or $1');
    case 'too_small':
      return bound(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum);
    case 'too_big':
      return bound(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum);
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap((branch) => branch.map(expectation)))].join(' or ');
    default:
      return issue.message.replace(/^expected /, '');
  }
}

const bound = (origin: string, relation: string, limit: number | bigint): string =>
  origin === 'array'
    ? `${relation} ${limit} in the list`
    : origin === 'string'
      ? 'a text that is not empty'
      : `${relation} ${limit}`;

/** A child's issue comes wrapped, because a transform may only add custom ones. */
function unwrapped(issue: Issue): Issue {
  const inner = issue.code === 'custom' ? (issue.params?.['issue'] as Issue | undefined) : undefined;
  return inner ? { ...inner, path: issue.path } : issue;
}

/** What zod found, as problems with places. */
export function schemaProblems(
  issues: readonly Issue[],
  root: unknown,
  schema: z.core.$ZodType,
  base: Path = [],
): Problem[] {
  return issues.flatMap((wrapped) => {
    const issue = unwrapped(wrapped);
    const local = issue.path.filter((key) => typeof key !== 'symbol');
    const path = [...base, ...local];
    if (issue.code === 'unrecognized_keys') {
      const known = keysOf(schema, local);
      return issue.keys.map((key) => unknownKey(key, path, known, root));
    }
    if (issue.code === 'invalid_union') {
      const best = nearest(issue.errors);
      if (best)
        return schemaProblems(
          best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
          root,
          schema,
          base,
        );
    }
    return [plain(issue, path, root)];
  });
}

/** The place inside a text, where a path or an expression says which character is wrong. */
function within(root: unknown, path: Path, offset: unknown): Problem['place'] {
  const container = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof offset !== 'number' || key === undefined || typeof container !== 'object' || container === null)
    return undefined;
  return placeWithin(container, key, offset);
}

function unknownKey(key: string, path: Path, known: readonly string[], root: unknown): Problem {
  const near = suggest(key, known);
  return {
    code: 'ASZ201',
    message: `unknown key ${key}`,
    path: pathText([...path, key]),
    place: locate(root, [...path, key], 'key'),
    hint: near ? `did you mean ${near}?` : known.length > 0 ? `known here: ${known.join(', ')}` : undefined,
  };
}

function plain(issue: Issue, path: Path, root: unknown): Problem {
  const value = valueAt(root, path);
  const last = path.at(-1);
  const missing = value === undefined && typeof last === 'string';
  const own = issue.code === 'custom' && (!issue.message.startsWith('expected ') || issue.message.includes(', found '));
  const near =
    issue.code === 'invalid_value' && typeof value === 'string' ? suggest(value, issue.values.map(String)) : undefined;
  const said: Readonly<Record<string, unknown>> = (issue.code === 'custom' && issue.params) || {};
  return {
    code: 'ASZ202',
    message: own
      ? issue.message
      : missing
        ? `missing ${last}: expected ${expectation(issue)}`
        : `expected ${expectation(issue)}, found ${describeValue(value)}`,
    path: pathText(path),
    place: within(root, path, said['offset']) ?? locate(root, path, 'value'),
    hint: near ? `did you mean ${near}?` : typeof said['hint'] === 'string' ? said['hint'] : undefined,
  };
}
