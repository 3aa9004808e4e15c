import type { Child, FormulaParts, FormulaStatistic } from '../sdk/index.js';
import {
  type Expression,
  ExpressionError,
  parseExpression,
  parsePath,
  type RowChild,
  type RowFormula,
  type VariableBindings,
} from '../expression/index.js';
import type { ChildUse, ClassUse, Use } from './profile.js';

/** Thrown if a class has no formula for its params. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
}

/** The expression that a class declares in `meta.formula`. */
export interface UnitFormula {
  readonly expression: Expression;
  /** The children whose scores the expression reads, by variable name. */
  readonly children: ReadonlyMap<string, Child>;
  /** The statistics of children that it reads, by variable name. */
  readonly statistics: ReadonlyMap<string, StatisticOf>;
}

/** A statistic of a child's scores over all candidates. */
export interface StatisticOf {
  /** The variable of the child's own score. */
  readonly of: string;
  readonly child: Child;
  readonly which: 'least' | 'greatest' | FormulaStatistic;
}

/** A CEL literal that parses to exactly this number. */
function celNumber(value: number): string {
  if (!Number.isFinite(value)) throw new FormulaError(`${value} has no literal`);
  const digits = Math.abs(value) < 1e15 ? String(Math.abs(value)) : Math.abs(value).toExponential();
  return value < 0 ? `(-${digits})` : digits;
}

/** The CEL expression that reads a path of the candidate. */
const celPath = (source: string): string =>
  parsePath(source).reduce((path, step) => {
    if (step.kind === 'each') throw new FormulaError('it reads every element of a list');
    return `${path}[${step.kind === 'key' ? JSON.stringify(step.key) : step.index}]`;
  }, 'candidate');

/**
 * The formula of a class with its params.
 *
 * @throws FormulaError if the class declares none for these params
 */
export function unitFormula({ name, unit, params }: ClassUse): UnitFormula {
  const children = new Map<string, Child>();
  const statistics = new Map<string, StatisticOf>();
  const variableOf = (child: Child): string => {
    const known = [...children].find(([, other]) => other === child)?.[0];
    const variable = known ?? `child_${children.size}`;
    children.set(variable, child);
    return variable;
  };
  const statisticOf = (child: Child, which: StatisticOf['which']): string => {
    const of = variableOf(child);
    const variable = `${of}_${which}`;
    statistics.set(variable, { of, child, which });
    return variable;
  };
  const parts: FormulaParts = {
    number: celNumber,
    path: ({ source }) => celPath(source),
    child: variableOf,
    least: (child) => statisticOf(child, 'least'),
    greatest: (child) => statisticOf(child, 'greatest'),
    statistic: statisticOf,
  };
  const { formula } = unit.meta;
  // The schema of this class parsed the params, so they have the type that its formula expects.
  const source = formula && (formula as (params: unknown, parts: FormulaParts) => string | undefined)(params, parts);
  if (source === undefined) {
    throw new FormulaError(formula ? `${name} has no formula for these params` : `${name} declares no formula`);
  }
  const names = Object.fromEntries(
    [...children.keys(), ...statistics.keys()].map((child) => [child, 'number' as const]),
  );
  const scope = { name, variables: { candidate: 'map' as const, now: 'number' as const, ...names } };
  return { expression: parseExpression(source, scope), children, statistics };
}

/** The number of nodes up to which a formula becomes text. In a longer one, such as a curve of 100 points, a closure can search. */
const MOST_NODES = 300;

const NO_CHILDREN: RowFormula['children'] = new Map();

/** The computation of an entry as an expression, for the text of a loop; undefined if its class states none. */
export function rowFormula(use: Use, bindings: VariableBindings): RowFormula | undefined {
  if (use.kind === 'expr') return expressionFormula(use.expression, bindings);
  const formula = formulaOrNothing(use);
  if (!formula || formula.statistics.size > 0 || formula.expression.size > MOST_NODES) return undefined;
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

function formulaOrNothing(use: ClassUse): UnitFormula | undefined {
  if (!use.unit.meta.formula) return undefined;
  try {
    return unitFormula(use);
  } catch (error) {
    if (error instanceof FormulaError || error instanceof ExpressionError) return undefined;
    throw error;
  }
}
