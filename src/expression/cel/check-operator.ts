import { equalOptionals, isOptional } from './check-macro.js';
import type { NodeOf, SyntaxNode } from './parse-cel.js';
import { isTime } from '../time.js';
import {
  type CheckContext,
  type CelType,
  type ChainOp,
  type CheckedNode,
  describeType,
  isAssignable,
  joinTypes,
  type NumberKind,
} from './checked-node.js';

const isChainNode = (node: SyntaxNode): node is NodeOf<ChainOp> =>
  node.op === '+' || node.op === '-' || node.op === '*' || node.op === '/' || node.op === '&&' || node.op === '||';

/** The operands of `a + b + c`, which nest on the left. */
function operands(node: NodeOf<ChainOp>): SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  let at: SyntaxNode = node;
  while (isChainNode(at) && at.op === node.op) {
    parts.push(at.args[1]);
    at = at.args[0];
  }
  return [...parts, at].toReversed();
}

export function checkChain(context: CheckContext, node: NodeOf<ChainOp>): CheckedNode {
  const nodes = operands(node);
  const parts = nodes.map((part) => context.check(part));
  const by = node.op;
  const kind = by === '+' || by === '-' ? sumKind(by, parts) : by === '*' ? integerKind(parts) : undefined;
  warnAboutIntegers(context, node, by, parts);
  if (by === '+') return { op: 'chain', by, parts, type: sumType(context, nodes, parts), kind };
  const type = by === '&&' || by === '||' ? 'bool' : 'number';
  // An operand that decides the result makes the types of the others irrelevant.
  if (type === 'bool' && parts.some((part) => part.op === 'constant' && part.value === (by === '||')))
    return { op: 'chain', by, parts, type };
  for (const [n, part] of parts.entries()) {
    const operand = nodes[n];
    if (operand !== undefined) context.expectType(operand, part, by, type);
  }
  return { op: 'chain', by, parts, type, kind };
}

/** What a sum or a difference stands for: a time and a duration are a time, the difference of two times is a duration. */
function sumKind(by: '+' | '-', parts: readonly CheckedNode[]): NumberKind | undefined {
  return parts
    .map(({ kind }) => kind)
    .reduce((left, right) => {
      if (left === right && (left !== 'timestamp' || by === '-')) return left === 'timestamp' ? 'duration' : left;
      if (left === 'timestamp' && right === 'duration') return left;
      return by === '+' && left === 'duration' && right === 'timestamp' ? right : undefined;
    });
}

/** The type of a sum: `+` adds numbers and joins strings and lists, but only values of one type. */
function sumType(context: CheckContext, nodes: readonly SyntaxNode[], parts: readonly CheckedNode[]): CelType {
  let known: CelType = 'dyn';
  for (const [n, { type }] of parts.entries()) {
    const node = nodes[n];
    if (node === undefined || type === 'dyn') continue;
    if (!isAssignable(type, 'number', 'string', 'list')) {
      context.addProblem(node, `+ needs numbers, strings or lists, found ${describeType(type)}`);
    } else if (!isAssignable(known, type)) {
      const hint = known === 'string' || type === 'string' ? 'string(x) converts a number' : undefined;
      context.addProblem(
        node,
        `+ needs operands of the same type, found ${describeType(known)} and ${describeType(type)}`,
        hint,
      );
      return 'dyn';
    } else {
      known = type;
    }
  }
  return known;
}

/** The kind of integers that all values are; undefined for other values. */
function integerKind([first, ...rest]: readonly CheckedNode[]): 'int' | 'uint' | undefined {
  const kind = first?.kind;
  return (kind === 'int' || kind === 'uint') && rest.every((part) => part.kind === kind) ? kind : undefined;
}

const COMPUTE: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '/': (x, y) => x / y,
  '%': (x, y) => x % y,
};

