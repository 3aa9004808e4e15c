import {
  type Expression,
  ExpressionError,
  type RowChild,
  type RowFormula,
  type VariableBindings,
} from '../../expression/index.js';
import { type ChildUse, FormulaError, type UnitFormula, unitFormula, type Use } from '../../profile/index.js';

/** The number of nodes up to which a formula becomes text. In a longer one, such as a curve of 100 points, a closure can search. */
const MOST_NODES = 300;

const NO_CHILDREN: RowFormula['children'] = new Map();

/** The computation of an entry as an expression, for the text of a loop; undefined if its class states none. */
export function rowFormula(use: Use, bindings: VariableBindings): RowFormula | undefined {
  if (use.kind === 'expr') return expressionFormula(use.expression, bindings);
  const formula = formulaOf(use);
  if (!formula || formula.extremes.size > 0 || formula.expression.size > MOST_NODES) return undefined;
  const children = new Map<string, RowChild>();
  for (const [name, child] of formula.children) {
    const inside = use.children.get(child);
    const one = inside && rowChild(inside, bindings);
    if (!one) return undefined;
    children.set(name, one);
  }
  return { tree: formula.expression.tree, bindings, finite: true, children };
}

/** An expression, for the text of a loop. */
export const expressionFormula = ({ tree }: Expression, bindings: VariableBindings): RowFormula => ({
  tree,
  bindings,
  finite: false,
  children: NO_CHILDREN,
});

function rowChild({ use, onAbsent }: ChildUse, bindings: VariableBindings): RowChild | undefined {
  const formula = rowFormula(use, bindings);
  return formula && { formula, onAbsent: typeof onAbsent === 'number' ? onAbsent : undefined };
}

function formulaOf(use: Extract<Use, { kind: 'class' }>): UnitFormula | undefined {
  if (!use.unit.meta.formula) return undefined;
  try {
    return unitFormula(use);
  } catch (error) {
    if (error instanceof FormulaError || error instanceof ExpressionError) return undefined;
    throw error;
  }
}
