import type { StudioModel } from '../model/studio-model.js';
import { formatGain } from '../parts/format.js';
import { listed, plainName } from '../parts/in-words.js';
import { type PartDifference, partDifferences } from './score-parts.js';

/** How many parts are named for each item. */
const NAMED = 3;
/** A smaller amount is 0.000 in a sentence. */
const LEAST = 0.0005;

/** What decides the order of two items: `Up is ahead by 0.018: Press +0.020 and Votes +0.009; Alien gains by Fresh +0.011.` */
export function comparisonText(
  model: StudioModel,
  pair: readonly [number, number],
  titleOf: (position: number) => string,
): string {
  const { ranks } = model.shown;
  const [a, b] = pair;
  const [rankOfA = 0, rankOfB = 0] = [ranks[a], ranks[b]];
  if (rankOfA === 0 || rankOfB === 0) return '';
  const [ahead, behind] = rankOfA < rankOfB ? [a, b] : [b, a];
  const differences = partDifferences(model, ahead, behind);
  if (!differences) return '';
  return differencesText(differences, [titleOf(ahead), titleOf(behind)], (id) => plainName(model, id));
}

/** The same of differences that are known, the largest first. */
export function differencesText(
  differences: readonly PartDifference[],
  [ahead, behind]: readonly [string, string],
  nameOf: (id: string) => string,
): string {
  const whole = differences.reduce((sum, { amount }) => sum + amount, 0);
  const partsOf = (parts: readonly PartDifference[]): string =>
    listed(
      parts
        .filter(({ amount }) => Math.abs(amount) >= LEAST)
        .slice(0, NAMED)
        .map(({ id, amount }) => `${nameOf(id)} ${formatGain(Math.abs(amount))}`),
    );
  const [gains, losses] = [
    partsOf(differences.filter(({ amount }) => amount > 0)),
    partsOf(differences.filter(({ amount }) => amount < 0).toReversed()),
  ];
  const [start, own] =
    Math.abs(whole) < LEAST
      ? [`${ahead} and ${behind} have nearly the same score`, `${ahead} gains by `]
      : [`${ahead} is ahead by ${whole.toFixed(3)}`, ''];
  const clauses = [
    ...(gains === '' ? [] : [`${own}${gains}`]),
    ...(losses === '' ? [] : [`${behind} gains by ${losses}`]),
  ];
  return `${[start, clauses.join('; ')].filter((part) => part !== '').join(': ')}.`;
}
