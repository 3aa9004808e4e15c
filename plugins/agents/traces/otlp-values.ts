import { at, countOf, type JsonMap, listOf, stringOf } from './values.js';

/** Decodes a value of OTLP: `{ stringValue }`, `{ intValue }`, `{ arrayValue: { values } }` and so on. */
export function decodeValue(value: unknown): unknown {
  const text =
    at(value, 'stringValue') ?? at(value, 'boolValue') ?? at(value, 'doubleValue') ?? at(value, 'bytesValue');
  if (text !== undefined) return text;
  const int = at(value, 'intValue');
  if (int !== undefined) return Number(int);
  const list = at(value, 'arrayValue');
  if (list !== undefined) return listOf(at(list, 'values')).map(decodeValue);
  const map = at(value, 'kvlistValue');
  return map === undefined ? undefined : Object.fromEntries(decodeAttributes(at(map, 'values')));
}

/** Decodes a list of `{ key, value }`. The last value of a key wins. */
export function decodeAttributes(list: unknown): Map<string, unknown> {
  const attributes = new Map<string, unknown>();
  for (const item of listOf(list)) {
    const key = stringOf(at(item, 'key'));
    const value = decodeValue(at(item, 'value'));
    if (key !== undefined && value !== undefined) attributes.set(key, value);
  }
  return attributes;
}

/** Nanoseconds since 1970 as milliseconds; undefined for 0 and for other values. */
export function nanosOf(value: unknown): number | undefined {
  const nanos = countOf(value);
  return nanos === undefined || nanos === 0 || nanos > 8.64e21 ? undefined : nanos / 1e6;
}

/** A tree of attributes: `messages.0.message.role`. Whole numbers are positions in a list. */
interface Tree {
  readonly branches: Map<string, Tree>;
  value?: unknown;
}

/** The deepest attribute that is read: `llm.input_messages.0.message.tool_calls.0.tool_call.function.name` has 9 keys. */
const MAX_KEYS = 16;

/** Makes a list of the attributes `PREFIX.N.KEY…`; undefined if there are none. */
export function unflatten(attributes: ReadonlyMap<string, unknown>, prefix: string): readonly unknown[] | undefined {
  const root: Tree = { branches: new Map() };
  for (const [key, value] of attributes) {
    if (!key.startsWith(`${prefix}.`)) continue;
    const keys = key.slice(prefix.length + 1).split('.');
    if (keys.length > MAX_KEYS) continue;
    let tree = root;
    for (const one of keys) {
      let next = tree.branches.get(one);
      if (!next) tree.branches.set(one, (next = { branches: new Map() }));
      tree = next;
    }
    tree.value = value;
  }
  if (root.branches.size === 0) return undefined;
  const grown = grow(root);
  return Array.isArray(grown) ? grown : [grown];
}

function grow({ branches, value }: Tree): unknown {
  if (branches.size === 0) return value;
  const entries = [...branches].map(([key, tree]): [string, unknown] => [key, grow(tree)]);
  if (!entries.every(([key]) => /^\d+$/.test(key))) return Object.fromEntries(entries) satisfies JsonMap;
  return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
}