/** Warns about literals whose arithmetic gives another result or an error in CEL, which has integers. */
function warnAboutIntegers(context: CheckContext, node: SyntaxNode, by: string, parts: readonly CheckedNode[]): void {
  const compute = Object.hasOwn(COMPUTE, by) ? COMPUTE[by] : undefined;
  const kind = integerKind(parts.slice(0, 2));
  const [left, right] = parts.map((part) => (part.op === 'constant' ? part.value : undefined));
  if (!compute || kind === undefined || typeof left !== 'number' || typeof right !== 'number') return;
  const value = compute(left, right);
  const text = `${left} ${by} ${right}`;
  const [least, limit] = kind === 'int' ? [-(2 ** 63), 2 ** 63] : [0, 2 ** 64];
  if ((by === '/' || by === '%') && right === 0) {
    context.addWarning(
      node,
      `${text} is ${value}; in standard CEL, division of integers by 0 is an error`,
      `write ${left}.0`,
    );
  } else if (by === '/' && !Number.isInteger(value)) {
    const hint = `write ${left}.0 ${by} ${right}.0, or floor(${text})`;
    context.addWarning(node, `${text} is ${value}; standard CEL divides integers and gives ${Math.trunc(value)}`, hint);
  } else if (value < least || value >= limit) {
    context.addWarning(
      node,
      `${text} is ${value}; in standard CEL, it is an error because ${kind}s have 64 bits`,
      `write ${left}.0`,
    );
  }
}

export function checkBinary(
  context: CheckContext,
  node: NodeOf<'==' | '!=' | '<' | '<=' | '>' | '>=' | '%' | 'in'>,
): CheckedNode {
  const [first, second] = node.args;
  const by = node.op;
  if (by === '==' || by === '!=') {
    if (isNullLiteral(second)) return checkNullComparison(context, by, first);
    if (isNullLiteral(first)) return checkNullComparison(context, by, second);
  }
  const areOptional = (by === '==' || by === '!=') && isOptional(first) && isOptional(second);
  const left = areOptional ? context.checkOptional(first) : context.check(first);
  const right = areOptional ? context.checkOptional(second) : context.check(second);
  if (areOptional) return equalOptionals(by, left, right);
  if (by === '%') {
    context.expectType(first, left, by, 'number');
    context.expectType(second, right, by, 'number');
    warnAboutIntegers(context, node, by, [left, right]);
    return { op: 'binary', by, left, right, type: 'number' };
  }
  if (by === 'in') checkContainer(context, second, right);
  if (isDateWithText(context, node, left, right)) return { op: 'binary', by, left, right, type: 'bool' };
  if (by !== 'in' && by !== '==' && by !== '!=') checkOrder(context, node, left, right);
  return { op: 'binary', by, left, right, type: 'bool' };
}

const isNullLiteral = (node: SyntaxNode): boolean => node.op === 'value' && node.args === null;

/**
 * `x == null` tests for absence, as `!has(x)` does, because a null field reads as absent. Both are compiled to the same
 * nodes, so that every engine gives the same answer.
 */
function checkNullComparison(context: CheckContext, by: '==' | '!=', operand: SyntaxNode): CheckedNode {
  const of = context.checkOptional(operand);
  if (of.op === 'constant')
    return { op: 'constant', value: ((of.value ?? null) === null) === (by === '=='), type: 'bool' };
  const has: CheckedNode = { op: 'has', of, type: 'bool' };
  return by === '!=' ? has : { op: 'not', of: has, type: 'bool' };
}

/**
 * Adds a problem if a date is compared with a text, which are never equal. It applies only if the schema of the data
 * declares the dates.
 */
