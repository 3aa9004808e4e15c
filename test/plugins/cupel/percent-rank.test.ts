import { describe, expect, it } from 'vitest';
import { PriorityScorer, RecencyScorer } from '../../../plugins/cupel/rank-scorers.js';
import { explained, prepared } from '../core/ask.js';

const all = (Unit: typeof RecencyScorer | typeof PriorityScorer, items: readonly object[], params: object = {}) => {
  const score = prepared(Unit, params, items);
  return items.map((item, index) => score(item, index));
};
const times = (...timestamps: unknown[]) =>
  all(
    RecencyScorer,
    timestamps.map((timestamp) => ({ timestamp })),
  );
const priorities = (...values: unknown[]) =>
  all(
    PriorityScorer,
    values.map((priority) => ({ priority })),
  );

describe('RecencyScorer', () => {
  it('returns the share of the other dated items that are earlier', () => {
    expect(times(5, 1, 3)).toEqual([1, 0, 0.5]);
  });

  it('gives ties the rank of their earliest, so that a tie at the top is below 1', () => {
    expect(times(5, 5, 1)).toEqual([0.5, 0.5, 0]);
    expect(times(7, 7)).toEqual([0, 0]);
  });

  it('counts only dated items; a single one scores 1, an undated one abstains', () => {
    expect(times(5, undefined, null)).toEqual([1, undefined, undefined]);
    expect(times(undefined)).toEqual([undefined]);
    expect(times()).toEqual([]);
  });

  it('compares instants, in any notation', () => {
    const instant = Date.UTC(2026, 0, 1);
    expect(times('2026-01-01', new Date(instant), instant, instant + 1)).toEqual([0, 0, 0, 1]);
  });

  it('fails on values that are not times, which then count for nothing', () => {
    const items = [{ timestamp: 'soon' }, { timestamp: 1 }, { timestamp: 2 }];
    const score = prepared(RecencyScorer, {}, items);
    expect(() => score(items[0], 0)).toThrow('expected a time');
    expect([score(items[1], 1), score(items[2], 2)]).toEqual([0, 1]);
  });

  it('reads another field, and reports the rank', () => {
    const items = [{ at: 1 }, { at: 2 }, {}];
    const score = prepared(RecencyScorer, { field: 'at' }, items);
    expect(explained(score, items[1], 1)).toEqual({
      value: 1,
      notes: [['ranked', { field: 'at', below: 1, others: 1 }]],
    });
    expect(explained(score, items[2], 2)).toEqual({ value: undefined, notes: [['absent', { field: 'at' }]] });
    const alone = prepared(RecencyScorer, { field: 'at' }, [{ at: 1 }]);
    expect(explained(alone, { at: 1 }).notes).toEqual([['alone', { field: 'at', below: 0, others: 0 }]]);
  });
});

describe('PriorityScorer', () => {
  it('returns the share of the others that are lower; negatives and 0 are priorities', () => {
    expect(priorities(10, -3, 0)).toEqual([1, 0, 0.5]);
    expect(priorities(0, undefined)).toEqual([1, undefined]);
  });

  it('treats 0 and −0 as equal', () => {
    expect(priorities(-0, 0, -0, 1)).toEqual([0, 0, 0, 1]);
  });

  it('fails on values that are not finite numbers', () => {
    for (const priority of ['9', Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => priorities(priority)).toThrow('priority: expected a');
    }
  });
});
