import { describe, expect, it } from 'vitest';
import { CountScorer } from '../../../plugins/core/list-scorers.js';
import { compiled, explained, problems } from './ask.js';

const steps = [
  { type: 'thought' },
  { type: 'tool_call', tool: { name: 'bash' } },
  { type: 'error_recovery', tool: { name: 'bash' } },
  { type: 'tool_call', tool: { name: 'sql' } },
  { type: 'error_recovery', tool: null },
];
const count = (params: object, candidate: unknown = { steps }) =>
  compiled(CountScorer, { items: 'steps', ...params })(candidate, 0);

const notes = (params: object) => explained(compiled(CountScorer, { items: 'steps', ...params }), { steps }).notes;

describe('CountScorer', () => {
  it('counts items', () => {
    expect(count({})).toBe(5);
    expect(count({}, { steps: [] })).toBe(0);
  });

  it('counts items with a value, with a field, without one', () => {
    expect(count({ where: { type: 'error_recovery' } })).toBe(2);
    expect(count({ where: { tool: { present: true } } })).toBe(3);
    expect(count({ where: { tool: { present: false } } })).toBe(2);
  });

  it('requires every condition to hold', () => {
    expect(count({ where: { type: 'error_recovery', 'tool.name': 'bash' } })).toBe(1);
    expect(count({ where: { type: 'thought', 'tool.name': 'bash' } })).toBe(0);
  });

  it('compares with numbers and booleans, never across types', () => {
    const rows = { steps: [{ n: 1, ok: true }, { n: '1', ok: false }, { n: 0 }] };
    expect(count({ where: { n: 1 } }, rows)).toBe(1);
    expect(count({ where: { n: 0 } }, rows)).toBe(1);
    expect(count({ where: { ok: false } }, rows)).toBe(1);
  });

  it('counts distinct values of the matching items', () => {
    expect(count({ distinct: 'tool.name' })).toBe(2);
    expect(count({ distinct: 'tool.name', where: { type: 'error_recovery' } })).toBe(1);
    expect(count({ distinct: 'missing' })).toBe(0);
  });

  it('abstains without a list, and fails on other types', () => {
    expect(explained(compiled(CountScorer, { items: 'steps' }), {})).toEqual({
      value: undefined,
      notes: [['absent', { items: 'steps' }]],
    });
    expect(() => count({}, { steps: {} })).toThrow('steps: expected a list, found a map');
  });

  it('reports what it counted', () => {
    expect(notes({})).toEqual([['all', { items: 5 }]]);
    expect(notes({ where: { type: 'thought' } })).toEqual([['some', { count: 1, items: 5 }]]);
    expect(notes({ distinct: 'tool.name' })).toEqual([['distinct', { count: 2, distinct: 'tool.name', items: 5 }]]);
  });

  it('rejects invalid params', () => {
    expect(problems(CountScorer, {})).toHaveLength(1);
    expect(problems(CountScorer, { items: 'steps', where: { 'a..b': 1 } })).toEqual([
      expect.stringMatching(/^where\.a\.\.b: /),
    ]);
    expect(problems(CountScorer, { items: 'steps', where: { type: ['a'] } })).toEqual([
      expect.stringMatching(/^where\.type: /),
    ]);
    expect(problems(CountScorer, { items: 'steps', where: { tool: { presnt: true } } })).not.toEqual([]);
  });
});
