import type { TopCounts } from '../../../ranking/counts.js';
import { count, counted } from '../text.js';

/**
 * What became of how many: `1,832 candidates, 12 selected, 5 refused`.
 *
 * @param word what the selected are called
 */
export function countsLine({ given, selected, leftOut, refused }: TopCounts, word: 'selected' | 'in'): string {
  const parts = [
    counted(given, 'candidate'),
    `${count(selected)} ${word}`,
    ...(leftOut > 0 ? [`${count(leftOut)} left out`] : []),
    ...(refused > 0 ? [`${count(refused)} refused`] : []),
  ];
  return parts.join(', ');
}
