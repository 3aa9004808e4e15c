import type { Adjustment, NumberOrExpression, TableFactor } from '../../profile/index.js';
import { keyText } from '../../engine/units/binder.js';
import type { RowVariable } from '../expressions/expression.js';
import { absentNumber } from '../values/literals.js';
import { runValue } from '../expressions/run-facts.js';
import { type Target, translator } from '../expressions/uses.js';
import { type Odd, oddWhere, orFalse, type SqlNumber } from '../values/values.js';

/** The score after a rule. */
export interface SqlRule {
  readonly score: SqlNumber;
  /** Whether the rule refuses the row; undefined where it never does. */
  readonly refuses: string | undefined;
}

const ORDER = ['set', 'add', 'multiply', 'min', 'max'] as const;

/** Translates a rule: where its condition is true, each operation whose amount is there, in order. */
export function translateRule(target: Target, rule: Adjustment, score: SqlNumber, variables: RowVariable): SqlRule {
  const { numbers } = target;
  const { layers } = numbers;
  const withScore: RowVariable = (name, field) =>
    name === 'score' && field === undefined ? score : variables(name, field);
  const condition = rule.when && translator(target, withScore).bool(rule.when.tree);
  const fires = layers.let(condition ? orFalse(condition.sql) : 'TRUE');
  const odd: string[] = [...(condition?.odd ?? [])];
  let refuses: string | undefined;
  let current = score;
  for (const operation of ORDER) {
    const part = rule[operation];
    if (part === undefined) continue;
    const found = amountOf(target, part, withScore);
    const amount = {
      ...found,
      sql: layers.let(found.sql),
      error: found.error && layers.let(found.error),
      odd: [] as Odd,
    };
    odd.push(...oddWhere(fires, found.odd));
    const acts = layers.let(`(${fires} AND ${amount.sql} IS NOT NULL)`);
    if (typeof part === 'object' && 'table' in part && part.zero === 'refuse') {
      refuses = layers.let(`(${acts} AND ${amount.sql} = 0)`);
    }
    const before = {
      ...current,
      sql: layers.let(current.sql),
      error: current.error && layers.let(current.error),
      odd: [] as Odd,
    };
    const after = apply(target, operation, before, amount);
    odd.push(...oddWhere(acts, after.odd));
    current = numbers.choose(acts, after, before);
  }
  return { score: { ...current, sql: layers.let(current.sql), odd }, refuses };
}

function apply({ numbers }: Target, operation: (typeof ORDER)[number], score: SqlNumber, amount: SqlNumber): SqlNumber {
  switch (operation) {
    case 'set':
      return amount;
    case 'add':
      return numbers.add(score, amount);
    case 'multiply':
      return numbers.multiply(score, amount);
    case 'min':
      return numbers.extremum('max', score, amount);
    default:
      return numbers.extremum('min', score, amount);
  }
}

function amountOf(target: Target, part: NumberOrExpression | TableFactor, variables: RowVariable): SqlNumber {
  if (typeof part === 'number') return target.numbers.constant(part);
  return 'table' in part ? tableFactor(target, part, variables) : translator(target, variables).number(part.tree);
}

/** A factor of a table: keys that are the same for every row are looked up now, the others are texts to be compared. */
function tableFactor(target: Target, { table, by, missing }: TableFactor, variables: RowVariable): SqlNumber {
  const { numbers } = target;
  const odd: string[] = [];
  const keys = by.map(({ tree }) => {
    const same = runValue(target.run, tree);
    if (same) return same;
    const text = translator(target, variables).text(tree);
    odd.push(...text.odd);
    return { sql: numbers.layers.let(text.sql) };
  });
  let most = Math.abs(missing);
  const literal = (factor: number): string => {
    most = Math.max(most, Math.abs(factor));
    return numbers.constant(factor).sql;
  };
  const look = (at: unknown, level: number): string => {
    const key = keys[level];
    if (!key) return literal(typeof at === 'number' ? at : missing);
    const rows = at instanceof Map ? (at as ReadonlyMap<string, unknown>) : new Map<string, unknown>();
    if ('value' in key) return look(rows.get(keyText(key.value)), level + 1);
    const branches = [...rows].map(
      ([name, row]) => `WHEN ${key.sql} = ${numbers.dialect.text(name)} THEN ${look(row, level + 1)}`,
    );
    const otherwise = look(undefined, level + 1);
    return branches.length === 0 ? otherwise : `CASE ${branches.join(' ')} ELSE ${otherwise} END`;
  };
  if (keys.some((key) => 'value' in key && (key.value === undefined || key.value === null))) {
    return absentNumber(numbers.dialect);
  }
  const found = look(table, 0);
  const there = keys.flatMap((key) => ('sql' in key ? [`${key.sql} IS NOT NULL`] : []));
  const sql = there.length === 0 ? found : `CASE WHEN ${there.join(' AND ')} THEN ${found} END`;
  return { kind: 'number', sql, error: undefined, most, odd };
}
