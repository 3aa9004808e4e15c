import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ComplexityScorer } from '../../../plugins/core/list-scorers.js';
import { compiled, explained, problems } from './ask.js';

const TRACE = { items: 'steps', bonus_kind: 'error_recovery' };
const score = compiled(ComplexityScorer, TRACE);
const traceOf = (...types: string[]) => ({ steps: types.map((type) => ({ type })) });

describe('ComplexityScorer', () => {
  it('adds kinds, the bonus and the length', () => {
    // 3 / 4 × 0.5 + 0.3 + 4 / 20 × 0.2 = 0.375 + 0.3 + 0.04
    expect(score(traceOf('thought', 'tool_call', 'error_recovery', 'thought'), 0)).toBeCloseTo(0.715, 12);
    // 1 / 4 × 0.5 + 1 / 20 × 0.2
    expect(score(traceOf('thought'), 0)).toBeCloseTo(0.135, 12);
  });

  it('gives 0 for an empty list and never more than 1', () => {
    expect(score(traceOf(), 0)).toBe(0);
    expect(score({ steps: Array.from({ length: 100 }, (_, n) => ({ type: `kind ${n}` })) }, 0)).toBe(1);
  });

  it('counts no kind for an item without one', () => {
    expect(score({ steps: [{}, { type: null }, 'no object'] }, 0)).toBe((3 / 20) * 0.2);
  });

  it('gives no bonus if none is configured', () => {
    const plain = compiled(ComplexityScorer, { items: 'steps' });
    expect(plain(traceOf('error_recovery'), 0)).toBe((1 / 4) * 0.5 + (1 / 20) * 0.2);
  });

  it('reads other lists, with other measures', () => {
    const chapters = compiled(ComplexityScorer, {
      items: 'book.chapters',
      kind: 'meta.genre',
      kinds: 2,
      kinds_weight: 1,
      length: 10,
      length_weight: 0,
    });
    expect(chapters({ book: { chapters: [{ meta: { genre: 'essay' } }, { meta: {} }] } }, 0)).toBe(0.5);
  });

  it('abstains without a list, and fails on other types', () => {
    expect(explained(score, {})).toEqual({ value: undefined, notes: [['absent', { items: 'steps' }]] });
    expect(score({ steps: null }, 0)).toBeUndefined();
    expect(() => score({ steps: 'thought' }, 0)).toThrow('steps: expected a list, found the string "thought"');
  });

  it('reports what it found', () => {
    expect(explained(score, traceOf('thought', 'thought')).notes).toEqual([['shape', { kinds: 1, items: 2 }]]);
    expect(explained(score, traceOf('error_recovery')).notes).toEqual([
      ['bonus', { kinds: 1, items: 1, bonus_kind: 'error_recovery' }],
    ]);
  });

  it('equals the formula of the SDK to the last bit', () => {
    const types = fc.array(fc.constantFrom('thought', 'tool_call', 'observation', 'error_recovery'), { maxLength: 60 });
    fc.assert(
      fc.property(types, (all) => {
        const { steps } = traceOf(...all);
        const uniqueTypes = new Set(steps.map((s) => s.type)).size;
        const errorRecovery = steps.filter((s) => s.type === 'error_recovery').length;
        const c = Math.min(1.0, (uniqueTypes / 4) * 0.5 + (errorRecovery > 0 ? 0.3 : 0) + (steps.length / 20) * 0.2);
        expect(score({ steps }, 0)).toBe(c);
      }),
    );
  });

  it('rejects invalid params', () => {
    expect(problems(ComplexityScorer, {})).toHaveLength(1);
    expect(
      problems(ComplexityScorer, { items: 'steps', kinds: 0, length: -1, bonus: -0.1, bonuskind: 'x' }),
    ).toHaveLength(4);
  });
});
