import type { ChildUse, Use } from '../profile/index.js';
import type { Arithmetic } from './arithmetic.js';
import { ExpressionTranslator, type RowVariable } from './expression.js';
import type { Fields } from './fields.js';
import { formulaOf } from './formula.js';
import type { RunFacts } from './run-facts.js';
import { type SqlKind, type SqlNumber, type SqlValue, Untranslatable } from './values.js';

/** What a translation is made with. */
export interface Target {
  readonly numbers: Arithmetic;
  readonly fields: Fields;
  readonly run: RunFacts;
}

/** A translator of expressions that may read these variables. */
export const translator = ({ numbers, fields, run }: Target, variables: RowVariable): ExpressionTranslator =>
  new ExpressionTranslator(numbers, fields, run, variables);

/** The value of an expression or a unit, as its reader needs it. */
export function translateUse(target: Target, use: Use, kind: SqlKind, variables: RowVariable): SqlValue {
  if (use.kind === 'expr') return translator(target, variables).value(use.expression.tree, kind);
  const { expression, children } = formulaOf(use);
  const scores = new Map<string, SqlNumber>();
  for (const [name, child] of children) {
    const found = use.children.get(child);
    if (!found) throw new Untranslatable('it has a child of another unit');
    scores.set(name, translateChild(target, found, variables));
  }
  return translator(target, (name) => scores.get(name)).value(expression.tree, kind);
}

/** The score of a child, after its `on_absent`. */
function translateChild(target: Target, { use, onAbsent, name }: ChildUse, variables: RowVariable): SqlNumber {
  if (onAbsent === 'refuse') throw new Untranslatable(`${name}, inside it, refuses what it does not apply to`);
  const score = translateUse(target, use, 'number', variables);
  if (score.kind !== 'number') throw new Untranslatable(`${name}, inside it, gives no number`);
  const { numbers } = target;
  const named = { ...score, sql: numbers.layers.let(score.sql) };
  return onAbsent === 'skip' ? named : numbers.orElse(named, numbers.constant(onAbsent));
}
