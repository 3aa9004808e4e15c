import { isScalar, type YAMLMap } from 'yaml';
import { endOf, lastOf, lineEnd, lineStart, type Splice, SpliceError, startOf, type YamlPair } from './splice.js';

/**
 * Removes a key of a map with its value, and the comment behind it. Other keys stay on their lines.
 *
 * @throws SpliceError if it is the only key, or the map has an unsupported form
 */
export function removeKey(text: string, map: YAMLMap, key: string): Splice[] {
  const pairs = map.items as YamlPair[];
  const at = pairs.findIndex((pair) => isScalar(pair.key) && pair.key.value === key);
  const pair = pairs[at];
  if (!pair || pairs.length === 1) throw new SpliceError(`${key} is the only key, and cannot be removed`);
  const [start, end] = [startOf(pair.key), endOf(lastOf(pair))];
  const [before, after] = [pairs[at - 1], pairs[at + 1]];
  if (map.flow) {
    if (before) return [{ start: endOf(lastOf(before)), end, text: '' }];
    return [{ start, end: startOf(after!.key), text: '' }];
  }
  // The first key of a list item shares its line with the dash.
  const isAlone = text.slice(lineStart(text, start), start).trim() === '';
  if (!isAlone) return [{ start, end: startOf(after!.key), text: '' }];
  return [{ start: lineStart(text, start), end: lineEnd(text, end), text: '' }];
}
