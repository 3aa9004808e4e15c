import { describe, expect, test } from 'vitest';
import { told } from './broken.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

describe('messages that say no more than once', () => {
  test('what was found, once', async () => {
    const duration = await told(entry('expr: candidate.a, timeout: 5 minutes'));
    expect(duration.match(/found/g)).toHaveLength(1);
    const path = await told(entry('class: OutcomeScorer, params: { value: a..b, success: ok }'));
    expect(path.match(/found/g)).toHaveLength(1);
  });

  test('one “or”', async () => {
    expect(await told(entry('expr: candidate.a, on_error: pass'))).toContain('a number, refuse, skip or fail');
  });
});

describe('problems come all at once', () => {
  test('also where one child is malformed', async () => {
    const scorers = '[{ class: Nope, weight: heavy }, { expr: "candidate.a +" }, { class: Nada }]';
    const message = await told(entry(`class: CompositeScorer, params: { scorers: ${scorers} }`));
    expect(message).toContain('4 problems');
  });

  test('also where another key of a rerank is malformed', async () => {
    const message = await told(`${entry('expr: candidate.a')}rerank: { top: 0, ask: [b, 3, c] }`);
    expect(message).toContain('rerank.ask: unknown scorer b');
    expect(message).toContain('rerank.ask: unknown scorer c');
    expect(message).toContain('4 problems');
  });

  test('also where another key of the entry is malformed', async () => {
    expect(await told(entry('class: Nope, weight: [], params: {}'))).toContain('2 problems');
  });
});

describe('__proto__ is a key like another: obeyed or refused, never ignored in silence', () => {
  test.each([
    ['a case', `${entry('expr: candidate.a')}weights: { by: candidate.k, cases: { __proto__: { nobody: 2 } } }`],
    ['a factor', 'adjustments: [{ id: r, multiply: { table: { __proto__: { a: wrong } }, by: [candidate.k] } }]'],
    ['a phase', 'phases: { __proto__: { turns: 1 }, late: {} }'],
    ['a param', entry('class: DecayScorer, params: { __proto__: 3, curve: { type: window, max_age: 1d } }')],
    ['a field of the context', 'context: { __proto__: { type: nonsense } }'],
  ])('%s', async (_, profile) => {
    expect(await told(profile)).toContain('error');
  });
});
