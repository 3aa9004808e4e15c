import type { Ranking } from '../../../pipeline/ranking.js';
import { count, counted } from '../text.js';

/**
 * What became of how many: `1,832 candidates, 12 selected, 5 refused`.
 *
 * @param selected what the selected are called
 */
export function tally(ranking: Ranking<unknown>, selected: 'selected' | 'in'): string {
  const { leftOut, refused } = ranking;
  // What a fallback adds was not given.
  const given = ranking.selected.filter(({ index }) => index >= 0).length + leftOut.length + refused.length;
  const parts = [
    counted(given, 'candidate'),
    `${count(ranking.selected.length)} ${selected}`,
    ...(leftOut.length > 0 ? [`${count(leftOut.length)} left out`] : []),
    ...(refused.length > 0 ? [`${count(refused.length)} refused`] : []),
  ];
  return parts.join(', ');
}
