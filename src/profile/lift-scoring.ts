import { isMap } from '../document/map.js';
import { setOwn } from '../document/own.js';
import { copyPlace, locate } from '../document/places.js';
import { describeValue } from '../expression/describe.js';
import type { At } from './check-raw.js';
import type { Raw } from './merge.js';

/** The key under which a profile may write what it would write at its root. */
const KEY = 'scoring';

/**
 * A profile's data with the keys under `scoring:` at its root, each with its own place. A key at both would be one too
 * many: which of them holds is nothing to guess.
 */
export function liftScoring(data: Raw, at: At): Raw {
  if (!Object.hasOwn(data, KEY)) return data;
  const { [KEY]: inside, ...root } = data;
  if (!isMap(inside)) {
    at('ASZ202', `expected a map, found ${describeValue(inside)}`, [KEY], 'it holds what may stand at the root');
    return root;
  }
  const lifted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(root)) put(lifted, key, value, data);
  for (const [key, value] of Object.entries(inside)) {
    if (Object.hasOwn(root, key)) {
      const other = locate(data, [key], 'key');
      const where = other ? `at ${other.file}:${other.line}:${other.column}` : 'at the root';
      const hint = `keep it here, or ${where}`;
      at('ASZ515', `${key} stands both under ${KEY} and at the root`, [KEY, key], hint, 'key');
    } else put(lifted, key, value, inside);
  }
  return lifted;
}

function put(to: Record<string, unknown>, key: string, value: unknown, from: object): void {
  setOwn(to, key, value);
  copyPlace(from, key, to, key);
}
