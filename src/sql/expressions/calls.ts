import type { CheckedNode } from '../../expression/cel/checked-node.js';
import { type ExpressionParts, isCandidate } from './expression-parts.js';
import { exp, logarithm, power, sqrt } from '../values/functions.js';
import { Untranslatable } from '../untranslatable.js';
import { oddOf, orTrue, type SqlBool, type SqlNumber, type SqlText } from '../values/values.js';

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

/** The functions that give a number. */
const NUMBERS: Readonly<Record<string, CallOf<SqlNumber>>> = {
  abs: unary(({ numbers }, x) => numbers.abs(x)),
  floor: unary(({ numbers }, x) => numbers.toInteger('floor', x)),
  ceil: unary(({ numbers }, x) => numbers.toInteger('ceil', x)),
  int: unary(({ numbers }, x) => numbers.truncate(x)),
  double: unary((_, x) => x),
  sqrt: unary(({ numbers }, x) => sqrt(numbers, x)),
  exp: unary(({ numbers }, x) => exp(numbers, x)),
  ln: unary(({ numbers }, x) => logarithm(numbers, 'ln', x)),
  log2: unary(({ numbers }, x) => logarithm(numbers, 'log2', x)),
  pow: (t, [x, y]) => power(t.numbers, t.number(x!), t.number(y!)),
  min: extremum('min'),
  max: extremum('max'),
  clamp: (t, [x, low, high]) => {
    const raised = t.numbers.extremum('max', t.number(x!), t.number(low!));
    return t.numbers.extremum('min', raised, t.number(high!));
  },
  size: (t, [x]) => {
    if (t.kindOf(x!) !== 'string') throw new Untranslatable('size() of what may be a list has no translation');
    const { sql, odd } = t.text(x!);
    return { kind: 'number', sql: t.numbers.dialect.size(sql), error: undefined, most: 2 ** 32, odd };
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
    return { kind: 'bool', sql: t.numbers.dialect[name](text.sql, part.sql), odd: oddOf(text, part) };
  };

/** The functions that give true or false. */
const BOOLS: Readonly<Record<string, CallOf<SqlBool>>> = {
  contains: textTest('contains'),
  startsWith: textTest('startsWith'),
  endsWith: textTest('endsWith'),
};

/** The functions that give a text. */
const TEXTS: Readonly<Record<string, CallOf<SqlText>>> = {
  string: (t, [x]) => t.text(x!),
  /** Beyond ASCII, every database has its own lower case. */
  lower: (t, [x]) => {
    const { sql, odd } = t.text(x!);
    const { layers, dialect } = t.numbers;
    const text = layers.let(sql);
    return { kind: 'string', sql: dialect.lower(text), odd: [...odd, `(NOT ${orTrue(dialect.isAscii(text))})`] };
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
