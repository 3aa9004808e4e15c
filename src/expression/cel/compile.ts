import { generatedOrPlain } from '../compile-path.js';
import type { BoundExpression, ExpressionOrigin, VariableBindings } from '../scope.js';
import type { CheckedNode } from './checked-node.js';
import { compileClosures } from './compiler.js';
import { RowText } from './row-text.js';
import { TextNames } from './row-writer.js';
import { hasFiniteWork, isPlainName } from './text-grammar.js';

/**
 * Compiles a checked expression to a function over the bindings of its variables.
 *
 * @param origin the expression and its place, for errors
 * @param steps  the maximum number of steps of one evaluation
 */
export function compile(
  tree: CheckedNode,
  bindings: VariableBindings,
  origin: ExpressionOrigin,
  steps?: number,
): BoundExpression {
  const closures = compileClosures(tree, bindings, origin, steps);
  if (!isWorthText(tree)) return closures;
  let run = closures;
  let left = CALLS_BEFORE_TEXT;
  return (c, i) => {
    if (left > 0) {
      left -= 1;
      if (left === 0) {
        run = generatedOrPlain(
          () => generatedFunction(tree, bindings, closures),
          () => closures,
        );
      }
    }
    return run(c, i);
  };
}

/** The number of calls after which a function is generated. Many expressions are evaluated once per run. */
const CALLS_BEFORE_TEXT = 32;

/** Whether an expression computes with numbers, or tests values. */
const isWorthText = (tree: CheckedNode): boolean =>
  (tree.type === 'number' || tree.type === 'bool' || tree.op === 'chain') &&
  ['chain', 'binary', 'negate', 'not', 'has', 'choose', 'default', 'call'].includes(tree.op) &&
  hasFiniteWork(tree);

let functionCount = 0;

/**
 * A function with the text of an expression; its closures if it has no text.
 *
 * @throws EvalError if code generation is forbidden
 */
function generatedFunction(tree: CheckedNode, bindings: VariableBindings, closures: BoundExpression): BoundExpression {
  const names = new TextNames();
  const field = (key: string) => (isPlainName(key) ? { value: `c.${key}`, isNumber: false } : undefined);
  const row = new RowText(names, { field, candidate: 'c', index: 'i' });
  const formula = { tree, bindings, finite: false, children: new Map() };
  const otherwise = `return ${names.slot(closures)}(c,i);`;
  let text: string | undefined;
  if (tree.type === 'bool') text = row.test(formula, 'return true;', 'return false;', otherwise);
  else {
    const number = row.number(formula);
    text = number && `const x=${number};if(x===x)return x;${otherwise}`;
  }
  if (text === undefined) return closures;
  functionCount += 1;
  const slots = names.slots.map((_, n) => `const _${n}=S[${n}];`).join('');
  // A candidate that is not an object has no fields.
  const body = `"use strict";${slots}return (c,i)=>{if(typeof c!=='object'||c===null)${otherwise}${row.before}${row.take()}${text}} // expression ${functionCount}`;
  // oxlint-disable-next-line no-implied-eval, typescript/no-unsafe-type-assertion -- the text comes from a closed grammar: see RowText
  return (new Function('S', body) as (slots: readonly unknown[]) => BoundExpression)(names.slots);
}
