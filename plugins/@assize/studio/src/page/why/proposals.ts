import type { StudioModel } from '../model/studio-model.js';
import { isMean } from '../recipe/shares.js';
import { casesOf, isOn } from '../settings/settings.js';
import { formatNumber } from '../parts/format.js';
import { percent, plainName } from '../parts/in-words.js';

/** A weight that a criterion would have to get. */
export interface NewWeight {
  readonly id: string;
  readonly from?: number | undefined;
  readonly to: number;
}

/** A change of one criterion that a person can try. */
export interface Proposal extends NewWeight {
  /** `If Press counted 54 % instead of 20 %`. */
  readonly text: string;
}

/** The greatest share that is proposed. Above it, one criterion alone would make the order. */
const MOST_SHARE = 0.9;
/** Of weights that are not shares, a greater factor is not proposed. */
const MOST_FACTOR = 10;

/** The weights that are sensible to try, the smallest change first. */
export function proposalsOf(model: StudioModel, weights: readonly NewWeight[]): readonly Proposal[] {
  const proposals = weights.flatMap((weight) => proposalOf(model, weight) ?? []);
  return proposals.toSorted((a, b) => a.change - b.change);
}

function proposalOf(model: StudioModel, weight: NewWeight): (Proposal & { readonly change: number }) | undefined {
  const { id, from, to } = weight;
  const name = plainName(model, id);
  const cases = Object.keys(casesOf(model.data.profile));
  if (cases.length > 0) return proposalForAllCases(model, weight, cases);
  const total = isMean(model) ? totalWeight(model) : undefined;
  if (total === undefined || from === undefined) {
    if (from === undefined || from === 0 || to < 0 || to / from > MOST_FACTOR) return undefined;
    const [now, then] = [formatNumber(from), formatNumber(to)];
    if (now === then) return undefined;
    return {
      ...weight,
      text: `If ${name} counted × ${then} instead of × ${now}`,
      change: Math.abs(Math.log(to / from)),
    };
  }
  const [now, then] = [from / total, to / (total - from + to)];
  if (to < 0 || then > MOST_SHARE) return undefined;
  const [before, after] = differing(now, then);
  if (before === after) return undefined;
  return { ...weight, text: `If ${name} counted ${after} % instead of ${before} %`, change: Math.abs(then - now) };
}

/** With weights by case, the new weight holds in all of them, and each has other shares. */
function proposalForAllCases(
  model: StudioModel,
  weight: NewWeight,
  cases: readonly string[],
): (Proposal & { readonly change: number }) | undefined {
  const { id, to } = weight;
  const shares = [undefined, ...cases].map((inCase) => {
    const [from, total] = [model.weightOf(id, inCase), totalWeight(model, inCase)];
    return typeof from !== 'number' || total === undefined
      ? undefined
      : { inCase, from, now: from / total, then: to / (total - from + to) };
  });
  const known = shares.filter((share) => share !== undefined);
  if (to < 0 || known.length < shares.length || known.some(({ then }) => then > MOST_SHARE)) return undefined;
  const then = formatNumber(to);
  const base = formatNumber(known[0]!.from);
  const others = known.slice(1).flatMap(({ inCase = '', from }) => {
    const own = formatNumber(from);
    return own === base ? [] : [`${inCase}: ${own}`];
  });
  if (then === base && others.length === 0) return undefined;
  const now = `${base}${others.length === 0 ? '' : ` (${others.join(', ')})`}`;
  return {
    ...weight,
    text: `If ${plainName(model, id)} had the weight ${then} in all groups instead of ${now}`,
    change: Math.max(...known.map((share) => Math.abs(share.then - share.now))),
  };
}

/** Both shares in percent, with as many digits as they need to differ. */
function differing(now: number, then: number): readonly [string, string] {
  const rounded = [percent(now), percent(then)].map(String) as [string, string];
  return rounded[0] === rounded[1] ? [(100 * now).toFixed(1), (100 * then).toFixed(1)] : rounded;
}

/** The sum of the weights that count; undefined if some are not positive numbers. */
function totalWeight(model: StudioModel, inCase?: string): number | undefined {
  const weights = model.scorers.filter((one) => isOn(model.settings, one)).map(({ id }) => model.weightOf(id, inCase));
  if (!weights.every((one): one is number => typeof one === 'number' && one >= 0)) return undefined;
  const total = weights.reduce((sum, one) => sum + one, 0);
  return total > 0 ? total : undefined;
}
