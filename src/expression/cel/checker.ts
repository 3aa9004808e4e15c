import type { ASTNode } from '@marcbachmann/cel-js';
import { ExpressionEvaluationError } from '../evaluation-error.js';
import type { ExpressionProblem } from '../expression-error.js';
import type { ExpressionScope } from '../scope.js';
import { checkAccess, checkName } from './check-access.js';
import { checkCall } from './check-call.js';
import { checkMethod } from './check-method.js';
import { checkBinary, checkChain, checkConditional, checkNegate, checkNot } from './check-operator.js';
import type { CheckedNode, Local } from './checked-node.js';
import { compile } from './compile.js';
import { type CelType, describeType, isAssignable } from './types.js';

/** What stands in for what is wrong, so that checking goes on and finds the rest. */
export const ERROR_NODE: CheckedNode = { op: 'constant', value: undefined, type: 'dyn' };

/** Checks one expression: resolves its names, finds everything that is wrong, folds what is constant. */
export class Checker {
  readonly problems: ExpressionProblem[] = [];
  /** Variables and record fields that are read. */
  readonly reads = new Set<string>();
  readonly candidatePaths = new Set<string>();
  /** Those of the candidate's paths whose absence the expression provides for. */
  readonly optionalPaths = new Set<string>();
  /** The elements of the macros around the node being checked, innermost last. */
  readonly locals: Local[] = [];
  /** Above zero while absence is being asked about. */
  optionalDepth = 0;

  constructor(readonly scope: ExpressionScope) {}

  /** Notes a problem and gives what stands in for the node. */
  addProblem(node: { readonly start: number; readonly end: number }, message: string, hint?: string): CheckedNode {
    const problem = { message, offset: node.start, length: Math.max(node.end - node.start, 1), kind: 'type' as const };
    this.problems.push(hint === undefined ? problem : { ...problem, hint });
    return ERROR_NODE;
  }

  /** Notes a problem unless a value may be of one of the types that an operation needs. */
  expectType(node: ASTNode, found: CheckedNode, operation: string, ...wanted: readonly CelType[]): void {
    if (isAssignable(found.type, ...wanted)) return;
    const needs = wanted.map(describeType).join(' or ');
    this.addProblem(node, `${operation} needs ${needs}, found ${describeType(found.type)}`);
  }

  /** Checks a node whose absence is being asked about. */
  checkOptional(node: ASTNode): CheckedNode {
    this.optionalDepth += 1;
    const tree = this.check(node);
    this.optionalDepth -= 1;
    return tree;
  }

  check(node: ASTNode): CheckedNode {
    const before = this.problems.length;
    const tree = this.#resolve(node);
    return this.problems.length === before ? this.#fold(node, tree) : tree;
  }

  #resolve(node: ASTNode): CheckedNode {
    switch (node.op) {
      case 'value':
        return this.#literal(node);
      case 'id':
        return checkName(this, node);
      case '.':
      case '.?':
      case '[]':
      case '[?]':
        return checkAccess(this, node);
      case 'call':
        return checkCall(this, node);
      case 'rcall':
        return checkMethod(this, node);
      case 'list':
        return { op: 'list', type: 'list', parts: node.args.map((part) => this.check(part)) };
      case 'map':
        return { op: 'map', type: 'map', entries: node.args.map(([key, value]) => this.#entry(key, value)) };
      case '?:':
        return checkConditional(this, node);
      case '!_':
        return checkNot(this, node);
      case '-_':
        return checkNegate(this, node);
      case '+':
      case '-':
      case '*':
      case '/':
      case '&&':
      case '||':
        return checkChain(this, node);
      default:
        return checkBinary(this, node);
    }
  }

  #literal(node: Extract<ASTNode, { op: 'value' }>): CheckedNode {
    const value = node.args;
    if (value === null) return { op: 'constant', value, type: 'null' };
    if (typeof value === 'string') return { op: 'constant', value, type: 'string' };
    if (typeof value === 'boolean') return { op: 'constant', value, type: 'bool' };
    if (value instanceof Uint8Array)
      return this.addProblem(node, 'bytes are not supported', 'write a string, without the b');
    return { op: 'constant', value: Number(value), type: 'number' };
  }

  #entry(key: ASTNode, value: ASTNode): readonly [CheckedNode, CheckedNode] {
    const name = this.check(key);
    this.expectType(key, name, 'the key of a map', 'string', 'number');
    return [name, this.check(value)];
  }

  /** Computes what reads nothing, here and now: a mistake in it is found at load, and a run pays nothing for it. */
  #fold(node: ASTNode, tree: CheckedNode): CheckedNode {
    if (tree.op === 'constant' || !isConstant(tree)) return tree;
    try {
      return { op: 'constant', type: tree.type, value: compile(tree, {})(undefined, 0) };
    } catch (error) {
      if (error instanceof ExpressionEvaluationError) return this.addProblem(node, error.message);
      throw error;
    }
  }
}

const areConstants = (...parts: readonly CheckedNode[]): boolean => parts.every(({ op }) => op === 'constant');

/** Whether all that a node is made of is constant; its operands are folded already. Macros are left to the run. */
function isConstant(tree: CheckedNode): boolean {
  switch (tree.op) {
    case 'path':
    case 'not':
    case 'negate':
      return areConstants(tree.of);
    case 'index':
      return areConstants(tree.of, tree.key);
    case 'binary':
      return areConstants(tree.left, tree.right);
    case 'chain':
    case 'list':
      return areConstants(...tree.parts);
    case 'map':
      return areConstants(...tree.entries.flat());
    case 'call':
      return areConstants(...tree.args);
    case 'choose':
      return areConstants(tree.otherwise, ...tree.cases.flat());
    default:
      return false;
  }
}
