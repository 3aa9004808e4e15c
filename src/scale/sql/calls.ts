import type { Context, Signals } from '../../sdk/index.js';
import { toError } from '../../base/index.js';
import {
  type CheckedNode,
  partsOf,
  compileClosures,
  type VariableBindings,
  CANDIDATE_VARIABLE,
} from '../../expression/index.js';
import type { Arithmetic } from './arithmetic.js';
import { Untranslatable } from './dialect.js';
import type { Fields } from './fields.js';
import {
  constant,
  kindOfValue,
  NEVER_UNCERTAIN,
  uncertainOf,
  orTrue,
  type SqlBool,
  type SqlKind,
  type SqlNumber,
  type SqlText,
  type SqlValue,
} from './values.js';

/** The translator of an expression's parts, as the functions in this file use it. */
export interface ExpressionParts {
  readonly numbers: Arithmetic;
  readonly fields: Fields;
  readonly run: RunFacts;
  number(tree: CheckedNode): SqlNumber;
  bool(tree: CheckedNode): SqlBool;
  text(tree: CheckedNode): SqlText;
  value(tree: CheckedNode, kind: SqlKind): SqlValue;
  /** The kind of a value if it is the same for all rows; otherwise undefined. */
  kindOf(tree: CheckedNode): SqlKind | undefined;
}

/** Whether a node is the candidate itself. */
export const isCandidate = (tree: CheckedNode): boolean => tree.op === 'variable' && tree.name === CANDIDATE_VARIABLE;

type Call = Extract<CheckedNode, { op: 'call' }>;
type CallOf<V> = (t: ExpressionParts, args: readonly CheckedNode[]) => V;

const unary =
  (apply: (t: ExpressionParts, x: SqlNumber) => SqlNumber): CallOf<SqlNumber> =>
  (t, [x]) =>
    apply(t, t.number(x!));

const extremum =
  (which: 'min' | 'max'): CallOf<SqlNumber> =>
  (t, [x, y]) => {
    if (!y) throw new Untranslatable(`${which}() of a list has no translation`);
    return t.numbers.extremum(which, t.number(x!), t.number(y));
  };

/** Functions that return a number. */
const NUMBERS: Readonly<Record<string, CallOf<SqlNumber>>> = {
  abs: unary(({ numbers }, x) => numbers.abs(x)),
  floor: unary(({ numbers }, x) => numbers.toInteger('floor', x)),
  ceil: unary(({ numbers }, x) => numbers.toInteger('ceil', x)),
  int: unary(({ numbers }, x) => numbers.truncate(x)),
  double: unary((_, x) => x),
  sqrt: unary(({ numbers }, x) => numbers.sqrt(x)),
  exp: unary(({ numbers }, x) => numbers.exp(x)),
  ln: unary(({ numbers }, x) => numbers.logarithm('ln', x)),
  log2: unary(({ numbers }, x) => numbers.logarithm('log2', x)),
  pow: (t, [x, y]) => t.numbers.power(t.number(x!), t.number(y!)),
  min: extremum('min'),
  max: extremum('max'),
  clamp: (t, [x, low, high]) => t.numbers.clamp(t.number(x!), t.number(low!), t.number(high!)),
  size: (t, [x]) => {
    if (t.kindOf(x!) !== 'string') throw new Untranslatable('size() of what may be a list has no translation');
    const { sql, uncertain } = t.text(x!);
    return { kind: 'number', sql: t.numbers.dialect.size(sql), error: undefined, most: 2 ** 32, uncertain };
  },
  timestamp: (t, [x]) => {
    if (x!.op === 'path' && isCandidate(x!.of)) return t.fields.millis(x!.steps);
    return t.number(x!);
  },
};

const textTest =
  (name: 'contains' | 'startsWith' | 'endsWith'): CallOf<SqlBool> =>
  (t, [x, y]) => {
    const [text, part] = [t.text(x!), t.text(y!)];
    return { kind: 'bool', sql: t.numbers.dialect[name](text.sql, part.sql), uncertain: uncertainOf(text, part) };
  };

/** Functions that return a boolean. */
const BOOLS: Readonly<Record<string, CallOf<SqlBool>>> = {
  contains: textTest('contains'),
  startsWith: textTest('startsWith'),
  endsWith: textTest('endsWith'),
};

/** Functions that return a string. */
const TEXTS: Readonly<Record<string, CallOf<SqlText>>> = {
  string: (t, [x]) => t.text(x!),
  /** Databases lower non-ASCII characters differently, so these rows are uncertain. */
  lower: (t, [x]) => {
    const { sql, uncertain } = t.text(x!);
    const { layers, dialect } = t.numbers;
    const text = layers.let(sql);
    return {
      kind: 'string',
      sql: dialect.lower(text),
      uncertain: [...uncertain, `(NOT ${orTrue(dialect.isAscii(text))})`],
    };
  },
};

function call<V>(table: Readonly<Record<string, CallOf<V>>>, t: ExpressionParts, { name, args }: Call): V {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found) return found(t, args);
  throw new Untranslatable(`${name}() has no translation`);
}

