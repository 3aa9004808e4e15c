import type { Child, FormulaParts } from '../contract/index.js';
import { parsePath, parseExpression, type Expression } from '../expression/index.js';
import type { ClassUse } from './profile.js';

/** Why a class has no formula with its params. */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
}

/** A unit as an expression: what its class declares in `meta.formula`. */
export interface UnitFormula {
  readonly expression: Expression;
  /** The children that it reads, by the name that each has in it. */
  readonly children: ReadonlyMap<string, Child>;
  /** The children of which it reads the least or the greatest score of all, likewise. */
  readonly extremes: ReadonlyMap<string, ExtremeOf>;
}

/** One of the two extremes of a child's scores. */
export interface ExtremeOf {
  /** The name of its score in the expression. */
  readonly of: string;
  readonly child: Child;
  readonly which: 'least' | 'greatest';
}

/** A number as CEL reads it back, digit by digit. */
function celNumber(value: number): string {
  if (!Number.isFinite(value)) throw new FormulaError(`${value} has no literal`);
  const digits = Math.abs(value) < 1e15 ? String(Math.abs(value)) : Math.abs(value).toExponential();
  return value < 0 ? `(-${digits})` : digits;
}

/** A path as CEL reads it, key by key. */
const celPath = (source: string): string =>
  parsePath(source).reduce((path, step) => {
    if (step.kind === 'each') throw new FormulaError('it reads every element of a list');
    return `${path}[${step.kind === 'key' ? JSON.stringify(step.key) : step.index}]`;
  }, 'candidate');

/**
 * The formula of a class with its params.
 *
 * @throws FormulaError if it has none
 */
export function unitFormula({ name, unit, params }: ClassUse): UnitFormula {
  const children = new Map<string, Child>();
  const extremes = new Map<string, ExtremeOf>();
  const variableOf = (child: Child): string => {
    const known = [...children].find(([, other]) => other === child)?.[0];
    const variable = known ?? `child_${children.size}`;
    children.set(variable, child);
    return variable;
  };
  const extremeOf = (which: ExtremeOf['which']) => (child: Child) => {
    const of = variableOf(child);
    const variable = `${of}_${which}`;
    extremes.set(variable, { of, child, which });
    return variable;
  };
  const parts: FormulaParts = {
    number: celNumber,
    path: ({ source }) => celPath(source),
    child: variableOf,
    least: extremeOf('least'),
    greatest: extremeOf('greatest'),
  };
  const { formula } = unit.meta;
  // The params are what the schema of this very class has made.
  const source = formula && (formula as (params: unknown, parts: FormulaParts) => string | undefined)(params, parts);
  if (source === undefined) {
    throw new FormulaError(formula ? `${name} has no formula for these params` : `${name} declares no formula`);
  }
  const names = Object.fromEntries([...children.keys(), ...extremes.keys()].map((child) => [child, 'number' as const]));
  const scope = { name, variables: { candidate: 'map' as const, now: 'number' as const, ...names } };
  return { expression: parseExpression(source, scope), children, extremes };
}
