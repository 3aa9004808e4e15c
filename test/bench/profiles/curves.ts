import { benchProfile } from './bench-profile.js';
import { Best } from './best.js';
import { ids, integers, numbers } from './rows.js';

interface Row {
  readonly votes: number;
  readonly minutes: number;
  readonly price: number;
  readonly views: number;
  readonly rating: number;
  readonly tokens: number;
}

const yaml = `
tier1_scorers:
  - { id: few_votes, class: ThresholdVeto, params: { value: votes, min: 100 } }
  - { id: wrong_length, class: ThresholdVeto, params: { value: minutes, min: 20, max: 200 } }
tier2_scorers:
  - { id: length, class: CurveScorer, weight: 2, params: { value: minutes, points: [[30, 0], [90, 1], [120, 1], [180, 0.2]] } }
  - { id: cheap, class: CurveScorer, weight: 1, params: { value: price, points: [[0, 1], [20, 0.8], [60, 0.1]] } }
  - id: depth
    class: CurveScorer
    weight: 1
    params: { scorer: { expr: candidate.tokens / 1000 }, points: [[0, 0], [1, 0.7], [4, 1]] }
  - id: rating
    class: ScaledScorer
    weight: 3
    params: { scorer: { expr: candidate.rating }, scale: { type: bounds, min: 1, max: 5 } }
  - id: viewed
    class: ScaledScorer
    weight: 2
    params: { scorer: { expr: candidate.views }, scale: { type: log, full: 10000 } }
select: { top: 100 }
`;

const columnsOf = (count: number, next: () => number) => ({
  id: ids(count),
  votes: integers(count, next, 0, 1000),
  minutes: integers(count, next, 10, 240),
  price: numbers(count, next, 0, 80),
  views: integers(count, next, 0, 20_000),
  rating: numbers(count, next, 1, 5),
  tokens: numbers(count, next, 0, 6000),
});

/*
 * The curves in the order of operations of CurveScorer, which bounds the rounding error by the next point. The next
 * segment gives the exact y at a point.
 */

const ofLength = (x: number): number => {
  if (x <= 30) return 0;
  if (x < 90) return Math.min((x - 30) / 60, 1);
  if (x < 120) return 1;
  return x < 180 ? Math.max(1 + ((x - 120) / 60) * (0.2 - 1), 0.2) : 0.2;
};

const ofPrice = (x: number): number => {
  if (x <= 0) return 1;
  if (x < 20) return Math.max(1 + (x / 20) * (0.8 - 1), 0.8);
  return x < 60 ? Math.max(0.8 + ((x - 20) / 40) * (0.1 - 0.8), 0.1) : 0.1;
};

const ofDepth = (x: number): number => {
  if (x <= 0) return 0;
  if (x < 1) return Math.min(x * 0.7, 0.7);
  return x < 4 ? Math.min(0.7 + ((x - 1) / 3) * (1 - 0.7), 1) : 1;
};

const FULL = Math.log2(1 + 10_000);

/** Curves of points, limits and fixed scales. */
export const curvesProfile = benchProfile<Row, ReturnType<typeof columnsOf>>({
  name: 'curves',
  yaml,
  columnsOf,
  overObjects: (rows) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      const one = rows[row]!;
      if (one.votes < 100) continue;
      const { minutes } = one;
      if (minutes < 20 || minutes > 200) continue;
      const score =
        (2 / 9) * ofLength(minutes) +
        (1 / 9) * ofPrice(one.price) +
        (1 / 9) * ofDepth(one.tokens / 1000) +
        (3 / 9) * Math.min(1, Math.max(0, (one.rating - 1) / 4)) +
        (2 / 9) * Math.min(1, Math.log2(1 + one.views) / FULL);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
  overColumns: ({ votes, minutes, price, views, rating, tokens }, count) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < count; row++) {
      if (votes[row]! < 100) continue;
      const length = minutes[row]!;
      if (length < 20 || length > 200) continue;
      const score =
        (2 / 9) * ofLength(length) +
        (1 / 9) * ofPrice(price[row]!) +
        (1 / 9) * ofDepth(tokens[row]! / 1000) +
        (3 / 9) * Math.min(1, Math.max(0, (rating[row]! - 1) / 4)) +
        (2 / 9) * Math.min(1, Math.log2(1 + views[row]!) / FULL);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
});