export const callNumber = (t: ExpressionParts, tree: Call): SqlNumber => call(NUMBERS, t, tree);
export const callBool = (t: ExpressionParts, tree: Call): SqlBool => call(BOOLS, t, tree);
export const callText = (t: ExpressionParts, tree: Call): SqlText => call(TEXTS, t, tree);

type Binary = Extract<CheckedNode, { op: 'binary' }>;

const EQUALITY = { '==': '=', '!=': '<>' } as const;

/** Translates a comparison. A row with values of different types is uncertain. */
export function comparison(t: ExpressionParts, tree: Binary): SqlBool {
  const { by, left, right } = tree;
  if (by === 'in') return isIn(t, left, right);
  if (by === '%') throw new Untranslatable('% does not return a boolean');
  const kind = t.kindOf(left) ?? t.kindOf(right);
  if (by !== '==' && by !== '!=') {
    // Databases order strings by code point or by locale, the engine by UTF-16.
    if (kind === 'string') throw new Untranslatable('an order of texts has no translation');
    return t.numbers.compare(by, t.number(left), t.number(right));
  }
  const operator = EQUALITY[by];
  if (kind === undefined) throw new Untranslatable(`${by} of two values of unknown types has no translation`);
  if (kind === 'number') return t.numbers.compare(operator, t.number(left), t.number(right));
  const [x, y] = [t.value(left, kind), t.value(right, kind)];
  return { kind: 'bool', sql: `(${x.sql} ${operator} ${y.sql})`, uncertain: uncertainOf(x, y) };
}

/** Translates `in` for a list that is the same for every row and whose values have one kind. */
function isIn(t: ExpressionParts, value: CheckedNode, list: CheckedNode): SqlBool {
  const found = runValue(t.run, list)?.value;
  if (!Array.isArray(found)) throw new Untranslatable('in a list of the candidate has no translation');
  const kinds = new Set<SqlKind | undefined>(found.map(kindOfValue));
  const [kind] = kinds;
  if (kinds.size !== 1 || kind === undefined) throw new Untranslatable('in a list of several types has no translation');
  const x = t.value(value, kind);
  if (x.kind === 'number' && x.error !== undefined) throw new Untranslatable('in, of a number that is not exact');
  const items = found.map((item: unknown) => constant(t.numbers.dialect, kind, item).sql);
  return { kind: 'bool', sql: `(${x.sql} IN (${items.join(', ')}))`, uncertain: x.uncertain };
}

export const isKind = <K extends SqlKind>(value: SqlValue, kind: K): value is Extract<SqlValue, { kind: K }> =>
  value.kind === kind;

/** Chooses one of two values by a condition; absent if the condition is NULL. */
export const chooseValue = <K extends 'bool' | 'string'>(
  kind: K,
  test: string,
  a: { sql: string },
  b: { sql: string },
) => ({
  kind,
  sql: `CASE WHEN ${test} THEN ${a.sql} WHEN NOT ${test} THEN ${b.sql} END`,
  uncertain: NEVER_UNCERTAIN,
});

/** The first value that is present. */
export const orElse = <K extends 'bool' | 'string'>(kind: K, a: SqlBool | SqlText, b: SqlBool | SqlText) => ({
  kind,
  sql: `coalesce(${a.sql}, ${b.sql})`,
  uncertain: uncertainOf(a, b),
});

const NAMES: Partial<Record<CheckedNode['op'], string>> = {
  macro: 'a macro over a list',
  list: 'a list',
  map: 'a map',
  index: 'a computed index',
  local: 'an element of a list',
};

export const untranslatable = (tree: CheckedNode, kind: string): Untranslatable =>
  new Untranslatable(`${NAMES[tree.op] ?? `${tree.op} as ${kind}`} has no translation`);

/** The values that are the same for every candidate of a run. */
export interface RunFacts {
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
}

const VARIABLES = new Set(['now', 'context', 'signals']);

/** Whether a part of an expression has the same value for every candidate. */
const isSameForAll = (tree: CheckedNode): boolean =>
  tree.op === 'variable' ? VARIABLES.has(tree.name) : partsOf(tree).every(isSameForAll);

/** The engine's value of a part that is the same for every candidate; undefined for other parts. */
export function runValue(run: RunFacts, tree: CheckedNode): { readonly value: unknown } | undefined {
  if (tree.op === 'local' || !isSameForAll(tree)) return undefined;
  try {
    const bindings = { now: () => run.now, context: contextBinding(run, tree), signals: () => run.signals };
    return { value: compileClosures(tree, bindings, { source: '', place: undefined })(undefined, 0) };
  } catch (error) {
    throw new Untranslatable(`it fails: ${toError(error).message}`);
  }
}

/** Binds the fields that are read, if the profile declares the context's fields; otherwise the whole context. */
function contextBinding({ context }: RunFacts, tree: CheckedNode): VariableBindings[string] {
  const names = fieldsRead(tree);
  if (names.length === 0) return () => context;
  return Object.fromEntries(names.map((name) => [name, () => context[name]]));
}

const fieldsRead = (tree: CheckedNode): readonly string[] =>
  tree.op === 'variable' && tree.name === 'context' && tree.field !== undefined
    ? [tree.field]
    : partsOf(tree).flatMap(fieldsRead);
