import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js';
import { ExpressionError } from '../scope.js';
import { matchAt } from '../path.js';

const MAX_LENGTH = 10_000;

/**
 * Parses CEL.
 *
 * @throws ExpressionError if it does not parse, or is larger or deeper than any expression that a person writes
 */
export function parseCel(source: string): ASTNode {
  const fail = (message: string, offset: number, length: number, hint?: string): never => {
    const problem = { message, offset, length: Math.max(length, 1), kind: 'syntax' as const };
    throw new ExpressionError(source, [hint === undefined ? problem : { ...problem, hint }]);
  };
  if (source.length > MAX_LENGTH) {
    fail(`the expression has ${source.length} characters; the maximum is ${MAX_LENGTH}`, MAX_LENGTH, 1);
  }
  if (source.trim() === '') fail('the expression is empty', 0, 1);
  const tooDeep = 'the expression is nested too deeply';
  try {
    const tree = sharedParser().parse(source).ast;
    if (isTooDeep(tree)) fail(tooDeep, 0, source.length);
    return tree;
  } catch (error) {
    if (error instanceof RangeError) return fail(tooDeep, 0, source.length); // thousands of unary operators
    if (!(error instanceof ParseError)) throw error;
    const { start = 0, end = start } = error.range ?? {};
    const { message, hint } = syntaxMessage(error, source);
    const offset = Math.min(start, Math.max(source.length - 1, 0));
    return fail(message, offset, Math.min(end, source.length) - offset, hint);
  }
}

const CHAINS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '&&', '||']);

/** Whether a tree is too deep for recursion. The parser's own limit does not count operators. */
function isTooDeep(root: ASTNode): boolean {
  const open: (readonly [ASTNode, number])[] = [[root, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    if (depth > 2 * LIMITS.maxDepth) return true;
    // A chain is flattened, so it counts as one level.
    for (const child of childrenOf(node))
      open.push([child, CHAINS.has(node.op) && child.op === node.op ? depth : depth + 1]);
  }
  return false;
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case '!_':
    case '-_':
      return [node.args];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    default:
      return node.args;
  }
}

/** The limits of an expression: larger than any that a person writes. */
const LIMITS = {
  maxAstNodes: 5000,
  maxDepth: 100,
  maxListElements: 1000,
  maxMapEntries: 1000,
  maxCallArguments: 32,
} as const;

type Limit = keyof typeof LIMITS;

const createParser = (limits: Readonly<Record<Limit, number>>): Environment =>
  new Environment({ enableOptionalTypes: true, limits });

let parser: Environment | undefined;

/** The parser of all expressions. The first one creates it, because that takes milliseconds. */
const sharedParser = (): Environment => (parser ??= createParser(LIMITS));

/** The syntax error of a source; undefined if there is none. Disables the limit `without`, if it is given. */
function syntaxErrorOf(source: string, without?: Limit): ParseError | undefined {
  try {
    (without === undefined ? sharedParser() : createParser({ ...LIMITS, [without]: Number.POSITIVE_INFINITY })).parse(
      source,
    );
  } catch (error) {
    if (error instanceof ParseError) return error;
    if (!(error instanceof RangeError)) throw error; // deeper than the stack
  }
  return undefined;
}

interface SyntaxMessage {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The tokens that the parser may expect, as they are written and as messages name them. */
const TOKENS = [
  { text: ')', title: '")"' },
  { text: ']', title: '"]"' },
  { text: '}', title: '"}"' },
  { text: ':', title: '":"' },
  { text: 'x', title: 'a name' },
] as const;

/**
 * The token that the parser expects at an offset. The parser's error names it only in prose. So insert each token: the
 * right one removes the error or moves it further on.
 */
const expectedToken = (source: string, at: number): (typeof TOKENS)[number] | undefined =>
  TOKENS.find(({ text }) => {
    const error = syntaxErrorOf(`${source.slice(0, at)} ${text} ${source.slice(at)}`);
    return error === undefined || (error.range?.start ?? 0) > at + 1;
  });

/** Operators of other languages, and their CEL equivalents. */
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

/** The text for a word that a user wrote. Uses own keys only, because `__proto__` and `constructor` are possible words. */
const ownText = (texts: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.hasOwn(texts, word) ? texts[word] : undefined;

const SIGN = /===|!==|<>|\?\?|\?\.|\*\*|[=&|^`]/y;
const WORD = /[A-Za-z_]\w*/y;

/** The word at an offset, or the whole operator at it. */
function foundAt(source: string, at: number): string | undefined {
  for (const start of [at - 2, at - 1, at]) {
    const sign = matchAt(SIGN, source, Math.max(start, 0))?.[0];
    if (sign !== undefined && start + sign.length > at) return sign;
  }
  return matchAt(WORD, source, at)?.[0];
}

const OPERAND_BEFORE = /(?<![\w.)\]])[A-Za-z_]\w*(?:\.\??\w+|\["[^"\]]*"\]|\[\d+\])*\s*$/;
const OPERAND_AFTER = /^\s*([\w.]+|"[^"\\]*"|'[^'\\]*')\s*(?:$|[),:\]}])/;
/** Longer operands are not shown in hints. */
const MAX_OPERAND = 60;

/** The CEL equivalent of `x ?? y`, with its operands if they are short. */
function coalescingHint(source: string, at: number): string | undefined {
  const sign = source.lastIndexOf('??', at);
  const before = OPERAND_BEFORE.exec(source.slice(Math.max(0, sign - MAX_OPERAND - 1), sign))?.[0];
  const after = OPERAND_AFTER.exec(source.slice(sign + 2, sign + 2 + MAX_OPERAND))?.[1];
  if (sign < 0 || before === undefined || after === undefined || before.length > MAX_OPERAND) return undefined;
  return `write ${before.trim()}.orValue(${after})`;
}

/** The message of a syntax error, in terms of the source. */
function syntaxMessage(error: ParseError, source: string): SyntaxMessage {
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

/** The limit that is exceeded at an offset: the one that removes the error when it is disabled. */
function limitMessage(source: string, at: number): string {
  const limits = Object.keys(LIMITS) as Limit[];
  const exceeded = limits.find((limit) => {
    const error = syntaxErrorOf(source, limit);
    return error?.code !== 'limit_exceeded' || error.range?.start !== at;
  });
  if (exceeded === undefined) return 'the expression is too large';
  return `${LIMIT_MESSAGES[exceeded]}; the maximum is ${LIMITS[exceeded]}`;
}
