import { escapeInvisible } from '../../text/escape-invisible.js';
import { formatNumber } from '../../text/format-number.js';
import { tableText } from '../../text/table.js';
import { type Asked, type AskedScorer, askedText } from '../../tune/index.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';

/** Where a weight lies with a probability of 90 %: a guess of few answers is seen to be one. */
const likelyText = ([least, most]: AskedScorer['likely']): string => `${least.toFixed(2)} to ${most.toFixed(2)}`;

/** What was learnt from answers: the weights, the top by them, and the answers that contradict the others. */
export function askedTable(asked: Asked<object>, { colour }: OutputStyle): string {
  const paint = createStyler(colour);
  const { profile, scorers, top, answers, left } = asked;
  const against = answers.flatMap(({ contradicts }, k) => (contradicts ? [k + 1] : []));
  return [
    `${paint('bold', escapeInvisible(profile))}: ${askedText(asked)}\n\n`,
    tableText(
      [
        { head: 'scorer', align: 'left', cells: scorers.map(({ id }) => escapeInvisible(id)) },
        { head: 'weight', align: 'right', cells: scorers.map(({ weight }) => formatNumber(weight)) },
        { head: 'likely', align: 'left', cells: scorers.map(({ likely }) => likelyText(likely)) },
        { head: 'was', align: 'right', cells: scorers.map(({ before }) => formatNumber(before)) },
      ],
      paint,
    ),
    ...left.map(({ id, because }) => `${escapeInvisible(id)} is as it was: ${because}\n`),
    `\n${top.map(({ rank, id }) => `${rank}. ${escapeInvisible(id)}`).join('\n')}\n`,
    against.length > 0
      ? `\nThe others say otherwise than your answer${against.length > 1 ? 's' : ''} ${against.join(', ')}.\n`
      : '',
  ].join('');
}
