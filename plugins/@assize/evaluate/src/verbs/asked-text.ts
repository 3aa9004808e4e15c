import { formatNumber } from 'assize/internal';
import { createStyler, escapeInvisible, type OutputStyle, type TableColumn, tableText } from 'assize/verbs';
import { type Asked, type AskedScorer, askedText } from '../tune/ask/ask-weights.js';

/** The 90 % credible interval of each weight, so that a reader sees how uncertain few answers leave it. */
const likelyColumn = (scorers: readonly AskedScorer[]): TableColumn => ({
  head: 'likely',
  align: 'left',
  cells: scorers.map(({ likely = [] }) => likely.map((bound) => bound.toFixed(2)).join(' to ')),
});

/** The result of the questions: weights, the top by them, and contradictory answers. */
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
        ...(answers.length > 0 ? [likelyColumn(scorers)] : []),
        { head: 'was', align: 'right', cells: scorers.map(({ before }) => formatNumber(before)) },
      ],
      paint,
    ),
    ...left.map(({ id, because }) => `${escapeInvisible(id)} is unchanged: ${because}\n`),
    `\n${top.map(({ rank, id }) => `${rank}. ${escapeInvisible(id)}`).join('\n')}\n`,
    against.length > 0
      ? `\nYour other answers contradict answer${against.length > 1 ? 's' : ''} ${against.join(', ')}.\n`
      : '',
  ].join('');
}
