import type { Ranking } from '../../ranking/ranking.js';
import { escapeInvisible } from '../../text/escape-invisible.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';
import { count, counted, wrap } from './text.js';

const MAX_WARNINGS = 8;

/** What became of what failed. */
const SUBSTITUTE_TEXT = { absent: 'it was left out', refused: 'refused', passed: 'passed' } as const;

/** What failed without failing the run, and what is surely a mistake, as one block; empty when there is neither. */
export function runWarningsText(
  { degraded, warnings }: Pick<Ranking<unknown>, 'degraded' | 'warnings'>,
  { columns, colour }: OutputStyle,
): string {
  const paint = createStyler(colour);
  const block = (title: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `\n${paint(['bold', 'yellow'], title)}\n${lines.map((line) => `${wrap(escapeInvisible(line), columns, '  ')}\n`).join('')}`;
  const failures = degraded.map(({ entry, stage, cause, count: times, instead }) => {
    const where = `${entry} failed in ${stage}${times > 1 ? ` on ${counted(times, 'candidate')}` : ''}`;
    return `${where}; ${typeof instead === 'number' ? `${instead} stands in` : SUBSTITUTE_TEXT[instead]}: ${cause}`;
  });
  const more = warnings.length - MAX_WARNINGS;
  const shown = [
    ...warnings
      .slice(0, MAX_WARNINGS)
      .map(({ code, message, hint }) => `${message}${hint === undefined ? '' : `; ${hint}`} (${code})`),
    ...(more > 0 ? [`… and ${count(more)} more: --format json has them all`] : []),
  ];
  return block('Degraded', failures) + block('Warnings', shown);
}
