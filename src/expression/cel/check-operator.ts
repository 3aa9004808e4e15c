import type { ASTNode } from '@marcbachmann/cel-js';
import type { Checker } from './checker.js';
import type { ChainOp, Tree } from './tree.js';
import { describeType, either, mayBe, type Type } from './types.js';

type NodeOf<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>;

const isChain = (node: ASTNode): node is NodeOf<ChainOp> =>
  node.op === '+' || node.op === '-' || node.op === '*' || node.op === '/' || node.op === '&&' || node.op === '||';

/** The operands of `a + b + c`, however they were nested on the left. */
function operands(node: NodeOf<ChainOp>): ASTNode[] {
  const parts: ASTNode[] = [];
  let at: ASTNode = node;
  while (isChain(at) && at.op === node.op) {
    parts.push(at.args[1]);
    at = at.args[0];
  }
  return [...parts, at].toReversed();
}

export function checkChain(checker: Checker, node: NodeOf<ChainOp>): Tree {
  const nodes = operands(node);
  const parts = nodes.map((part) => checker.check(part));
  const by = node.op;
  if (by === '+') return { op: 'chain', by, parts, type: sumType(checker, nodes, parts) };
  const type = by === '&&' || by === '||' ? 'bool' : 'number';
  for (const [n, part] of parts.entries()) {
    const operand = nodes[n];
    if (operand !== undefined) checker.expect(operand, part, by, type);
  }
  return { op: 'chain', by, parts, type };
}

/** `+` adds numbers and joins strings and lists, but only two of a kind. */
function sumType(checker: Checker, nodes: readonly ASTNode[], parts: readonly Tree[]): Type {
  let known: Type = 'dyn';
  for (const [n, { type }] of parts.entries()) {
    const node = nodes[n];
    if (node === undefined || type === 'dyn') continue;
    if (!mayBe(type, 'number', 'string', 'list')) {
      checker.problem(node, `+ needs numbers, strings or lists, found ${describeType(type)}`);
    } else if (!mayBe(known, type)) {
      const hint = known === 'string' || type === 'string' ? 'string(x) makes a string of a number' : undefined;
      checker.problem(node, `+ needs two of a kind, found ${describeType(known)} and ${describeType(type)}`, hint);
      return 'dyn';
    } else {
      known = type;
    }
  }
  return known;
}

export function checkBinary(checker: Checker, node: NodeOf<'==' | '!=' | '<' | '<=' | '>' | '>=' | '%' | 'in'>): Tree {
  const [first, second] = node.args;
  const by = node.op;
  const left = checker.check(first);
  const right = checker.check(second);
  if (by === '%') {
    checker.expect(first, left, by, 'number');
    checker.expect(second, right, by, 'number');
    return { op: 'binary', by, left, right, type: 'number' };
  }
  if (by === 'in') checkHolder(checker, second, right);
  if (by !== 'in' && by !== '==' && by !== '!=') checkOrder(checker, node, left, right);
  return { op: 'binary', by, left, right, type: 'bool' };
}

function checkHolder(checker: Checker, node: ASTNode, holder: Tree): void {
  if (mayBe(holder.type, 'list', 'map')) return;
  const hint = holder.type === 'string' ? 'for a part of a string write text.contains(part)' : undefined;
  checker.problem(node, `in needs a list or a map on its right, found ${describeType(holder.type)}`, hint);
}

function checkOrder(checker: Checker, node: NodeOf<'<' | '<=' | '>' | '>='>, left: Tree, right: Tree): void {
  for (const [n, side] of [left, right].entries()) {
    if (mayBe(side.type, 'number', 'string')) continue;
    const chained = n === 0 && ['<', '<=', '>', '>='].includes(node.args[0].op);
    const hint = chained ? 'join two comparisons with &&' : undefined;
    checker.problem(
      n === 0 ? node.args[0] : node.args[1],
      `${node.op} needs numbers or strings, found ${describeType(side.type)}`,
      hint,
    );
    return;
  }
  if (mayBe(left.type, right.type) || right.type === 'dyn') return;
  const found = `${describeType(left.type)} and ${describeType(right.type)}`;
  checker.problem(node, `${node.op} needs two of a kind, found ${found}`);
}

export function checkNot(checker: Checker, node: NodeOf<'!_'>): Tree {
  const of = checker.check(node.args);
  checker.expect(node.args, of, '!', 'bool');
  return { op: 'not', of, type: 'bool' };
}

export function checkNegate(checker: Checker, node: NodeOf<'-_'>): Tree {
  const of = checker.check(node.args);
  checker.expect(node.args, of, '-', 'number');
  return { op: 'negate', of, type: 'number' };
}

/** `a ? b : c ? d : e` is one node with two cases. */
export function checkChoice(checker: Checker, node: NodeOf<'?:'>): Tree {
  const cases: (readonly [Tree, Tree])[] = [];
  let at: ASTNode = node;
  while (at.op === '?:') {
    const [condition, then, otherwise]: readonly ASTNode[] = at.args;
    if (condition === undefined || then === undefined || otherwise === undefined) break;
    const test = checker.check(condition);
    checker.expect(condition, test, '? :', 'bool');
    cases.push([test, checker.check(then)]);
    at = otherwise;
  }
  const otherwise = checker.check(at);
  const type = cases.reduce((sofar, [, then]) => either(sofar, then.type), otherwise.type);
  return { op: 'choose', cases, otherwise, type };
}
