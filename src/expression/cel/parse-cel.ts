import { ExpressionError } from '../scope.js';
import { matchAt } from '../path.js';
import { SyntaxProblem, type Token, tokenAt } from './lexer.js';

/** A range of the source, as offsets. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%';

/** One type for each operator. */
type Node<Op extends string, Content> = Op extends string ? SourceRange & { readonly op: Op } & Content : never;

/** An expression as it is written. A range does not include parentheses around it. `pos` is the start of a name. */
export type SyntaxNode =
  | Node<'value', { readonly args: string | number | boolean | null; readonly type?: Token['type'] | 'bytes' }>
  | Node<'id', { readonly args: string }>
  | Node<'.' | '.?', { readonly args: readonly [of: SyntaxNode, name: string]; readonly pos: number }>
  | Node<'[]' | '[?]', { readonly args: readonly [of: SyntaxNode, key: SyntaxNode] }>
  | Node<'call', { readonly args: readonly [name: string, args: readonly SyntaxNode[]] }>
  | Node<
      'rcall',
      { readonly args: readonly [name: string, of: SyntaxNode, args: readonly SyntaxNode[]]; readonly pos: number }
    >
  | Node<'list', { readonly args: readonly SyntaxNode[] }>
  | Node<'map', { readonly args: readonly (readonly [key: SyntaxNode, value: SyntaxNode])[] }>
  /** `?x` in a list, and the value of `?key: x` in a map. */
  | Node<'?_', { readonly args: SyntaxNode }>
  | Node<'!_' | '-_', { readonly args: SyntaxNode }>
  | Node<'?:', { readonly args: readonly [test: SyntaxNode, then: SyntaxNode, otherwise: SyntaxNode] }>
  | Node<BinaryOperator, { readonly args: readonly [left: SyntaxNode, right: SyntaxNode] }>;

/** A node with a certain operator. */
export type NodeOf<Op extends SyntaxNode['op']> = Extract<SyntaxNode, { op: Op }>;

/**
 * Parses CEL (https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax), without messages.
 *
 * @throws ExpressionError if it does not parse, or is larger or deeper than any expression that a person writes
 */
export function parseCel(source: string): SyntaxNode {
  try {
    if (source.length > LIMITS.length) {
      const message = `the expression has ${source.length} characters; the maximum is ${LIMITS.length}`;
      throw new SyntaxProblem(message, LIMITS.length, LIMITS.length + 1);
    }
    if (source.trim() === '') throw new SyntaxProblem('the expression is empty', 0, 1);
    const tree = new Parser(source).parse();
    if (isTooDeep(tree)) throw new SyntaxProblem(TOO_DEEP, 0, source.length);
    return tree;
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const { message, hint } = error;
    const offset = Math.min(error.start, Math.max(source.length - 1, 0));
    const length = Math.max(Math.min(error.end, source.length) - offset, 1);
    const problem = { message, offset, length, kind: 'syntax' as const };
    throw new ExpressionError(source, [hint === undefined ? problem : { ...problem, hint }]);
  }
}

/** The limits of an expression: larger than any that a person writes. */
const LIMITS = { length: 10_000, nodes: 5000, depth: 100, elements: 1000, arguments: 32 } as const;
const TOO_DEEP = `the expression is nested too deeply; the maximum is ${LIMITS.depth}`;

/** The binary operators by precedence, the weakest first. They group from the left. */
const OPERATORS: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while __proto__'.split(
    ' ',
  ),
);

/** Parses by recursive descent. */
class Parser {
  #token: Token;
  /** The end of the last token. */
  #end = 0;
  #nodes = 0;
  #depth = 0;

  constructor(readonly source: string) {
    this.#token = tokenAt(source, 0);
  }

  parse(): SyntaxNode {
    const tree = this.#expression();
    if (this.#token.kind !== 'end') this.#fail();
    return tree;
  }

  #next(): Token {
    const token = this.#token;
    this.#end = token.end;
    this.#token = tokenAt(this.source, token.end);
    return token;
  }

