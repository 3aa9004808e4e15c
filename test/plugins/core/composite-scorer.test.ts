import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CompositeScorer } from '../../../plugins/core/combined-scorers.js';
import type { Child, Score } from 'assize/sdk';
import { compiled, explained, problems } from './ask.js';

/** Children that read a field named by their `expr`. */
const children =
  (child: Child): Score<unknown> =>
  (row) =>
    Object(row)[child.spec.expr ?? ''];
/** A child with its own note. */
const telling: Score<unknown> = (_candidate, _index, note) => {
  note?.('mine');
  return 1;
};
const composite = (...weights: number[]) =>
  compiled(CompositeScorer, { scorers: weights.map((weight, n) => ({ expr: `f${n}`, weight })) }, { children });
const row = (...values: (number | undefined)[]) => Object.fromEntries(values.map((value, n) => [`f${n}`, value]));

describe('CompositeScorer', () => {
  it('is the weighted mean of its children', () => {
    expect(composite(3, 1)(row(1, 0), 0)).toBe(0.75);
    expect(composite(7)(row(0.3), 0)).toBe(0.3);
  });

  it('gives a child the weight 1 by default', () => {
    const score = compiled(CompositeScorer, { scorers: [{ expr: 'f0' }, { expr: 'f1' }] }, { children });
    expect(score(row(1, 0), 0)).toBe(0.5);
  });

  it('excludes an abstaining child from the mean', () => {
    const score = composite(1, 2, 1);
    expect(score(row(1, undefined, 0), 0)).toBe(0.5);
    expect(explained(score, row(1, undefined, 0)).notes).toEqual([['partial', { present: 2, scorers: 3 }]]);
  });

  it('abstains if all its children abstain', () => {
    expect(explained(composite(1, 2), {})).toEqual({ value: undefined, notes: [['absent', { scorers: 2 }]] });
  });

  it('does not clamp, and returns NaN if a child is NaN', () => {
    expect(composite(1, 1)(row(7, -3), 0)).toBe(2);
    expect(composite(1, 1)(row(Number.NaN, 1), 0)).toBeNaN();
  });

  it('passes its note to its children', () => {
    const score = compiled(CompositeScorer, { scorers: [{ expr: 'x' }] }, { children: () => telling });
    expect(explained(score, {}).notes).toEqual([['mine'], ['mean', { scorers: 1 }]]);
  });

  it("equals the reference's order of operations to the last bit", () => {
    const terms = fc.array(
      fc.record({
        value: fc.double({ noNaN: true, noDefaultInfinity: true }),
        weight: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(terms, (all) => {
        let total = 0;
        for (const { weight } of all) total += weight;
        let sum = 0;
        for (const { value, weight } of all) sum += value * (weight / total);
        expect(composite(...all.map(({ weight }) => weight))(row(...all.map(({ value }) => value)), 0)).toBe(sum);
      }),
    );
  });

  it('rejects weights that are not above 0, at the child, and an empty list', () => {
    expect(
      problems(CompositeScorer, { scorers: [{ expr: 'a' }, { expr: 'b', weight: 0 }, { expr: 'c', weight: -1 }] }),
    ).toEqual(['scorers.1.weight: expected a weight above 0', 'scorers.2.weight: expected a weight above 0']);
    expect(problems(CompositeScorer, { scorers: [] })).toHaveLength(1);
    expect(problems(CompositeScorer, { scorers: [{ expr: 'a', weight: Number.POSITIVE_INFINITY }] })).toHaveLength(1);
  });

  it('reports a bad weight next to a malformed child', () => {
    const found = problems(CompositeScorer, { scorers: [{ weight: 1 }, { expr: 'b', weight: -1 }] });
    expect(found).toContain('scorers.1.weight: expected a weight above 0');
    expect(found).toHaveLength(2);
  });
});
