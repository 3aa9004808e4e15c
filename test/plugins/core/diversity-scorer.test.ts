import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiversityScorer } from '../../../plugins/core/list-scorers.js';
import { compiled, explained, problems } from './ask.js';

const score = compiled(DiversityScorer, { items: 'steps', distinct: 'tool.name' });
const call = (name?: string) => (name === undefined ? {} : { tool: { name } });

describe('DiversityScorer', () => {
  it('divides the distinct values by the items, times the factor', () => {
    expect(score({ steps: [call('a'), call('b'), call('a'), call(), call(), call(), call(), call()] }, 0)).toBe(
      (2 / 8) * 3,
    );
    expect(score({ steps: [call('a'), call(), call()] }, 0)).toBe(1);
  });

  it('gives 0 for an empty list, and for one without a value', () => {
    expect(score({ steps: [] }, 0)).toBe(0);
    expect(score({ steps: [call(), { tool: null }] }, 0)).toBe(0);
  });

  it('never gives more than 1', () => {
    expect(score({ steps: [call('a'), call('b')] }, 0)).toBe(1);
  });

  it('counts each element of a list value', () => {
    const tags = compiled(DiversityScorer, { items: 'posts', distinct: 'tags', factor: 1 });
    expect(tags({ posts: [{ tags: ['x', 'y'] }, { tags: ['y'] }, {}, {}] }, 0)).toBe(0.5);
  });

  it('abstains without a list, and fails on other types', () => {
    expect(explained(score, {})).toEqual({ value: undefined, notes: [['absent', { items: 'steps' }]] });
    expect(() => score({ steps: 3 }, 0)).toThrow('steps: expected a list, found the number 3');
  });

  it('reports what it found', () => {
    expect(explained(score, { steps: [call('a'), call()] }).notes).toEqual([['varied', { distinct: 1, items: 2 }]]);
  });

  it('equals the formula of the SDK to the last bit', () => {
    const tools = fc.array(fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { nil: undefined }), { maxLength: 40 });
    fc.assert(
      fc.property(tools, (names) => {
        const steps: { tool?: { name: string } }[] = names.map(call);
        const uniqueTools = new Set(steps.flatMap((s) => (s.tool ? [s.tool.name] : []))).size;
        expect(score({ steps }, 0)).toBe(Math.min(1.0, (uniqueTools / Math.max(1, steps.length)) * 3));
      }),
    );
  });

  it('rejects invalid params', () => {
    expect(problems(DiversityScorer, { items: 'steps', distinct: 'tool.name', factor: 0 })).toHaveLength(1);
    expect(problems(DiversityScorer, { items: 'steps' })).toHaveLength(1);
  });
});
