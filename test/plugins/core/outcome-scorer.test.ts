import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutcomeScorer } from '../../../plugins/core/number-units.js';
import { compiled, explained, problems } from './ask.js';

const score = compiled(OutcomeScorer, { value: 'outcome.confidence', success: 'metadata.success' });
const trace = (confidence: unknown, success: unknown) => ({ outcome: { confidence }, metadata: { success } });

describe('OutcomeScorer', () => {
  it('returns the value after a success, a part of it after a failure', () => {
    expect(score(trace(0.8, true), 0)).toBe(0.8);
    expect(score(trace(0.8, false), 0)).toBe(0.8 * 0.3);
    expect(score(trace(0, true), 0)).toBe(0);
  });

  it('accepts another factor', () => {
    const strict = compiled(OutcomeScorer, { value: 'rate', success: 'ok', failure_factor: 0 });
    expect(strict({ rate: 0.9, ok: false }, 0)).toBe(0);
  });

  it('abstains if either is absent', () => {
    expect(explained(score, trace(undefined, true))).toEqual({
      value: undefined,
      notes: [['absent', { field: 'outcome.confidence' }]],
    });
    expect(explained(score, trace(0.5, null)).notes).toEqual([['absent', { field: 'metadata.success' }]]);
  });

  it('fails on values that are not numbers or not booleans', () => {
    expect(() => score(trace('0.5', true), 0)).toThrow(
      'outcome.confidence: expected a finite number, found the string "0.5"',
    );
    expect(() => score(trace(Number.NaN, true), 0)).toThrow('outcome.confidence');
    expect(() => score(trace(Number.POSITIVE_INFINITY, true), 0)).toThrow('outcome.confidence');
    expect(() => score(trace(0.5, 1), 0)).toThrow('metadata.success: expected true or false, found the number 1');
  });

  it('reports the outcome', () => {
    expect(explained(score, trace(0.5, true)).notes).toEqual([['succeeded', { value: 0.5 }]]);
    expect(explained(score, trace(0.5, false)).notes).toEqual([['failed', { value: 0.5, failure_factor: 0.3 }]]);
  });

  it('equals the formula of the SDK to the last bit', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (confidence, success) => {
        expect(score(trace(confidence, success), 0)).toBe(confidence * (success ? 1.0 : 0.3));
      }),
    );
  });

  it('rejects invalid params', () => {
    expect(problems(OutcomeScorer, { value: 'a', success: 'b', failure_factor: 2 })).toHaveLength(1);
    expect(problems(OutcomeScorer, {})).toHaveLength(2);
  });
});