  #is(sign: string): boolean {
    return this.#token.kind === 'sign' && this.#token.text === sign;
  }

  /** Whether the next token is a sign. Skips it. */
  #skip(sign: string): boolean {
    const found = this.#is(sign);
    if (found) this.#next();
    return found;
  }

  #expect(sign: string): void {
    if (!this.#skip(sign)) this.#fail(`"${sign}"`);
  }

  /** Counts a node. */
  #node<N extends SyntaxNode>(node: N): N {
    this.#nodes += 1;
    if (this.#nodes > LIMITS.nodes) this.#tooLarge('the expression is too long', LIMITS.nodes);
    return node;
  }

  #tooLarge(what: string, most: number): never {
    throw new SyntaxProblem(`${what}; the maximum is ${most}`, this.#token.start, this.#token.end);
  }

  #expression(): SyntaxNode {
    this.#depth += 1;
    if (this.#depth > LIMITS.depth) throw new SyntaxProblem(TOO_DEEP, this.#token.start, this.#token.end);
    const cases: (readonly [test: SyntaxNode, then: SyntaxNode])[] = [];
    let last = this.#binary(0);
    while (this.#is('?')) {
      const mark = this.#next();
      const then = this.#expression();
      if (!this.#skip(':')) this.#failAfter(mark);
      cases.push([last, then]);
      last = this.#binary(0);
    }
    this.#depth -= 1;
    return cases.reduceRight<SyntaxNode>(
      (otherwise, [test, then]) =>
        this.#node({ op: '?:', args: [test, then, otherwise], start: test.start, end: this.#end }),
      last,
    );
  }

  /** The operators of a precedence and those that bind more tightly. */
  #binary(level: number): SyntaxNode {
    const operators = OPERATORS[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (let op = this.#operator(operators); op !== undefined; op = this.#operator(operators)) {
      this.#next();
      const right = this.#binary(level + 1);
      left = this.#node({ op, args: [left, right], start: left.start, end: this.#end });
    }
    return left;
  }

  #operator(operators: readonly BinaryOperator[]): BinaryOperator | undefined {
    const { kind, text } = this.#token;
    return kind === 'sign' || text === 'in' ? operators.find((op) => op === text) : undefined;
  }

  #unary(): SyntaxNode {
    if (!this.#is('!') && !this.#is('-')) return this.#member();
    const signs: Token[] = [];
    const { text } = this.#token;
    while (this.#is(text)) signs.push(this.#next());
    const last = signs.at(-1);
    // The minus of a number belongs to it.
    if (text === '-' && last && this.#token.kind === 'number' && this.#token.type !== 'uint') {
      signs.pop();
      const { value, type } = this.#token;
      this.#next();
      const literal = this.#node({ op: 'value', args: -Number(value), type, start: last.start, end: this.#end });
      return this.#signs('-_', signs, this.#members(literal));
    }
    return this.#signs(text === '!' ? '!_' : '-_', signs, this.#member());
  }

  #signs(op: '!_' | '-_', signs: readonly Token[], of: SyntaxNode): SyntaxNode {
    return signs.reduceRight<SyntaxNode>((args, { start }) => this.#node({ op, args, start, end: this.#end }), of);
  }

  #member(): SyntaxNode {
    return this.#members(this.#primary());
  }

  /** The fields, elements and calls after a value. */
  #members(first: SyntaxNode): SyntaxNode {
    const { start } = first;
    let of = first;
    for (;;) {
      if (this.#skip('.')) {
        const optional = this.#skip('?');
        const { text, start: pos, kind } = this.#name();
        if (this.#is('(') && !optional && kind === 'name') {
          const args = this.#arguments();
          of = this.#node({ op: 'rcall', args: [text, of, args], pos, start, end: this.#end });
        } else of = this.#node({ op: optional ? '.?' : '.', args: [of, text], pos, start, end: this.#end });
      } else if (this.#skip('[')) {
        const optional = this.#skip('?');
        const key = this.#expression();
        this.#expect(']');
        of = this.#node({ op: optional ? '[?]' : '[]', args: [of, key], start, end: this.#end });
      } else return of;
    }
  }

  /** The name after a dot. A reserved word is a name there. */
  #name(): Token {
    const { kind, text } = this.#token;
    const isWord = kind === 'name' && !LITERALS.has(text) && text !== 'in';
    if (isWord || kind === 'quoted') return this.#next();
    return this.#fail('a name', kind === 'name' ? `write ["${text}"] for a field of that name` : undefined);
  }

  #primary(): SyntaxNode {
    const { kind, start, text, value = '', type } = this.#token;
    if (kind === 'string' || kind === 'number') {
      this.#next();
      return this.#node({ op: 'value', args: value, type, start, end: this.#end });
    }
    if (kind === 'bytes') {
      this.#next();
      return this.#node({ op: 'value', args: value, type: 'bytes', start, end: this.#end });
    }
    if (kind === 'name') return this.#identifier();
    if (this.#skip('(')) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#skip('[')) {
      const args = this.#listOf(']', LIMITS.elements, 'the list is too long', () => this.#optional());
      return this.#node({ op: 'list', args, start, end: this.#end });
    }
    if (this.#skip('{')) {
      const args = this.#listOf('}', LIMITS.elements, 'the map is too large', () => this.#entry());
      return this.#node({ op: 'map', args, start, end: this.#end });
    }
    // A dot before a name says that it is not relative to a package. There are no packages here.
    if (text === '.' && tokenAt(this.source, this.#token.end).kind === 'name') {
      this.#next();
      return this.#identifier();
    }
    return this.#fail();
  }

  #identifier(): SyntaxNode {
    const { start, text } = this.#token;
    const literal = LITERALS.get(text);
    if (text === 'in') this.#fail();
    if (RESERVED.has(text)) {
      throw new SyntaxProblem(`"${text}" is a reserved word`, start, this.#token.end, FOREIGN_OPERATORS.get(text));
    }
    this.#next();
    if (literal !== undefined) return this.#node({ op: 'value', args: literal, start, end: this.#end });
    if (this.#is('{')) {
      const message = 'messages are not supported';
      throw new SyntaxProblem(message, start, this.#end, 'write a map: {"field": value}');
    }
    if (!this.#is('(')) return this.#node({ op: 'id', args: text, start, end: this.#end });
    const args = this.#arguments();
    return this.#node({ op: 'call', args: [text, args], start, end: this.#end });
  }

  #arguments(): readonly SyntaxNode[] {
    this.#expect('(');
    return this.#listOf(')', LIMITS.arguments, 'the call has too many arguments', () => this.#expression());
  }

  /** Parts between commas, up to a closing sign. A comma may follow the last part, except in a call. */
  #listOf<P>(close: string, most: number, tooMany: string, read: () => P): readonly P[] {
    const parts: P[] = [];
    while (!this.#is(close)) {
      if (parts.length === most) this.#tooLarge(tooMany, most);
      parts.push(read());
      if (!this.#skip(',')) break;
      if (close === ')' && this.#is(close)) this.#fail();
    }
    this.#expect(close);
    return parts;
  }

  #optional(): SyntaxNode {
    const { start } = this.#token;
    if (!this.#skip('?')) return this.#expression();
    const args = this.#expression();
    return this.#node({ op: '?_', args, start, end: this.#end });
  }

  #entry(): readonly [SyntaxNode, SyntaxNode] {
    const isOptional = this.#skip('?');
    const key = this.#expression();
    this.#expect(':');
    const value = this.#expression();
    return [key, isOptional ? this.#node({ op: '?_', args: value, start: value.start, end: this.#end }) : value];
  }

  /** The error of a `?` without its colon. In other languages, `?.` reads an optional field. */
  #failAfter(mark: Token): never {
    const isForeign = /\?\.[A-Za-z_]/y;
    if (matchAt(isForeign, this.source, mark.start)) this.#failAt(mark.start);
    return this.#fail('":"');
  }

  /** Throws the error of the next token. */
  #fail(expected?: string, nameHint?: string): never {
    const { kind, start, end, text } = this.#token;
    if (kind === 'end') {
      const percentage = /^\s*(-?\d+(?:\.\d+)?) ?%\s*$/.exec(this.source);
      if (percentage) {
        const hint = `write ${Number((Number(percentage[1]) / 100).toPrecision(12))}`;
        throw new SyntaxProblem('% is the remainder of a division, and not a percentage', 0, end, hint);
      }
      const message = expected
        ? `expected ${expected}, found the end`
        : 'the expression ends where a value is expected';
      throw new SyntaxProblem(message, start, end);
    }
    const foreign = foreignAt(this.source, start);
    if (expected === undefined || foreign) this.#failAt(start);
    throw new SyntaxProblem(`expected ${expected}, found "${text}"`, start, end, nameHint);
  }

  #failAt(start: number): never {
    const foreign = foreignAt(this.source, start);
    const text = foreign?.text ?? tokenAt(this.source, start).text;
    const hint = foreign?.text === '??' ? (coalescingHint(this.source, foreign.start) ?? foreign.hint) : foreign?.hint;
    const from = foreign?.start ?? start;
    throw new SyntaxProblem(`unexpected "${text}"`, from, from + text.length, hint);
  }
}

