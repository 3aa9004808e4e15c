import type { ParseError } from '@marcbachmann/cel-js';

interface SyntaxMessage {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The parser's names of tokens as they are written. */
const TOKEN_TEXTS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  IDENTIFIER: 'a name',
  LPAREN: '"("',
  RPAREN: '")"',
  LBRACKET: '"["',
  RBRACKET: '"]"',
  LBRACE: '"{"',
  RBRACE: '"}"',
  COLON: '":"',
  COMMA: '","',
};

/** What people write who come from another language, and what CEL calls it. */
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

const SIGN = /===|!==|<>|\?\?|\?\.|\*\*|[=&|^`]/y;
const WORD = /[A-Za-z_]\w*/y;

const matchAt = (pattern: RegExp, source: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
};

/** What stands at an offset, with the operator that it is the tail of. */
function foundAt(source: string, at: number): string | undefined {
  for (const start of [at - 2, at - 1, at]) {
    const sign = matchAt(SIGN, source, Math.max(start, 0));
    if (sign !== undefined && start + sign.length > at) return sign;
  }
  return matchAt(WORD, source, at);
}

/** A syntax error in the words of who wrote the expression. */
export function syntaxMessage(error: ParseError, source: string): SyntaxMessage {
  const at = error.range?.start ?? 0;
  const found = foundAt(source, at);
  const hint = found === undefined ? undefined : FOREIGN_OPERATORS[found];
  const shown = found ?? source.slice(at, Math.max(error.range?.end ?? at, at + 1));
  switch (error.code) {
    case 'expected_token': {
      const [, expected = '', got = ''] = /^Expected (\w+), got (\w+)$/.exec(error.summary) ?? [];
      const message = `expected ${TOKEN_TEXTS[expected] ?? expected}, found ${got === 'EOF' ? 'the end' : `"${shown}"`}`;
      if (hint !== undefined || expected !== 'IDENTIFIER' || got === 'EOF') return { message, hint };
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
      return { message: limitMessage(error.summary) };
    default:
      return { message: error.summary.charAt(0).toLowerCase() + error.summary.slice(1), hint };
  }
}

const LIMIT_MESSAGES: Readonly<Record<string, string>> = {
  maxDepth: 'the expression is nested too deeply',
  maxAstNodes: 'the expression is too long',
  maxListElements: 'the list is too long',
  maxMapEntries: 'the map is too large',
  maxCallArguments: 'the call has too many arguments',
};

function limitMessage(summary: string): string {
  const [, limit = '', most = ''] = /^Exceeded (\w+) \((\d+)\)$/.exec(summary) ?? [];
  return `${LIMIT_MESSAGES[limit] ?? summary}; the most there may be is ${most}`;
}
