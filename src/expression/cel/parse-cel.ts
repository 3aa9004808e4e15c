import { type ASTNode, ParseError } from '@marcbachmann/cel-js';
import { ExpressionError } from '../errors.js';
import { LIMITS, parser } from './parser.js';
import { syntaxMessage } from './syntax-messages.js';

const MAX_LENGTH = 10_000;

/**
 * Parses CEL.
 *
 * @throws ExpressionError when it does not parse or is larger or deeper than any expression that a person writes
 */
export function parseCel(source: string): ASTNode {
  const fail = (message: string, offset: number, length: number, hint?: string): never => {
    const problem = { message, offset, length: Math.max(length, 1), kind: 'syntax' as const };
    throw new ExpressionError(source, [hint === undefined ? problem : { ...problem, hint }]);
  };
  if (source.length > MAX_LENGTH) {
    fail(`the expression has ${source.length} characters; the most there may be is ${MAX_LENGTH}`, MAX_LENGTH, 1);
  }
  if (source.trim() === '') fail('the expression is empty', 0, 1);
  const tooDeep = 'the expression is nested too deeply';
  try {
    const tree = parser.parse(source).ast;
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

/** Whether a tree is deeper than a recursion should go: the parser's own limit does not count operators. */
function isTooDeep(root: ASTNode): boolean {
  const open: (readonly [ASTNode, number])[] = [[root, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    if (depth > 2 * LIMITS.maxDepth) return true;
    // A chain is flattened, and so is one level however long it is.
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
