import type { Ranking } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';

/** What a criterion or a boost adds to a score. */
export interface ScorePart {
  readonly id: string;
  readonly amount: number;
  readonly isBoost: boolean;
}

/** The methods whose parts add up to the score. */
const SUMS: ReadonlySet<unknown> = new Set([undefined, 'weighted_mean', 'weighted_sum']);

/** Whether a score is the sum of the parts of its criteria and boosts. */
export const addsUp = ({ data }: StudioModel): boolean => SUMS.has(data.profile.combine);

/**
 * The parts of the score of a ranked item, which can be compared with those of another item. A mean omits a criterion
 * without data. Here that criterion counts as the average of the others, which gives the same score, so that each
 * criterion has the same share for all items.
 *
 * @returns undefined if the item has no score, or if scores do not add up from parts
 */
export function scoreParts(model: StudioModel, position: number): readonly ScorePart[] | undefined {
  const terms = addsUp(model) ? model.ranking.terms({ index: position }) : undefined;
  if (!terms?.contributions) return undefined;
  // A criterion without a part and a state is switched off.
  const contributions = Object.entries(terms.contributions).filter(([id, part]) => part !== null || terms.states?.[id]);
  const sum = contributions.reduce((total, [, part]) => total + (part ?? 0), 0);
  const isMean = model.data.profile.combine !== 'weighted_sum';
  const ids = contributions.map(([id]) => id);
  const shares = isMean ? sharesOf(model, ids, terms.case) : undefined;
  const present = contributions.reduce((total, [id, part]) => total + (part === null ? 0 : (shares?.get(id) ?? 0)), 0);
  const amountOf = (id: string, part: number | null): number => {
    if (!shares) return part ?? 0;
    return part === null ? sum * (shares.get(id) ?? 0) : part * present;
  };
  const criteria = contributions.map(([id, part]): ScorePart => ({ id, amount: amountOf(id, part), isBoost: false }));
  let end = terms.combined ?? sum;
  const boosts = (terms.rules ?? []).map(({ id, score }): ScorePart => {
    const amount = score - end;
    end = score;
    return { id, amount, isBoost: true };
  });
  return [...criteria, ...boosts];
}

/** The share of each criterion that counts; undefined if some weight is not a number. */
function sharesOf(
  model: StudioModel,
  ids: readonly string[],
  inCase: string | undefined,
): ReadonlyMap<string, number> | undefined {
  const weights = ids.map((id) => [id, model.weightOf(id, inCase)] as const);
  const known = weights.flatMap(([id, weight]) => (typeof weight === 'number' ? [[id, weight] as const] : []));
  const total = known.reduce((sum, [, weight]) => sum + weight, 0);
  if (known.length < weights.length || total <= 0) return undefined;
  return new Map(known.map(([id, weight]) => [id, weight / total]));
}

/** What one item has more than another by a part of the score. */
export interface PartDifference extends ScorePart {
  /** The amount of the first less that of the second. */
  readonly amount: number;
}

/** The differences between two items by each part, the largest first; undefined if one has no parts. */
export function partDifferences(model: StudioModel, a: number, b: number): readonly PartDifference[] | undefined {
  const [own, other] = [scoreParts(model, a), scoreParts(model, b)];
  if (!own || !other) return undefined;
  const amounts = new Map(own.map((part) => [part.id, part]));
  for (const { id, amount, isBoost } of other) {
    amounts.set(id, { id, isBoost, amount: (amounts.get(id)?.amount ?? 0) - amount });
  }
  return [...amounts.values()].toSorted((one, two) => two.amount - one.amount);
}

/** By ranking: the average score of each criterion. */
const averages = new WeakMap<Ranking<object>, Map<string, number>>();

function averageOf({ ranking }: StudioModel, id: string): number {
  const known = averages.get(ranking) ?? new Map<string, number>();
  averages.set(ranking, known);
  let average = known.get(id);
  if (average === undefined) {
    let [sum, count] = [0, 0];
    for (const value of ranking.matrix.column(id).resolved) {
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    average = count === 0 ? 0 : sum / count;
    known.set(id, average);
  }
  return average;
}

/** The part by which an item gains most over the average item; undefined if it gains by none. */
export function strongestPart(model: StudioModel, position: number): ScorePart | undefined {
  const { matrix } = model.ranking;
  const scores = model.ranking.terms({ index: position })?.scores;
  const gains = (scoreParts(model, position) ?? []).flatMap((part): ScorePart[] => {
    if (part.isBoost) return [part];
    const score = scores?.[part.id];
    if (typeof score !== 'number' || score === 0 || !matrix.entries.includes(part.id)) return [];
    return [{ ...part, amount: part.amount * (1 - averageOf(model, part.id) / score) }];
  });
  const [best] = gains.toSorted((a, b) => b.amount - a.amount);
  return best && best.amount > 0 ? best : undefined;
}
