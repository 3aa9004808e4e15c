import type { ASTNode } from '@marcbachmann/cel-js';
import { ExpressionEvaluationError } from '../errors.js';
import { BUILTINS } from './builtins.js';
import { checkAccess, checkName } from './check-access.js';
import { checkCall } from './check-call.js';
import { CheckContext, type NodeOf } from './check-context.js';
import { checkMethod } from './check-method.js';
import { checkBinary, checkChain, checkConditional, checkNegate, checkNot } from './check-operator.js';
import { type CheckedNode, partsOf } from './checked-node.js';
import { compile } from './compile.js';

/** Checks one expression: resolves its names, finds its problems, folds what is constant. */
export class Checker extends CheckContext {
  override check(node: ASTNode): CheckedNode {
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

  #literal(node: NodeOf<'value'>): CheckedNode {
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

  /** Evaluates a node that reads nothing: a mistake in it is found at load, and a run pays nothing for it. */
  #fold(node: ASTNode, tree: CheckedNode): CheckedNode {
    if (tree.op === 'constant' || !isConstant(tree)) return tree;
    try {
      return {
        op: 'constant',
        type: tree.type,
        value: compile(tree, {}, { source: '', place: undefined })(undefined, 0),
      };
    } catch (error) {
      if (error instanceof ExpressionEvaluationError) return this.addProblem(node, error.message);
      throw error;
    }
  }
}

/** Whether the operands of a node are constants, as they are folded already. Macros, and texts that grow, are left to the run. */
function isConstant(tree: CheckedNode): boolean {
  if (tree.op === 'call' && BUILTINS.get(tree.name)?.grows) return false;
  if (['variable', 'local', 'macro', 'has', 'default'].includes(tree.op)) return false;
  return partsOf(tree).every(({ op }) => op === 'constant');
}
