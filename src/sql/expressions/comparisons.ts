import type { CheckedNode } from '../../expression/cel/checked-node.js';
import type { ExpressionParts } from './expression-parts.js';
import { constant, kindOfValue } from '../values/literals.js';
import { runValue } from './run-facts.js';
import { Untranslatable } from '../untranslatable.js';
import { oddOf, type SqlBool, type SqlKind } from '../values/values.js';

type Binary = Extract<CheckedNode, { op: 'binary' }>;

const EQUALITY = { '==': '=', '!=': '<>' } as const;

/** A comparison. Values of different types are odd, though the engine may know the answer. */
export function comparison(t: ExpressionParts, tree: Binary): SqlBool {
  const { by, left, right } = tree;
  if (by === 'in') return isIn(t, left, right);
  if (by === '%') throw new Untranslatable('% gives no truth');
  const kind = t.kindOf(left) ?? t.kindOf(right);
  if (by !== '==' && by !== '!=') {
    // Databases order texts by code point or by a language, the engine by UTF-16.
    if (kind === 'string') throw new Untranslatable('an order of texts has no translation');
    return t.numbers.compare(by, t.number(left), t.number(right));
  }
  const operator = EQUALITY[by];
  if (kind === undefined) throw new Untranslatable(`${by} of two values of unknown types has no translation`);
  if (kind === 'number') return t.numbers.compare(operator, t.number(left), t.number(right));
  const [x, y] = [t.value(left, kind), t.value(right, kind)];
  return { kind: 'bool', sql: `(${x.sql} ${operator} ${y.sql})`, odd: oddOf(x, y) };
}

/** Membership in a list that is the same for every row, of values of one kind. */
function isIn(t: ExpressionParts, value: CheckedNode, list: CheckedNode): SqlBool {
  const found = runValue(t.run, list)?.value;
  if (!Array.isArray(found)) throw new Untranslatable('in a list of the candidate has no translation');
  const kinds = new Set<SqlKind | undefined>(found.map(kindOfValue));
  const [kind] = kinds;
  if (kinds.size !== 1 || kind === undefined) throw new Untranslatable('in a list of several types has no translation');
  const x = t.value(value, kind);
  if (x.kind === 'number' && x.error !== undefined) throw new Untranslatable('in, of a number that is not exact');
  const items = found.map((item: unknown) => constant(t.numbers.dialect, kind, item).sql);
  return { kind: 'bool', sql: `(${x.sql} IN (${items.join(', ')}))`, odd: x.odd };
}
