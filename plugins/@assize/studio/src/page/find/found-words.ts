import type { FoundWeights } from '../../data/studio-data.js';
import type { StudioModel } from '../model/studio-model.js';
import { counted, percent, plainName } from '../parts/in-words.js';
import { isMean } from '../recipe/shares.js';
import { formatNumber } from '../parts/format.js';

/** A smaller change of a share is not worth a sentence. */
const LEAST_SHARE = 0.005;

/** What found weights change and how good they are, in sentences. */
export function foundWords(model: StudioModel, found: FoundWeights): readonly string[] {
  return [...weightWords(model, found), ...agreementWords(found), ...unseenWords(found)];
}

function weightWords(model: StudioModel, { scorers }: FoundWeights): readonly string[] {
  const sum = (of: 'before' | 'weight'): number => scorers.reduce((all, one) => all + Math.abs(one[of]), 0);
  const sums = { before: sum('before') || 1, weight: sum('weight') || 1 };
  const shares = scorers.map(({ id, before, weight }) => ({
    id,
    before,
    weight,
    change: weight / sums.weight - before / sums.before,
  }));
  const changed = shares
    .filter(({ change }) => Math.abs(change) >= LEAST_SHARE)
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change));
  if (scorers.length > 0 && changed.length === 0) return ['The weights stay as they are.'];
  const share = (weight: number, of: keyof typeof sums): string =>
    isMean(model) ? `${percent(weight / sums[of])} %` : formatNumber(weight);
  return changed.map(
    ({ id, before, weight, change }) =>
      `${plainName(model, id)} counts ${change > 0 ? 'more' : 'less'}: ${share(before, 'before')} → ${share(weight, 'weight')}.`,
  );
}

function agreementWords({ agreement, by }: FoundWeights): readonly string[] {
  if (!agreement) return [];
  const { pairs, before, after } = agreement;
  const note = by === 'pairs' ? '' : ' The search did not use these pairs.';
  return [
    `Of ${counted(pairs, 'pair')} that you chose, the new weights agree with ${after} (before ${before}).${note}`,
  ];
}

function unseenWords({ unseen }: FoundWeights): readonly string[] {
  if (!unseen) return [];
  const { measure, before, after, isSure } = unseen;
  const change = `${before.toFixed(2)} → ${after.toFixed(2)}`;
  const sure = isSure ? 'a sure difference' : before === after ? 'no difference' : 'too few to be sure';
  return [`On grades that the search did not see: ${measure} ${change}, ${sure}.`];
}
