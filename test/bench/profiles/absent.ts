import { benchProfile } from './bench-profile.js';
import { Best } from './best.js';
import { ids, integers, numbers, presence } from './rows.js';

interface Row {
  readonly relevance: number;
  readonly rating: number | null;
  readonly reviews: number | null;
  readonly distance: number | null;
  readonly price: number | null;
  readonly discount: number | null;
  readonly stock?: number;
}

const yaml = `
tier1_scorers:
  - { id: sold_out, expr: candidate.stock == 0 }
  - { id: unpriced, class: ThresholdVeto, params: { value: price, max: 450 }, on_absent: refuse }
tier2_scorers:
  - { id: relevance, expr: candidate.relevance, weight: 3 }
  - { id: rating, expr: candidate.rating / 5, weight: 2 }
  - { id: known, expr: 'min(candidate.reviews / 500, 1)', weight: 1, on_absent: 0 }
  - { id: near, expr: '1 - min(candidate.distance / 50, 1)', weight: 2, on_absent: 0.5 }
  - { id: stocked, expr: 'has(candidate.stock) ? min(candidate.stock / 100, 1) : 0.2', weight: 1 }
  - { id: value, expr: '(1 - candidate.price / 500) * candidate.rating / 5', weight: 2 }
  - { id: offer, expr: candidate.?discount.orValue(0.0), weight: 1 }
select: { top: 100 }
`;

const ABSENT = 0.3;

const optional = (count: number, next: () => number, low: number, high: number) => ({
  values: numbers(count, next, low, high),
  present: presence(count, next, ABSENT),
});

const optionalIntegers = (count: number, next: () => number, low: number, high: number) => ({
  values: integers(count, next, low, high),
  present: presence(count, next, ABSENT),
});

const columnsOf = (count: number, next: () => number) => ({
  id: ids(count),
  relevance: numbers(count, next, 0, 1),
  rating: optional(count, next, 1, 5),
  reviews: optionalIntegers(count, next, 0, 1000),
  distance: optional(count, next, 0, 80),
  price: optional(count, next, 1, 500),
  discount: optional(count, next, 0, 0.5),
  stock: optionalIntegers(count, next, 0, 200),
});

/** The sum of all weights, in the order of the scorers. */
const ALL = 3 / 12 + 2 / 12 + 1 / 12 + 2 / 12 + 1 / 12 + 2 / 12 + 1 / 12;
/** The sum of the weights of the scorers that do not need a rating, in the same order. */
const UNRATED = 3 / 12 + 1 / 12 + 2 / 12 + 1 / 12 + 1 / 12;

const RENORMALIZED = ALL / UNRATED;

/** Six of seven numbers are absent in 30 % of the rows: skipped, replaced, refused or tested. One has no key there. */
export const absentProfile = benchProfile<Row, ReturnType<typeof columnsOf>>({
  name: 'absent fields',
  yaml,
  columnsOf,
  omitted: ['stock'],
  overObjects: (rows) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      const one = rows[row]!;
      const { stock } = one;
      if (stock === 0) continue;
      const { price } = one;
      if (price === null || price > 450) continue;
      const { rating, reviews, distance, discount } = one;
      const known = reviews === null ? 0 : Math.min(reviews / 500, 1);
      const near = distance === null ? 0.5 : 1 - Math.min(distance / 50, 1);
      const stocked = stock === undefined ? 0.2 : Math.min(stock / 100, 1);
      const offer = discount === null ? 0 : discount;
      let score = (3 / 12) * one.relevance;
      if (rating === null) {
        score = score + (1 / 12) * known + (2 / 12) * near + (1 / 12) * stocked + (1 / 12) * offer;
        score *= RENORMALIZED;
      } else {
        score =
          score +
          (2 / 12) * (rating / 5) +
          (1 / 12) * known +
          (2 / 12) * near +
          (1 / 12) * stocked +
          (2 / 12) * (((1 - price / 500) * rating) / 5) +
          (1 / 12) * offer;
      }
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
  overColumns: ({ relevance, rating, reviews, distance, price, discount, stock }, count) => {
    const [ratings, isRated, reviewCounts, isReviewed] = [
      rating.values,
      rating.present,
      reviews.values,
      reviews.present,
    ];
    const [distances, isPlaced, prices, isPriced] = [distance.values, distance.present, price.values, price.present];
    const [discounts, isOffered, stocks, isStocked] = [discount.values, discount.present, stock.values, stock.present];
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < count; row++) {
      const counted = isStocked[row] !== 0;
      const left = stocks[row]!;
      if (counted && left === 0) continue;
      if (isPriced[row] === 0) continue;
      const cost = prices[row]!;
      if (cost > 450) continue;
      const known = isReviewed[row] === 0 ? 0 : Math.min(reviewCounts[row]! / 500, 1);
      const near = isPlaced[row] === 0 ? 0.5 : 1 - Math.min(distances[row]! / 50, 1);
      const stocked = counted ? Math.min(left / 100, 1) : 0.2;
      const offer = isOffered[row] === 0 ? 0 : discounts[row]!;
      let score = (3 / 12) * relevance[row]!;
      if (isRated[row] === 0) {
        score = score + (1 / 12) * known + (2 / 12) * near + (1 / 12) * stocked + (1 / 12) * offer;
        score *= RENORMALIZED;
      } else {
        const rated = ratings[row]!;
        score =
          score +
          (2 / 12) * (rated / 5) +
          (1 / 12) * known +
          (2 / 12) * near +
          (1 / 12) * stocked +
          (2 / 12) * (((1 - cost / 500) * rated) / 5) +
          (1 / 12) * offer;
      }
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
});
