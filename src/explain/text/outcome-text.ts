import { escapeInvisible } from '../../text/escape-invisible.js';
import { formatNumber, formatOrdinal } from '../../text/format-number.js';
import type { RenderOptions } from '../../text/table.js';
import { wrap, wrapToLines } from '../../text/wrap.js';
import type { CandidateOutcome, Explanation } from '../explanation.js';

/** What became of the candidate, and what refused it. */
export function headline(explanation: Explanation, { columns, paint }: RenderOptions): readonly string[] {
  const { profile, id, index, sameId, outcome } = explanation;
  const head = wrapToLines(escapeInvisible(`${id}: ${outcomeText(outcome)} (${profile})`), columns);
  const why = outcome.kind === 'refused' ? outcome.all.map(({ by, kind, reason }) => `${by} (${kind}): ${reason}`) : [];
  const same = sameId === undefined ? [] : [`${sameId} candidates have this id; this is the one at index ${index}`];
  return [
    ...head.map((line) => paint('strong', line)),
    ...[...why, ...same].map((line) => wrap(escapeInvisible(line), columns, '  ')),
  ];
}

/** What became of a candidate, in a few words. */
export function outcomeText(outcome: CandidateOutcome): string {
  const fallen = outcome.selected === 'fallback' ? ', selected as a fallback' : '';
  switch (outcome.kind) {
    case 'pinned':
      return outcome.leftOut ? `pinned, and left out: ${outcome.leftOut.text}` : 'pinned: selected, and not scored';
    case 'not_asked':
      return `left out: ${outcome.leftOut.text}${fallen}`;
    case 'made':
      return 'made and selected as a fallback, and not judged';
    case 'refused':
      return `refused by ${outcome.by}${fallen}`;
    default: {
      const { score, rank, of, leftOut, selected } = outcome;
      const kept = leftOut?.keptInstead === undefined ? '' : ` (instead: ${leftOut.keptInstead.join(', ')})`;
      const left = leftOut ? `, left out: ${leftOut.text}${kept}` : '';
      return `${formatNumber(score)}, ${formatOrdinal(rank)} of ${of.toLocaleString('en-US')}${selected === 'score' ? ', selected' : ''}${left}${fallen}`;
    }
  }
}
