import { benchProfile, DAY, NOW } from './bench-profile.js';
import { Best } from './best.js';
import { ids, integers, numbers } from './rows.js';

interface Row {
  readonly relevance: number;
  readonly rating: number;
  readonly reviews: number;
  readonly clicks: number;
  readonly complaints: number;
  readonly distance: number;
  readonly created_at: number;
}

const yaml = `
tier1_scorers:
  - { id: far, expr: candidate.distance > 70 }
tier2_scorers:
  - id: quality
    class: CompositeScorer
    weight: 2
    params:
      scorers:
        - { expr: candidate.rating / 5, weight: 2 }
        - { expr: 'min(candidate.reviews / 500, 1)' }
        - class: CompositeScorer
          params:
            scorers:
              - { expr: 1 / (1 + candidate.complaints), weight: 3 }
              - class: DecayScorer
                params: { field: created_at, curve: { type: exponential, half_life: 90d } }
  - id: wanted
    class: BoostedScorer
    weight: 3
    params:
      base: { expr: candidate.relevance }
      boosts:
        - { scorer: { expr: candidate.clicks / 100 }, curve: log2, factor: 0.1, cap: 0.3 }
        - { scorer: { expr: candidate.complaints }, factor: -0.02, cap: 0.1 }
      min: 0
      max: 1
  - { id: near, expr: exp(-candidate.distance / 20), weight: 1 }
select: { top: 100 }
`;

const columnsOf = (count: number, next: () => number) => ({
  id: ids(count),
  relevance: numbers(count, next, 0, 1),
  rating: numbers(count, next, 1, 5),
  reviews: integers(count, next, 0, 1000),
  clicks: integers(count, next, 0, 1000),
  complaints: integers(count, next, 0, 10),
  distance: numbers(count, next, 0, 80),
  created_at: Float64Array.from({ length: count }, () => Math.floor(NOW - next() * 400 * DAY)),
});

const TIME = NOW;
const HALF_LIFE = 90 * DAY;

/** Scorers that hold other scorers: a mean of scorers and of another mean, and boosts with caps. */
export const compositesProfile = benchProfile<Row, ReturnType<typeof columnsOf>>({
  name: 'composites',
  yaml,
  columnsOf,
  overObjects: (rows) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      const one = rows[row]!;
      const { distance } = one;
      if (distance > 70) continue;
      const { complaints } = one;
      const decay = 2 ** -(Math.max(0, TIME - one.created_at) / HALF_LIFE);
      const calm = (1 / (1 + complaints)) * (3 / 4) + decay * (1 / 4);
      const quality = (one.rating / 5) * (2 / 4) + Math.min(one.reviews / 500, 1) * (1 / 4) + calm * (1 / 4);
      const clicked = Math.min(0.3, 0.1 * Math.log2(one.clicks / 100 + 1));
      const wanted = one.relevance + clicked + Math.max(-0.1, -0.02 * complaints);
      const score = (2 / 6) * quality + (3 / 6) * Math.min(1, Math.max(0, wanted)) + (1 / 6) * Math.exp(-distance / 20);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
  overColumns: ({ relevance, rating, reviews, clicks, complaints, distance, created_at }, count) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < count; row++) {
      const away = distance[row]!;
      if (away > 70) continue;
      const complained = complaints[row]!;
      const decay = 2 ** -(Math.max(0, TIME - created_at[row]!) / HALF_LIFE);
      const calm = (1 / (1 + complained)) * (3 / 4) + decay * (1 / 4);
      const quality = (rating[row]! / 5) * (2 / 4) + Math.min(reviews[row]! / 500, 1) * (1 / 4) + calm * (1 / 4);
      const clicked = Math.min(0.3, 0.1 * Math.log2(clicks[row]! / 100 + 1));
      const wanted = relevance[row]! + clicked + Math.max(-0.1, -0.02 * complained);
      const score = (2 / 6) * quality + (3 / 6) * Math.min(1, Math.max(0, wanted)) + (1 / 6) * Math.exp(-away / 20);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
});
