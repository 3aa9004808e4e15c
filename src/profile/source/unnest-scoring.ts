import { describeValue } from '../../diagnostics/describe-value.js';
import { copyPlace, locate } from '../../diagnostics/places.js';
import { isMap } from '../../expression/is-map.js';
import { setOwn } from '../../expression/set-own.js';
import type { RawMap } from '../merge/merge-profiles.js';
import type { ProblemReporter } from './check-structure.js';

/** The key under which a profile may write what it would write at its root. */
const SCORING_KEY = 'scoring';

/**
 * Moves the keys under `scoring:` to the root of a profile, each with its own place. A key that stands at both is a
 * problem: which of them holds cannot be guessed.
 */
export function unnestScoring(data: RawMap, at: ProblemReporter): RawMap {
  if (!Object.hasOwn(data, SCORING_KEY)) return data;
  const { [SCORING_KEY]: inside, ...root } = data;
  if (!isMap(inside)) {
    at(
      'ASZ202',
      `expected a map, found ${describeValue(inside)}`,
      [SCORING_KEY],
      'it holds what may stand at the root',
    );
    return root;
  }
  const unnested: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(root)) setWithPlace(unnested, key, value, data);
  for (const [key, value] of Object.entries(inside)) {
    if (Object.hasOwn(root, key)) {
      const other = locate(data, [key], 'key');
      const where = other ? `at ${other.file}:${other.line}:${other.column}` : 'at the root';
      const hint = `keep it here, or ${where}`;
      at('ASZ515', `${key} stands both under ${SCORING_KEY} and at the root`, [SCORING_KEY, key], hint, 'key');
    } else setWithPlace(unnested, key, value, inside);
  }
  return unnested;
}

function setWithPlace(to: Record<string, unknown>, key: string, value: unknown, from: object): void {
  setOwn(to, key, value);
  copyPlace(from, key, to, key);
}