function isDateWithText(
  context: CheckContext,
  { op, args: [first, second] }: NodeOf<'==' | '!=' | '<' | '<=' | '>' | '>=' | '%' | 'in'>,
  left: CheckedNode,
  right: CheckedNode,
): boolean {
  if (left.type !== 'date' && right.type !== 'date') return false;
  const [other, node] = left.type === 'date' ? [right, second] : [left, first];
  const texts = op === 'in' && left.type === 'date' ? textsIn(other) : other.type === 'string' ? [other] : [];
  const [text] = texts;
  if (!text) return false;
  const compares = op === 'in' ? 'in compares a date with texts' : `${op} compares a date with a text`;
  const value = text.op === 'constant' && typeof text.value === 'string' ? text.value : undefined;
  const written = value !== undefined && isTime(value) ? JSON.stringify(value) : 'text';
  context.addProblem(node, compares, `write timestamp(${written})`);
  return true;
}

/** The texts of a list literal. */
function textsIn(list: CheckedNode): readonly CheckedNode[] {
  if (list.op === 'list') return list.parts.filter(({ type }) => type === 'string');
  if (list.op !== 'constant' || !Array.isArray(list.value)) return [];
  return list.value.flatMap((value: unknown): readonly CheckedNode[] =>
    typeof value === 'string' ? [{ op: 'constant', value, type: 'string' }] : [],
  );
}

function checkContainer(context: CheckContext, node: SyntaxNode, holder: CheckedNode): void {
  if (isAssignable(holder.type, 'list', 'map')) return;
  const hint = holder.type === 'string' ? 'for a part of a string write text.contains(part)' : undefined;
  context.addProblem(node, `in needs a list or a map on its right, found ${describeType(holder.type)}`, hint);
}

function checkOrder(
  context: CheckContext,
  node: NodeOf<'<' | '<=' | '>' | '>='>,
  left: CheckedNode,
  right: CheckedNode,
): void {
  for (const [n, side] of [left, right].entries()) {
    const chained = n === 0 && ['<', '<=', '>', '>='].includes(node.args[0].op) && right.type !== 'bool';
    if (!chained && isAssignable(side.type, 'number', 'string', 'bool')) continue;
    const hint = chained ? 'join two comparisons with &&' : undefined;
    context.addProblem(
      n === 0 ? node.args[0] : node.args[1],
      `${node.op} needs numbers or strings, found ${describeType(side.type)}`,
      hint,
    );
    return;
  }
  if (isAssignable(left.type, right.type) || right.type === 'dyn') return;
  const found = `${describeType(left.type)} and ${describeType(right.type)}`;
  context.addProblem(node, `${node.op} needs operands of the same type, found ${found}`);
}

export function checkNot(context: CheckContext, node: NodeOf<'!_'>): CheckedNode {
  const of = context.check(node.args);
  context.expectType(node.args, of, '!', 'bool');
  return { op: 'not', of, type: 'bool' };
}

export function checkNegate(context: CheckContext, node: NodeOf<'-_'>): CheckedNode {
  const of = context.check(node.args);
  context.expectType(node.args, of, '-', 'number');
  if (of.kind === 'uint')
    context.addProblem(node.args, '- needs a number with a sign, found a uint', 'write it without the u');
  return { op: 'negate', of, type: 'number', kind: of.kind === 'timestamp' ? undefined : of.kind };
}

/** Flattens `a ? b : c ? d : e` into one node with two cases. */
export function checkConditional(context: CheckContext, node: NodeOf<'?:'>): CheckedNode {
  const cases: (readonly [CheckedNode, CheckedNode])[] = [];
  let at: SyntaxNode = node;
  while (at.op === '?:') {
    const [condition, then, otherwise]: readonly SyntaxNode[] = at.args;
    if (condition === undefined || then === undefined || otherwise === undefined) break;
    const test = context.check(condition);
    context.expectType(condition, test, '? :', 'bool');
    cases.push([test, context.check(then)]);
    at = otherwise;
  }
  const otherwise = context.check(at);
  const type = cases.reduce((sofar, [, then]) => joinTypes(sofar, then.type), otherwise.type);
  const kind = cases.every(([, then]) => then.kind === otherwise.kind) ? otherwise.kind : undefined;
  return { op: 'choose', cases, otherwise, type, kind };
}
