/*
 * The scorers as defined: one item compared with all of them, every time. Nothing here is optimised, so that the
 * optimised scorers can be compared with it.
 */

/** An item with the fields that the definitions read. */
export interface Item {
  readonly timestamp?: number;
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly kind?: string;
  readonly future_relevance_hint?: number;
}

/** The score of an item that is among all of them. */
export type Naive = (item: Item, all: readonly Item[]) => number;

/** The share of the others with a value whose value is strictly lower. */
const standing =
  (valueOf: (item: Item) => number | undefined): Naive =>
  (item, all) => {
    const value = valueOf(item);
    if (value === undefined) return 0;
    const values = all.flatMap((other) => valueOf(other) ?? []);
    return values.length <= 1 ? 1 : values.filter((other) => other < value).length / (values.length - 1);
  };

export const recency: Naive = standing((item) => item.timestamp);
export const priority: Naive = standing((item) => item.priority);

/** Only A to Z have lower-case counterparts. */
const folded = (tag: string): string =>
  Array.from(tag, (letter) => (letter >= 'A' && letter <= 'Z' ? letter.toLowerCase() : letter)).join('');

export const frequency: Naive = ({ tags = [] }, all) => {
  if (tags.length === 0 || all.length <= 1) return 0;
  const own = tags.map(folded);
  const sharing = all.filter((other) => other.tags?.some((one) => own.includes(folded(one))));
  return (sharing.length - 1) / (all.length - 1);
};

export const reflexive: Naive = ({ future_relevance_hint: hint }) => {
  return hint === undefined || !Number.isFinite(hint) ? 0 : Math.min(Math.max(hint, 0), 1);
};

export const kind =
  (weights: Readonly<Record<string, number>>): Naive =>
  (item) =>
    weights[item.kind ?? 'Message'] ?? 0;

export const tag =
  (weights: Readonly<Record<string, number>>): Naive =>
  ({ tags = [] }) => {
    const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    const own = tags.reduce((sum, one) => sum + (weights[one] ?? 0), 0);
    return tags.length === 0 || total === 0 ? 0 : Math.min(own / total, 1);
  };

export const scaled =
  (inner: Naive): Naive =>
  (item, all) => {
    const raw = all.map((other) => inner(other, all));
    const [min, max] = [Math.min(...raw), Math.max(...raw)];
    return max === min ? 0.5 : (inner(item, all) - min) / (max - min);
  };

export const composite =
  (children: readonly (readonly [score: Naive, weight: number])[]): Naive =>
  (item, all) => {
    const total = children.reduce((sum, [, weight]) => sum + weight, 0);
    return children.reduce((sum, [score, weight]) => sum + score(item, all) * (weight / total), 0);
  };
