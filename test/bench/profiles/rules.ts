import { benchProfile } from './bench-profile.js';
import { Best } from './best.js';
import { flags, ids, integers, numbers, texts } from './rows.js';

interface Row {
  readonly archived: boolean;
  readonly pinned: boolean;
  readonly status: string;
  readonly tier: string;
  readonly tokens: number;
  readonly age_days: number;
  readonly errors: number;
  readonly calls: number;
  readonly latency: number;
  readonly price: number;
  readonly stars: number;
  readonly relevance: number;
}

const yaml = `
tier1_scorers:
  - { id: archived, expr: candidate.archived }
  - { id: closed, expr: 'candidate.status == "closed"' }
  - { id: rejected, expr: 'candidate.status in ["rejected", "expired"]' }
  - { id: empty, expr: candidate.tokens < 20 }
  - { id: long, expr: candidate.tokens > 4800 }
  - { id: old, expr: candidate.age_days > 340 }
  - { id: failing, expr: candidate.errors > 45 }
  - { id: unused, class: ThresholdVeto, params: { value: calls, min: 80 } }
  - { id: slow, expr: candidate.latency > 1900 }
  - { id: expensive, expr: 'candidate.price > 115 && candidate.tier != "gold"' }
  - { id: unknown, expr: candidate.stars < 10 }
  - { id: irrelevant, expr: candidate.relevance < 0.05 }
tier2_scorers:
  - { id: relevance, expr: candidate.relevance, weight: 3 }
  - { id: popularity, expr: 'min(candidate.stars / 1000, 1)', weight: 2 }
  - { id: fresh, expr: 1 - candidate.age_days / 365, weight: 1 }
adjustments:
  - { id: pinned, when: candidate.pinned, add: 0.1, max: 1 }
  - { id: gold, when: 'candidate.tier == "gold"', multiply: 1.1, max: 1 }
  - { id: stale, when: scores.fresh < 0.1, multiply: 0.8 }
  - { id: famous, when: candidate.stars > 1500, add: 0.05 }
  - { id: quick, when: candidate.latency < 100, add: 0.02 }
  - { id: unreliable, when: candidate.errors / candidate.calls > 0.05, multiply: 0.7 }
  - { id: weak, when: score < 0.2, set: 0.1 }
  - { id: cheap, when: candidate.price < 5 && scores.relevance > 0.5, min: 0.6 }
select: { top: 100 }
`;

const STATUSES = ['open', 'active', 'waiting', 'review', 'new', 'ready', 'closed', 'rejected', 'expired'] as const;
const TIERS = ['bronze', 'silver', 'gold'] as const;

const columnsOf = (count: number, next: () => number) => ({
  id: ids(count),
  archived: flags(count, next, 0.05),
  pinned: flags(count, next, 0.03),
  status: texts(count, next, STATUSES),
  tier: texts(count, next, TIERS),
  tokens: integers(count, next, 10, 5000),
  age_days: numbers(count, next, 0, 365),
  errors: integers(count, next, 0, 50),
  calls: integers(count, next, 50, 5000),
  latency: numbers(count, next, 10, 2000),
  price: numbers(count, next, 0, 120),
  stars: integers(count, next, 0, 2000),
  relevance: numbers(count, next, 0, 1),
});

/** Twelve vetoes and eight rules on the score. */
export const rulesProfile = benchProfile<Row, ReturnType<typeof columnsOf>>({
  name: 'many rules',
  yaml,
  columnsOf,
  overObjects: (rows) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      const one = rows[row]!;
      if (one.archived) continue;
      const { status } = one;
      if (status === 'closed' || status === 'rejected' || status === 'expired') continue;
      const { tokens } = one;
      if (tokens < 20 || tokens > 4800) continue;
      const age = one.age_days;
      if (age > 340) continue;
      const { errors } = one;
      if (errors > 45) continue;
      const { calls } = one;
      if (calls < 80) continue;
      const { latency } = one;
      if (latency > 1900) continue;
      const { price, tier } = one;
      if (price > 115 && tier !== 'gold') continue;
      const { stars } = one;
      if (stars < 10) continue;
      const { relevance } = one;
      if (relevance < 0.05) continue;
      const fresh = 1 - age / 365;
      let score = (3 / 6) * relevance + (2 / 6) * Math.min(stars / 1000, 1) + (1 / 6) * fresh;
      if (one.pinned) score = Math.min(score + 0.1, 1);
      if (tier === 'gold') score = Math.min(score * 1.1, 1);
      if (fresh < 0.1) score *= 0.8;
      if (stars > 1500) score += 0.05;
      if (latency < 100) score += 0.02;
      if (errors / calls > 0.05) score *= 0.7;
      if (score < 0.2) score = 0.1;
      if (price < 5 && relevance > 0.5) score = Math.max(score, 0.6);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
  overColumns: (columns, count) => {
    const { tokens, age_days, errors, calls, latency, price, stars, relevance } = columns;
    const [archived, pinned] = [columns.archived.codes, columns.pinned.codes];
    const [statuses, tiers] = [columns.status.codes, columns.tier.codes];
    const done = Uint8Array.from(columns.status.dictionary, (one) =>
      one === 'closed' || one === 'rejected' || one === 'expired' ? 1 : 0,
    );
    const gold = columns.tier.dictionary.indexOf('gold');
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < count; row++) {
      if (archived[row] === 1) continue;
      if (done[statuses[row]!] === 1) continue;
      const length = tokens[row]!;
      if (length < 20 || length > 4800) continue;
      const age = age_days[row]!;
      if (age > 340) continue;
      const failed = errors[row]!;
      if (failed > 45) continue;
      const called = calls[row]!;
      if (called < 80) continue;
      const wait = latency[row]!;
      if (wait > 1900) continue;
      const cost = price[row]!;
      const isGold = tiers[row] === gold;
      if (cost > 115 && !isGold) continue;
      const liked = stars[row]!;
      if (liked < 10) continue;
      const fits = relevance[row]!;
      if (fits < 0.05) continue;
      const fresh = 1 - age / 365;
      let score = (3 / 6) * fits + (2 / 6) * Math.min(liked / 1000, 1) + (1 / 6) * fresh;
      if (pinned[row] === 1) score = Math.min(score + 0.1, 1);
      if (isGold) score = Math.min(score * 1.1, 1);
      if (fresh < 0.1) score *= 0.8;
      if (liked > 1500) score += 0.05;
      if (wait < 100) score += 0.02;
      if (failed / called > 0.05) score *= 0.7;
      if (score < 0.2) score = 0.1;
      if (cost < 5 && fits > 0.5) score = Math.max(score, 0.6);
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
});
