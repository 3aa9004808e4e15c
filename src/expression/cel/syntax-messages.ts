import type { ParseError } from '@marcbachmann/cel-js';
import { matchAt } from '../path/path-syntax.js';
import { LIMITS, type Limit, syntaxErrorOf } from './parser.js';

interface SyntaxMessage {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The tokens that the parser may expect alone, each as it is written and as messages name it. */
const TOKENS = [
  { text: ')', title: '")"' },
  { text: ']', title: '"]"' },
  { text: '}', title: '"}"' },
  { text: ':', title: '":"' },
  { text: 'x', title: 'a name' },
] as const;

/**
 * The token that the parser expects at an offset. Its error names it in prose alone: with the right token inserted
 * there, the error is gone or further on.
 */
const expectedToken = (source: string, at: number): (typeof TOKENS)[number] | undefined =>
  TOKENS.find(({ text }) => {
    const error = syntaxErrorOf(`${source.slice(0, at)} ${text} ${source.slice(at)}`);
    return error === undefined || (error.range?.start ?? 0) > at + 1;
  });

/** Operators of other languages, and how CEL writes them. */
const FOREIGN_OPERATORS: Readonly<Record<string, string>> = {
  and: 'write &&',
  or: 'write ||',
  not: 'write !',
  is: 'write ==',
  if: 'write condition ? one : other',
  '=': 'equality is ==',
  '===': 'equality is ==',
  '!==': 'inequality is !=',
  '&': 'write &&',
  '|': 'write ||',
  '<>': 'inequality is !=',
  '??': 'write x.orValue(y)',
  '**': 'write pow(x, y)',
  '^': 'write pow(x, y)',
  '`': "write 'text'",
  '?.': 'write .?',
};

/** The text under a word that a user wrote: `__proto__` and `constructor` are words, too. */
const ownText = (texts: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.hasOwn(texts, word) ? texts[word] : undefined;

const SIGN = /===|!==|<>|\?\?|\?\.|\*\*|[=&|^`]/y;
const WORD = /[A-Za-z_]\w*/y;

/** The word at an offset, or the whole operator that a sign there is a part of. */
function foundAt(source: string, at: number): string | undefined {
  for (const start of [at - 2, at - 1, at]) {
    const sign = matchAt(SIGN, source, Math.max(start, 0))?.[0];
    if (sign !== undefined && start + sign.length > at) return sign;
  }
  return matchAt(WORD, source, at)?.[0];
}

const OPERAND_BEFORE = /(?<![\w.)\]])[A-Za-z_]\w*(?:\.\??\w+|\["[^"\]]*"\]|\[\d+\])*\s*$/;
const OPERAND_AFTER = /^\s*([\w.]+|"[^"\\]*"|'[^'\\]*')\s*(?:$|[),:\]}])/;
/** Operands that are longer are not written out. */
const MAX_OPERAND = 60;

/** How CEL writes `x ?? y`, with its operands where they are simple. */
function coalescingHint(source: string, at: number): string | undefined {
  const sign = source.lastIndexOf('??', at);
  const before = OPERAND_BEFORE.exec(source.slice(Math.max(0, sign - MAX_OPERAND - 1), sign))?.[0];
  const after = OPERAND_AFTER.exec(source.slice(sign + 2, sign + 2 + MAX_OPERAND))?.[1];
  if (sign < 0 || before === undefined || after === undefined || before.length > MAX_OPERAND) return undefined;
  return `write ${before.trim()}.orValue(${after})`;
}

/** The message of a syntax error, in terms of what is written. */
export function syntaxMessage(error: ParseError, source: string): SyntaxMessage {
  const at = error.range?.start ?? 0;
  const found = foundAt(source, at);
  const own = found === '??' ? coalescingHint(source, at) : undefined;
  const hint = own ?? (found === undefined ? undefined : ownText(FOREIGN_OPERATORS, found));
  const shown = found ?? source.slice(at, Math.max(error.range?.end ?? at, at + 1));
  switch (error.code) {
    case 'expected_token': {
      const expected = expectedToken(source, at);
      const atEnd = at >= source.length;
      const message = `expected ${expected?.title ?? 'something else'}, found ${atEnd ? 'the end' : `"${shown}"`}`;
      if (hint !== undefined || expected?.text !== 'x' || atEnd) return { message, hint };
      return { message, hint: `write ["${shown}"] for a field of that name` };
    }
    case 'unexpected_token':
    case 'unexpected_character': {
      if (at >= source.length) return { message: 'the expression ends where a value is expected' };
      return { message: `unexpected "${shown}"`, hint };
    }
    case 'reserved_identifier':
      return { message: `"${shown}" is a reserved word`, hint };
    case 'limit_exceeded':
      return { message: limitMessage(source, at) };
    default:
      return { message: error.summary.charAt(0).toLowerCase() + error.summary.slice(1), hint };
  }
}

const LIMIT_MESSAGES: Readonly<Record<Limit, string>> = {
  maxDepth: 'the expression is nested too deeply',
  maxAstNodes: 'the expression is too long',
  maxListElements: 'the list is too long',
  maxMapEntries: 'the map is too large',
  maxCallArguments: 'the call has too many arguments',
};

/** Names the limit that is exceeded at an offset: the one without which it is not. */
function limitMessage(source: string, at: number): string {
  const limits = Object.keys(LIMITS) as Limit[];
  const exceeded = limits.find((limit) => {
    const error = syntaxErrorOf(source, limit);
    return error?.code !== 'limit_exceeded' || error.range?.start !== at;
  });
  if (exceeded === undefined) return 'the expression is too large';
  return `${LIMIT_MESSAGES[exceeded]}; the most there may be is ${LIMITS[exceeded]}`;
}
