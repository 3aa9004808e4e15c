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

/** Why a candidate was left out, in a few words. */
export const LEFT = { duplicate: 'a duplicate', min_score: 'below min_score', top: 'below the top' } as const;

/** What became of a candidate, in a few words. */
export function came(outcome: CandidateOutcome): string {
  const fallen = outcome.selected === 'fallback' ? ', selected as a fallback' : '';
  switch (outcome.kind) {
    case 'pinned':
      return 'pinned: selected, and not scored';
    case 'made':
      return 'made and selected as a fallback, and not judged';
    case 'refused':
      return `refused by ${outcome.by}${fallen}`;
    default: {
      const { score, rank, of, leftOut, selected } = outcome;
      const kept = leftOut?.keptInstead === undefined ? '' : ` of ${leftOut.keptInstead}`;
      const left = leftOut ? `, left out: ${LEFT[leftOut.reason]}${kept}` : '';
      return `${shown(score)}, ${ordinal(rank)} of ${of}${selected === 'score' ? ', selected' : ''}${left}${fallen}`;
    }
  }
}
