import type { Ranking } from '../../../ranking/ranking.js';
import { jsonLines } from './json-text.js';

/**
 * What goes in, in its order, and what stays out, as JSON Lines: `{ in, id, cost, score, candidate }`, with `because`
 * where that is not the score, or with `reason`, `text` and `keptInstead`. What is not known is left away.
 */
export function packJsonLines({ selected, leftOut }: Ranking<unknown>): string {
  const inside = selected.map(({ id, cost, score, because, candidate }) => {
    return { in: true, id, cost, score, because, candidate };
  });
  const outside = leftOut.map(({ id, cost, score, reason, text, keptInstead, candidate }) => {
    return { in: false, id, cost, score, reason, text, keptInstead, candidate };
  });
  return jsonLines([...inside, ...outside]);
}
