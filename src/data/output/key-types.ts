import { toAssizeError } from '../../base/index.js';
import { type GroupKey, groupText } from '../group-keys.js';
import type { OutputCell } from './table-batch.js';

/** The type of a column of keys, if a column has one type. */
export type KeyType = 'STRING' | 'DOUBLE' | 'INT64' | 'BOOLEAN' | 'TIMESTAMP';

/** The type of a column of keys, by its first values: texts if they have several types. */
export function keyTypeOf(keys: readonly OutputCell[]): KeyType {
  const types = new Set<KeyType>();
  for (const key of keys) if (key !== null) types.add(typeOf(key));
  const [first = 'STRING'] = types;
  if (types.size <= 1) return first;
  return types.size === 2 && types.has('DOUBLE') && types.has('INT64') ? 'DOUBLE' : 'STRING';
}

function typeOf(key: Exclude<GroupKey, null>): KeyType {
  if (typeof key === 'string') return 'STRING';
  if (typeof key === 'boolean') return 'BOOLEAN';
  if (typeof key === 'bigint') return 'INT64';
  if (typeof key === 'number') return Number.isInteger(key) ? 'INT64' : 'DOUBLE';
  return 'TIMESTAMP';
}

/** The types in messages. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  STRING: 'texts',
  DOUBLE: 'numbers with a fraction',
  INT64: 'integers',
  BOOLEAN: 'booleans',
  TIMESTAMP: 'dates',
};

/**
 * Checks that a key has the type of its column.
 *
 * @throws AssizeError (ASZ542) if the key does not have the type of the first ones
 */
export function checkKeyType(
  key: Exclude<OutputCell, null>,
  type: string,
  column: string,
  format: 'Arrow' | 'Parquet' | 'PostgreSQL',
): void {
  const own = typeOf(key);
  if (own === type || type === 'STRING' || (type === 'DOUBLE' && own === 'INT64')) return;
  const first = TYPE_NAMES[type] ?? type;
  const message = `column ${column} of ${format} has one type: its first rows have ${first}, and a later row has ${JSON.stringify(groupText(key))}`;
  const hint =
    type === 'INT64' && own === 'DOUBLE'
      ? 'write CSV or JSON Lines, which keep both, or convert every value of the input to a text or a float'
      : 'write CSV or JSON Lines, or convert the column of the input to texts';
  throw toAssizeError([{ code: 'ASZ542', message, hint }]);
}

/** A number as text: `String(-0)` is `0`, which is another number. */
export const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