const CHAINS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '&&', '||']);

/** Whether a tree is too deep for recursion. The parser's own limit does not count operators. */
function isTooDeep(root: SyntaxNode): boolean {
  const open: (readonly [SyntaxNode, number])[] = [[root, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    if (depth > 2 * LIMITS.depth) return true;
    // A chain is flattened, so it counts as one level.
    for (const child of childrenOf(node))
      open.push([child, CHAINS.has(node.op) && child.op === node.op ? depth : depth + 1]);
  }
  return false;
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case '!_':
    case '-_':
    case '?_':
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

/** Operators of other languages, and their CEL equivalents. */
const FOREIGN_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['and', 'write &&'],
  ['or', 'write ||'],
  ['not', 'write !'],
  ['is', 'write =='],
  ['if', 'write condition ? one : other'],
  ['=', 'equality is =='],
  ['===', 'equality is =='],
  ['!==', 'inequality is !='],
  ['&', 'write &&'],
  ['|', 'write ||'],
  ['<>', 'inequality is !='],
  ['??', 'write x.orValue(y)'],
  ['**', 'write pow(x, y)'],
  ['^', 'write pow(x, y)'],
  ['`', "write 'text'"],
  ['?.', 'write .?'],
]);

const SIGN = /===|!==|<>|\?\?|\?\.|\*\*|[=&|^`]/y;
const WORD = /[A-Za-z_]\w*/y;

/** The operator of another language at an offset or around it. */
function foreignAt(
  source: string,
  at: number,
): { readonly text: string; readonly start: number; readonly hint: string | undefined } | undefined {
  for (const start of [at - 2, at - 1, at]) {
    const text = matchAt(SIGN, source, Math.max(start, 0))?.[0];
    if (text !== undefined && start + text.length > at) {
      return { text, start: Math.max(start, 0), hint: FOREIGN_OPERATORS.get(text) };
    }
  }
  const word = matchAt(WORD, source, at)?.[0];
  const hint = word === undefined ? undefined : FOREIGN_OPERATORS.get(word);
  return word === undefined || hint === undefined ? undefined : { text: word, start: at, hint };
}

const OPERAND_BEFORE = /(?<![\w.)\]])[A-Za-z_]\w*(?:\.\??\w+|\["[^"\]]*"\]|\[\d+\])*\s*$/;
const OPERAND_AFTER = /^\s*([\w.]+|"[^"\\]*"|'[^'\\]*')\s*(?:$|[),:\]}])/;
/** Longer operands are not shown in hints. */
const MAX_OPERAND = 60;

/** The CEL equivalent of `x ?? y`, with its operands if they are short. */
function coalescingHint(source: string, sign: number): string | undefined {
  const before = OPERAND_BEFORE.exec(source.slice(Math.max(0, sign - MAX_OPERAND - 1), sign))?.[0];
  const after = OPERAND_AFTER.exec(source.slice(sign + 2, sign + 2 + MAX_OPERAND))?.[1];
  if (before === undefined || after === undefined || before.length > MAX_OPERAND) return undefined;
  return `write ${before.trim()}.orValue(${after})`;
}
