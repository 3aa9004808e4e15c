import { withSlack } from '../../engine/stages/score/resolve.js';
import type { ActiveScorer } from '../../engine/tier-plans.js';
import type { RowVariable } from '../expressions/expression.js';
import { numberLiteral } from '../values/literals.js';
import { type Target, translateUse } from '../expressions/uses.js';
import { Untranslatable } from '../untranslatable.js';
import { orTrue, type SqlNumber } from '../values/values.js';

/** A scorer's number on a row, after its `on_absent`. */
export interface SqlScore {
  readonly id: string;
  readonly refuser: number;
  /** NULL where it is left out of the row. */
  readonly value: SqlNumber;
  /** Whether it may be. */
  readonly maySkip: boolean;
  /** Whether it refuses the row as absent; undefined where it never does. */
  readonly refuses: string | undefined;
}

/** Translates a scorer. A score outside its declared range is odd: what then holds is the entry's business. */
export function translateScorer(target: Target, { entry, refuser }: ActiveScorer, variables: RowVariable): SqlScore {
  const score = translateUse(target, entry.use, 'number', variables);
  if (score.kind !== 'number') throw new Untranslatable('it gives no number');
  const { numbers } = target;
  const sql = numbers.layers.let(score.sql);
  const raw: SqlNumber = { ...score, sql, odd: [...score.odd, ...outOfRange(target, { ...score, sql }, entry.range)] };
  const { id, onAbsent } = entry;
  if (onAbsent === 'refuse') return { id, refuser, value: raw, maySkip: false, refuses: `(${sql} IS NULL)` };
  if (onAbsent === 'skip') return { id, refuser, value: raw, maySkip: true, refuses: undefined };
  const value = numbers.orElse(raw, numbers.constant(onAbsent));
  return { id, refuser, value: { ...value, sql: numbers.layers.let(value.sql) }, maySkip: false, refuses: undefined };
}

function outOfRange(
  { numbers }: Target,
  { sql, error }: SqlNumber,
  range: ActiveScorer['entry']['range'],
): readonly string[] {
  if (!range) return [];
  const [least, most] = withSlack(range);
  const inside = [
    Number.isFinite(least) && `${error ? `(${sql} - ${error})` : sql} >= ${numberLiteral(numbers.dialect, least)}`,
    Number.isFinite(most) && `${error ? `(${sql} + ${error})` : sql} <= ${numberLiteral(numbers.dialect, most)}`,
  ].filter((test) => test !== false);
  return inside.length === 0 ? [] : [`(NOT ${orTrue(`(${inside.join(' AND ')})`)})`];
}
