import type { Random } from './random.js';

const NAMES = ['candidate', 'context', 'now', 'signals', 'x', 'y', '__proto__', 'score', 'constructor'];
const FIELDS = ['a', 'b', 'list', 'map', 'text', 'none', '__proto__', 'length', 'constructor', '0'];
const LITERALS = [
  '0',
  '1',
  '-1',
  '0.5',
  '1e308',
  '-0.0',
  '"a"',
  '""',
  "'é'",
  'true',
  'false',
  'null',
  '[]',
  '{}',
  '[1, 2, 3]',
  'b"x"',
];
const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', 'in'];
const FUNCTIONS = [
  'abs',
  'floor',
  'sqrt',
  'exp',
  'ln',
  'pow',
  'min',
  'max',
  'clamp',
  'sum',
  'size',
  'distinct',
  'lower',
  'double',
  'int',
  'string',
  'timestamp',
  'duration',
  'has',
  'contains',
];
const MACROS = ['all', 'exists', 'exists_one', 'filter', 'map'];

/** An expression that often parses, and sometimes makes sense. */
export function randomExpression(random: Random, depth = 5): string {
  const inner = (): string => randomExpression(random, depth - 1);
  const field = (): string => `candidate.${random.pick(FIELDS)}`;
  if (depth <= 0 || random.chance(0.15)) {
    return random.chance(0.6) ? field() : random.pick([...LITERALS, ...NAMES]);
  }
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
      return `(${inner()} ${random.pick(OPERATORS)} ${inner()})`;
    case 3:
      return `(${inner()} ? ${inner()} : ${inner()})`;
    case 4:
      return `${random.pick(['-', '!'])}${inner()}`;
    case 5:
    case 6:
      return `${random.pick(FUNCTIONS)}(${random.list(3, inner).join(', ')})`;
    case 7:
      return `${random.chance(0.5) ? 'candidate.list' : inner()}.${random.pick(MACROS)}(${random.pick(['x', 'y'])}, ${inner()})`;
    case 8:
      return `[${random.list(4, inner).join(', ')}]`;
    case 9:
      return `{"${random.pick(FIELDS)}": ${inner()}}.${random.pick(FIELDS)}`;
    case 10:
      return `${field()}.orValue(${inner()})`;
    default:
      return `${inner()}[${inner()}]`;
  }
}
