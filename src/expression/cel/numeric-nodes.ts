import { BUILTINS } from './builtins.js';
import type { BinaryOp, ChainOp, CheckedNode } from './checked-node.js';
import * as numeric from './numeric.js';

/** Whether an operator has a form on bare numbers. */
export const isNumericOp = (by: BinaryOp | ChainOp): by is keyof typeof numeric.ARITHMETIC =>
  Object.hasOwn(numeric.ARITHMETIC, by);
/** Whether an operator compares by order. */
export const isOrder = (by: BinaryOp | ChainOp): by is keyof typeof numeric.ORDER => Object.hasOwn(numeric.ORDER, by);

/** Whether a node computes a number, and so may be compiled to bare numbers. */
export function isArithmetic(tree: CheckedNode): boolean {
  if (tree.op === 'negate') return true;
  if (tree.op === 'chain' || tree.op === 'binary') {
    return isNumericOp(tree.by) && (tree.type === 'number' || tree.type === 'dyn');
  }
  if (tree.op === 'call') return BUILTINS.get(tree.name)?.numeric?.takes === tree.args.length;
  return tree.op === 'choose' && tree.type === 'number';
}

/** The operands of a node that computes a number or compares two; what it decides by is no operand. */
function operandsOf(tree: CheckedNode): readonly CheckedNode[] {
  switch (tree.op) {
    case 'negate':
      return [tree.of];
    case 'binary':
      return [tree.left, tree.right];
    case 'chain':
      return tree.parts;
    case 'call':
      return tree.args;
    case 'choose':
      return [...tree.cases.map(([, then]) => then), tree.otherwise];
    default:
      return [];
  }
}

/** Whether a node is compiled to bare numbers first: it computes a number, or compares one that is computed. */
export const isNumericFirst = (tree: CheckedNode): boolean =>
  isArithmetic(tree) || (tree.op === 'binary' && isOrder(tree.by) && operandsOf(tree).some(isArithmetic));
