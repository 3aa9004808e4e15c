import type { DataPath as Path } from '../../diagnostics/places.js';
import type { Problem } from '../../diagnostics/problem.js';
import { isMap } from '../../expression/is-map.js';
import type { RawMap } from '../merge/merge-profiles.js';
import { ENTRY_LISTS } from '../schema/profile-schema.js';

/** Reports a problem of a profile at a path; with its place, if the profile came from a file. */
export type ProblemReporter = (
  code: Problem['code'],
  message: string,
  path: Path,
  hint?: string,
  at?: 'key' | 'value',
) => void;

const MAX_NESTING = 100;

/**
 * Checks that data is a tree: an object that contains itself could be neither merged nor printed. Nor may any key be
 * `__proto__`, not even in the free data of a strategy: much that handles maps drops it silently.
 *
 * @returns whether it is one
 */
export function checkTree(data: RawMap, at: ProblemReporter): boolean {
  const open = new Set<unknown>();
  const visit = (value: unknown, path: Path): Path | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    if (open.has(value) || open.size > MAX_NESTING) return path;
    open.add(value);
    for (const [key, item] of Object.entries(value)) {
      const below = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === '__proto__') at('ASZ204', 'the name __proto__ is reserved', below, undefined, 'key');
      const culprit = visit(item, below);
      if (culprit !== undefined) return culprit;
    }
    open.delete(value);
    return undefined;
  };
  const culprit = visit(data, []);
  if (culprit === undefined) return true;
  at('ASZ202', `the profile contains itself, or is nested more than ${MAX_NESTING} deep`, culprit);
  return false;
}

/** Reports entries of one list that have one id. Entries of a profile and of its base are in two lists. */
export function checkUniqueIds(data: RawMap, at: ProblemReporter): void {
  for (const key of ENTRY_LISTS) {
    const list = data[key];
    if (!Array.isArray(list)) continue;
    const seen = new Map<unknown, number>();
    for (const [index, entry] of list.entries()) {
      const id: unknown = isMap(entry) ? entry['id'] : undefined;
      if (id === undefined) continue;
      const first = seen.get(id);
      if (first === undefined) seen.set(id, index);
      else {
        const hint = `entry ${first + 1} of ${key} has it`;
        at('ASZ203', `the id ${JSON.stringify(id)} is taken`, [key, index, 'id'], hint);
      }
    }
  }
}
