import { benchProfile, DAY, NOW } from './bench-profile.js';
import { Best } from './best.js';
import { ids, numbers, presence } from './rows.js';

interface Row {
  readonly expires_at: number;
  readonly published_at: number;
  readonly updated_at: number;
  readonly viewed_at: number | null;
  readonly created_at: number;
  readonly relevance: number;
}

const yaml = `
tier1_scorers:
  - { id: expired, expr: candidate.expires_at < now }
  - { id: old, expr: 'now - timestamp(candidate.published_at) > duration("365d")' }
tier2_scorers:
  - id: fresh
    class: DecayScorer
    weight: 3
    params: { field: published_at, curve: { type: exponential, half_life: 30d } }
  - { id: waiting, expr: '1 - exp(-(now - timestamp(candidate.updated_at)) / duration("8h"))', weight: 2 }
  - id: seen
    class: DecayScorer
    weight: 2
    params: { field: viewed_at, curve: { type: linear, scale: 14d, offset: 1d } }
  - id: mature
    class: DecayScorer
    weight: 1
    params:
      field: created_at
      curve: { type: step, windows: [{ max_age: 7d, score: 1 }, { max_age: 90d, score: 0.6 }, { max_age: 365d, score: 0.2 }] }
  - { id: relevance, expr: candidate.relevance, weight: 2 }
select: { top: 100 }
`;

/** Times in milliseconds, up to some days before and after now. */
const times = (count: number, next: () => number, before: number, after = 0): Float64Array =>
  Float64Array.from({ length: count }, () => Math.floor(NOW - before * DAY + next() * (before + after) * DAY));

const columnsOf = (count: number, next: () => number) => ({
  id: ids(count),
  expires_at: times(count, next, 30, 300),
  published_at: { dates: times(count, next, 400) },
  updated_at: times(count, next, 2),
  viewed_at: { dates: times(count, next, 30, 1), present: presence(count, next, 0.2) },
  created_at: { dates: times(count, next, 500) },
  relevance: numbers(count, next, 0, 1),
});

/*
 * The durations of the profile, in this module: V8 folds its constants and loads imported ones. Times are whole
 * milliseconds, so the half-life needs no truncation.
 */
const TIME = NOW;
const MOST = 365 * DAY;
const HALF_LIFE = 30 * DAY;
const EIGHT_HOURS = DAY / 3;
const OFFSET = DAY;
const SCALE = 14 * DAY;
const WEEK = 7 * DAY;
const QUARTER = 90 * DAY;

/** Ages of timestamps: a half-life, a falling line, steps, and formulas with `now`. */
export const datesProfile = benchProfile<Row, ReturnType<typeof columnsOf>>({
  name: 'dates',
  yaml,
  columnsOf,
  overObjects: (rows) => {
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows.length; row++) {
      const one = rows[row]!;
      if (one.expires_at < TIME) continue;
      const published = TIME - one.published_at;
      if (published > MOST) continue;
      const viewed = one.viewed_at;
      const created = TIME - one.created_at;
      const score =
        (3 / 10) * 2 ** -(Math.max(0, published) / HALF_LIFE) +
        (2 / 10) * (1 - Math.exp(-(TIME - one.updated_at) / EIGHT_HOURS)) +
        (2 / 10) * (viewed === null ? 0.5 : Math.max(0, 1 - 0.5 * (Math.max(0, TIME - viewed - OFFSET) / SCALE))) +
        (1 / 10) * (created < WEEK ? 1 : created < QUARTER ? 0.6 : 0.2) +
        (2 / 10) * one.relevance;
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
  overColumns: ({ expires_at, published_at, updated_at, viewed_at, created_at, relevance }, count) => {
    const [publishedAt, viewedAt, isViewed, createdAt] = [
      published_at.dates,
      viewed_at.dates,
      viewed_at.present,
      created_at.dates,
    ];
    const best = new Best();
    let floor = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < count; row++) {
      if (expires_at[row]! < TIME) continue;
      const published = TIME - publishedAt[row]!;
      if (published > MOST) continue;
      const created = TIME - createdAt[row]!;
      const score =
        (3 / 10) * 2 ** -(Math.max(0, published) / HALF_LIFE) +
        (2 / 10) * (1 - Math.exp(-(TIME - updated_at[row]!) / EIGHT_HOURS)) +
        (2 / 10) *
          (isViewed[row] === 0 ? 0.5 : Math.max(0, 1 - 0.5 * (Math.max(0, TIME - viewedAt[row]! - OFFSET) / SCALE))) +
        (1 / 10) * (created < WEEK ? 1 : created < QUARTER ? 0.6 : 0.2) +
        (2 / 10) * relevance[row]!;
      if (score > floor) floor = best.add(score, row);
    }
    return best;
  },
});
