import { linesOf, wrap } from '../document/fit.js';
import { visible } from '../document/visible.js';
import type { Look } from './columns.js';
import type { CandidateOutcome, Explanation } from './explanation.js';
import { ordinal, shown } from './numbers.js';

/** What became of the candidate, and what refused it. */
export function headline(explanation: Explanation, { columns, paint }: Look): readonly string[] {
  const { profile, id, index, sameId, outcome } = explanation;
  const head = linesOf(visible(`${id}: ${came(outcome)} (${profile})`), columns);
  const why = outcome.kind === 'refused' ? outcome.all.map(({ by, kind, reason }) => `${by} (${kind}): ${reason}`) : [];
  const same = sameId === undefined ? [] : [`${sameId} candidates have this id; this is the one at index ${index}`];
  return [
    ...head.map((line) => paint('strong', line)),
    ...[...why, ...same].map((line) => wrap(visible(line), columns, '  ')),
  ];
}

/** What became of a candidate, in a few words. */
export function came(outcome: CandidateOutcome): string {
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
      return `${shown(score)}, ${ordinal(rank)} of ${of.toLocaleString('en-US')}${selected === 'score' ? ', selected' : ''}${left}${fallen}`;
    }
  }
}
