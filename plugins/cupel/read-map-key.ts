import { type PathReader, readMap } from '../../src/sdk.js';

/** What a map holds under a key of its own; absent where there is no map, too. */
export function readMapKey(path: PathReader, candidate: unknown, key: string): unknown {
  const map = readMap(path, candidate);
  return map !== undefined && Object.hasOwn(map, key) ? (map[key] ?? undefined) : undefined;
}
