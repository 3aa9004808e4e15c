import { benchProfile } from './bench-profile.js';
import { Best } from './best.js';
import { ids, integers, numbers } from './rows.js';

interface Row {
  readonly relevance: number;
  readonly stars: number;
  readonly forks: number;
  readonly age_days: number;
  readonly errors: number;
  readonly calls: number;
  readonly latency: number;
  readonly price: number;
  readonly tokens: number;
}

const yaml = `
tier1_scorers:
  - { id: long, expr: candidate.tokens > 4000 }
  - { id: old, expr: candidate.age_days > 300 }
  - { id: slow, expr: candidate.latency > 1800 }
tier2_scorers:
  - { id: relevance, expr: candidate.relevance, weight: 3 }
  - { id: popularity, expr: 'min(candidate.stars / 1000, 1)', weight: 2 }
  - { id: activity, expr: 'sqrt(candidate.forks) / 20', weight: 1 }
  - { id: fresh, expr: 'exp(-candidate.age_days / 30)', weight: 2 }
  - { id: reliable, expr: 1 - candidate.errors / candidate.calls, weight: 2 }
  - { id: quick, expr: 1 / (1 + candidate.latency / 200), weight: 1 }
  - { id: cheap, expr: '1 - min(sqrt(candidate.price / 100), 1)', weight: 1 }
select: { top: 100 }
`;

export const numbersOf = (count: number, next: () => number) => ({
  id: ids(count),
  relevance: numbers(count, next, 0, 1),
  stars: integers(count, next, 0, 2000),
  forks: integers(count, next, 0, 400),
  age_days: numbers(count, next, 0, 365),
  errors: integers(count, next, 0, 50),
  calls: integers(count, next, 50, 5000),
  latency: numbers(count, next, 10, 2000),
  price: numbers(count, next, 0, 120),
  tokens: integers(count, next, 10, 5000),
});

/** Nine numbers, three vetoes, seven formulas. */
export const numbersProfile = benchProfile<Row, ReturnType<typeof numbersOf>>({
  name: 'numbers',
  yaml,
  columnsOf: numbersOf,
  overObjects: (rows) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      const one = rows[row]!;
      if (one.tokens > 4000) continue;
      const age = one.age_days;
      if (age > 300) continue;
      const latency = one.latency;
      if (latency > 1800) continue;
      const score =
        (3 / 12) * one.relevance +
        (2 / 12) * Math.min(one.stars / 1000, 1) +
        (1 / 12) * (Math.sqrt(one.forks) / 20) +
        (2 / 12) * Math.exp(-age / 30) +
        (2 / 12) * (1 - one.errors / one.calls) +
        (1 / 12) * (1 / (1 + latency / 200)) +
        (1 / 12) * (1 - Math.min(Math.sqrt(one.price / 100), 1));
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
  overColumns: ({ relevance, stars, forks, age_days, errors, calls, latency, price, tokens }, count) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < count; row++) {
      if (tokens[row]! > 4000) continue;
      const age = age_days[row]!;
      if (age > 300) continue;
      const wait = latency[row]!;
      if (wait > 1800) continue;
      const score =
        (3 / 12) * relevance[row]! +
        (2 / 12) * Math.min(stars[row]! / 1000, 1) +
        (1 / 12) * (Math.sqrt(forks[row]!) / 20) +
        (2 / 12) * Math.exp(-age / 30) +
        (2 / 12) * (1 - errors[row]! / calls[row]!) +
        (1 / 12) * (1 / (1 + wait / 200)) +
        (1 / 12) * (1 - Math.min(Math.sqrt(price[row]! / 100), 1));
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
});
