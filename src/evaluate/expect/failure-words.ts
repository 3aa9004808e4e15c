import type { Comparison, Explanation, Ranking } from '../../index.js';
import { formatNumber, formatOrdinal, formatSigned } from '../../text/index.js';

/** The rank of a candidate that an expectation names; undefined where it has none. */
export const rankOf = ({ outcome }: Explanation): number | undefined =>
  outcome.kind === 'ranked' ? outcome.rank : undefined;

/** What became of a candidate: `compass is 2nd with 0.41`, `atlas is refused by archived: candidate.archived`. */
export function outcomeText({ id, outcome }: Pick<Explanation, 'id' | 'outcome'>): string {
  if (outcome.kind === 'ranked') return `${id} is ${formatOrdinal(outcome.rank)} with ${formatNumber(outcome.score)}`;
  if (outcome.kind === 'refused') return `${id} is refused by ${outcome.by}: ${outcome.reason}`;
  return `${id} is ${outcome.kind.replace('_', ' ')}`;
}

const MAX_TERMS = 3;

/** Why one of two candidates comes first, and what would turn them, in a line or two. */
export async function whyAhead(ranking: Ranking<unknown>, ahead: string, behind: string): Promise<string | undefined> {
  const comparison = await ranking.compare(ahead, behind);
  return [termsText(comparison), flipText(comparison)].filter((line) => line !== undefined).join('\n') || undefined;
}

function termsText({ a, terms, rules }: Comparison): string | undefined {
  const parts = [...terms, ...rules.map((rule) => ({ ...rule, id: `rule ${rule.id}` }))].filter(
    (part): part is typeof part & { readonly difference: number } => (part.difference ?? 0) !== 0,
  );
  if (parts.length === 0) return undefined;
  const largest = parts.toSorted((x, y) => Math.abs(y.difference) - Math.abs(x.difference)).slice(0, MAX_TERMS);
  return `${a.id} leads by ${largest.map(({ id, difference }) => `${id} ${formatSigned(difference)}`).join(', ')}`;
}

function flipText({ flips }: Comparison): string | undefined {
  for (const flip of flips.weights) {
    if (flip.state !== 'flips') continue;
    const from = flip.from === undefined ? '' : ` instead of ${formatNumber(flip.from)}`;
    return `a weight of ${flip.id} of ${formatNumber(flip.to)}${from} would turn them`;
  }
  return undefined;
}

/** What a score is made of: `popularity 0.64, fresh 0.24`. */
export function scoreText({ scorers }: Explanation): string | undefined {
  const parts = scorers.flatMap(({ id, contribution, value }) => {
    const part = contribution ?? value;
    return part === undefined ? [] : [`${id} ${formatNumber(part)}`];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}
