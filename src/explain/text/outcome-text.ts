import { formatNumber, formatOrdinal, type RenderOptions } from '../../text/index.js';
import type { CandidateOutcome, Explanation } from '../explanation.js';
import { candidateName, sharedIdLines } from '../candidate-name.js';
import { section } from './sections.js';

/** The title of an explanation: the result of the candidate, and its refusals. */
export function headline(explanation: Explanation, options: RenderOptions): readonly string[] {
  const { profile, outcome } = explanation;
  const refusals =
    outcome.kind === 'refused' ? outcome.all.map(({ by, kind, reason }) => `${by} (${kind}): ${reason}`) : [];
  return section(
    `${candidateName(explanation)}: ${outcomeText(outcome)} (${profile})`,
    [...refusals, ...sharedIdLines(explanation)],
    options,
  );
}

/** The result of a candidate, in a few words. */
export function outcomeText(outcome: CandidateOutcome): string {
  const fallback = outcome.selected === 'fallback' ? ', selected as a fallback' : '';
  switch (outcome.kind) {
    case 'pinned':
      return outcome.leftOut ? `pinned, and left out: ${outcome.leftOut.text}` : 'pinned: selected, and not scored';
    case 'not_asked':
      return `left out: ${outcome.leftOut.text}${fallback}`;
    case 'made':
      return 'made and selected as a fallback, and not scored';
    case 'refused':
      return `refused by ${outcome.by}${fallback}`;
    default: {
      const { score, rank, of, leftOut, note, selected } = outcome;
      const instead = leftOut?.keptInstead === undefined ? '' : ` (instead: ${leftOut.keptInstead.join(', ')})`;
      const left = leftOut ? `, left out: ${leftOut.text}${instead}` : '';
      const place = `${formatOrdinal(rank)} of ${of.toLocaleString('en-US')}`;
      return `${formatNumber(score)}, ${place}${selected === 'score' ? ', selected' : ''}${note ? ` (${note.text})` : ''}${left}${fallback}`;
    }
  }
}
