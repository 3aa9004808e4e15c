import { visible } from '../../document/visible.js';
import type { Ranking } from '../../pipeline/ranking.js';
import type { Look } from '../terminal/io.js';
import { painter } from '../terminal/paint.js';
import { count, counted, wrap } from './text.js';

const MOST_WARNINGS = 8;

/** What became of what failed. */
const INSTEAD = { absent: 'it was left out', refused: 'refused', passed: 'passed' } as const;

/** What failed without failing the run, and what is surely a mistake, as one block; empty when there is neither. */
export function notices(
  { degraded, warnings }: Pick<Ranking<unknown>, 'degraded' | 'warnings'>,
  { columns, colour }: Look,
): string {
  const paint = painter(colour);
  const block = (title: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `\n${paint(['bold', 'yellow'], title)}\n${lines.map((line) => `${wrap(visible(line), columns, '  ')}\n`).join('')}`;
  const failures = degraded.map(({ entry, stage, cause, count: times, instead }) => {
    const where = `${entry} failed in ${stage}${times > 1 ? ` on ${counted(times, 'candidate')}` : ''}`;
    return `${where}; ${typeof instead === 'number' ? `${instead} stands in` : INSTEAD[instead]}: ${cause}`;
  });
  const more = warnings.length - MOST_WARNINGS;
  const shown = [
    ...warnings
      .slice(0, MOST_WARNINGS)
      .map(({ code, message, hint }) => `${message}${hint === undefined ? '' : `; ${hint}`} (${code})`),
    ...(more > 0 ? [`… and ${count(more)} more: --format json has them all`] : []),
  ];
  return block('Degraded', failures) + block('Warnings', shown);
}
