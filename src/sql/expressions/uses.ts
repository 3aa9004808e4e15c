import {
  type ChildUse,
  type ClassUse,
  type ExtremeOf,
  FormulaError,
  type UnitFormula,
  type Use,
  unitFormula,
} from '../../profile/index.js';
import type { Arithmetic } from '../values/arithmetic.js';
import { ExpressionTranslator, type RowVariable } from './expression.js';
import type { Fields } from '../values/fields.js';
import { absentNumber } from '../values/literals.js';
import type { RunFacts } from './run-facts.js';
import { Untranslatable } from '../untranslatable.js';
import type { SqlKind, SqlNumber, SqlValue } from '../values/values.js';

/** What a translation is made with. */
export interface Target {
  readonly numbers: Arithmetic;
  readonly fields: Fields;
  readonly run: RunFacts;
  /** The least and the greatest scores of the entries that scale over all candidates; undefined where they are not known. */
  readonly extremes?: Extremes | undefined;
}

/** By the child of a unit: its least and its greatest score, undefined where it has given none. */
export type Extremes = ReadonlyMap<ChildUse, { readonly least: number; readonly greatest: number } | undefined>;

/** A translator of expressions that may read these variables. */
export const translator = ({ numbers, fields, run }: Target, variables: RowVariable): ExpressionTranslator =>
  new ExpressionTranslator(numbers, fields, run, variables);

/** The value of an expression or a unit, as its reader needs it. */
export function translateUse(target: Target, use: Use, kind: SqlKind, variables: RowVariable): SqlValue {
  if (use.kind === 'expr') return translator(target, variables).value(use.expression.tree, kind);
  const { expression, children, extremes } = formulaOf(use);
  const scores = new Map<string, SqlNumber>();
  for (const [name, child] of children) {
    const found = use.children.get(child);
    if (!found) throw new Untranslatable('it has a child of another unit');
    scores.set(name, translateChild(target, found, variables));
  }
  const asked: string[] = [];
  for (const [name, { of, child, which }] of extremes) {
    // The engine asks each row for what an extreme is of, whatever the formula then reads.
    asked.push(...(scores.get(of)?.odd ?? []));
    scores.set(name, extremeNumber(target, use.children.get(child), which));
  }
  const value = translator(target, (name) => scores.get(name)).value(expression.tree, kind);
  return { ...value, odd: [...value.odd, ...asked] };
}

/** @throws Untranslatable if the class has no formula with its params */
export function formulaOf(use: ClassUse): UnitFormula {
  try {
    return unitFormula(use);
  } catch (error) {
    throw error instanceof FormulaError ? new Untranslatable(error.message) : error;
  }
}

/** An extreme is the same for every row. */
function extremeNumber(
  { numbers, extremes }: Target,
  child: ChildUse | undefined,
  which: ExtremeOf['which'],
): SqlNumber {
  if (!child || !extremes?.has(child)) throw new Untranslatable('it needs all candidates');
  const value = extremes.get(child)?.[which];
  return value === undefined ? absentNumber(numbers.dialect) : numbers.constant(value);
}

/** The score of a child, after its `on_absent`. */
export function translateChild(target: Target, { use, onAbsent, name }: ChildUse, variables: RowVariable): SqlNumber {
  if (onAbsent === 'refuse') throw new Untranslatable(`${name}, inside it, refuses what it does not apply to`);
  const score = translateUse(target, use, 'number', variables);
  if (score.kind !== 'number') throw new Untranslatable(`${name}, inside it, gives no number`);
  const { numbers } = target;
  const named = { ...score, sql: numbers.layers.let(score.sql) };
  return onAbsent === 'skip' ? named : numbers.orElse(named, numbers.constant(onAbsent));
}
