/* Each of these reads badly, or is silent; it goes to the tests of its subject once it is mended. */
import { describe, expect, test } from 'vitest';
import { messageOf, told } from './broken.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

describe('messages that say too little', () => {
  test('the types of curve that there are', async () => {
    const message = await told(entry('class: DecayScorer, params: { curve: { type: exponental, half_life: 1d } }'));
    expect(message).toContain('expected exponential, window or step');
  });

  test('both a class and an expression, or neither', async () => {
    expect(await told(entry('class: DecayScorer, expr: candidate.a'))).toMatch(/found both|not both/);
    expect(await told('tier2_scorers: [{ id: a }]')).toMatch(/found neither|missing class or expr/);
  });

  test('what the name of a phase may look like, at the name', async () => {
    const message = await told('phases: { Early: { n_turns: 4 } }');
    expect(message).toContain('p.yaml:1:11');
    expect(message).not.toContain('Invalid key');
    expect(message).toContain('lower-case');
  });

  test('that what it reads exists, and where', async () => {
    const measures = 'measures: [{ id: tools, expr: "1.0" }]\ntier1_scorers: [{ id: a, expr: measures.tools > 2 }]';
    expect(await told(measures)).not.toContain('candidate.measures');
    expect(await told(entry('expr: score * 2'))).not.toContain('candidate.score');
    expect(await told(entry('expr: cand.b'))).toContain('did you mean candidate?');
  });
});

describe('messages that say too much', () => {
  test('what was found, once', async () => {
    const duration = await told(entry('expr: candidate.a, timeout: 5 minutes'));
    expect(duration.match(/found/g)).toHaveLength(1);
    const path = await told(entry('class: OutcomeScorer, params: { value: a..b, success: ok }'));
    expect(path.match(/found/g)).toHaveLength(1);
  });

  test('one problem for one mistake', async () => {
    const message = await messageOf({ tier2_scorers: [{ id: 'a', expr: () => 1 }] });
    expect(message.match(/error/g)).toHaveLength(1);
  });

  test('one “or”', async () => {
    expect(await told(entry('expr: candidate.a, on_error: pass'))).toContain('a number, refuse, skip or fail');
  });

  test('places of objects are all written alike', async () => {
    const params: { scorers?: unknown } = {};
    params.scorers = [{ class: 'CompositeScorer', params }];
    const message = await messageOf({ tier2_scorers: [{ id: 'a', class: 'CompositeScorer', params }] });
    expect(message).toContain('tier2_scorers[0].params.scorers[0].params');
  });
});

describe('problems come all at once', () => {
  test('also where one child is malformed', async () => {
    const scorers = '[{ class: Nope, weight: heavy }, { expr: "candidate.a +" }, { class: Nada }]';
    const message = await told(entry(`class: CompositeScorer, params: { scorers: ${scorers} }`));
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
