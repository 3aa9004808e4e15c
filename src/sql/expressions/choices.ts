import type { CheckedNode } from '../../expression/cel/checked-node.js';
import { Untranslatable } from '../untranslatable.js';
import { NOT_ODD, oddOf, type SqlBool, type SqlKind, type SqlText, type SqlValue } from '../values/values.js';

export const isKind = <K extends SqlKind>(value: SqlValue, kind: K): value is Extract<SqlValue, { kind: K }> =>
  value.kind === kind;

/** One of two values, by a condition; absent where that is NULL. */
export const chooseValue = <K extends 'bool' | 'string'>(
  kind: K,
  test: string,
  a: { sql: string },
  b: { sql: string },
) => ({
  kind,
  sql: `CASE WHEN ${test} THEN ${a.sql} WHEN NOT ${test} THEN ${b.sql} END`,
  odd: NOT_ODD,
});

/** The first of two values that is there. */
export const orElse = <K extends 'bool' | 'string'>(kind: K, a: SqlBool | SqlText, b: SqlBool | SqlText) => ({
  kind,
  sql: `coalesce(${a.sql}, ${b.sql})`,
  odd: oddOf(a, b),
});

const NAMES: Partial<Record<CheckedNode['op'], string>> = {
  macro: 'a macro over a list',
  list: 'a list',
  map: 'a map',
  index: 'a computed index',
  local: 'an element of a list',
};

export const untranslatable = (tree: CheckedNode, kind: string): Untranslatable =>
  new Untranslatable(`${NAMES[tree.op] ?? `${tree.op} as ${kind}`} has no translation`);
