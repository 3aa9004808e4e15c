import { describe, expect, test } from 'vitest';
import { messageOf } from './broken.js';

describe('profiles given as objects', () => {
  test('an object profile says where by its path', async () => {
    expect(await messageOf({ tier2_scorers: [{ id: 'a', expr: '1.0', clas: 'X' }] })).toMatchInlineSnapshot(`
      "
      tier2_scorers[0].clas error ASZ201 unknown key clas
        did you mean class?
      "
    `);
  });

  test('no object at all', async () => {
    expect(await messageOf([])).toMatchInlineSnapshot(`
      "
      error ASZ202 expected a map, found a list
        a profile looks like: tier2_scorers: [{ id: stars, expr: candidate.stars }]
      "
    `);
  });

  test('one problem for one mistake', async () => {
    const message = await messageOf({ tier2_scorers: [{ id: 'a', expr: () => 1 }] });
    expect(message.match(/error/g)).toHaveLength(1);
  });

  test('places of objects are all written alike', async () => {
    const params: { scorers?: unknown } = {};
    params.scorers = [{ class: 'CompositeScorer', params }];
    const message = await messageOf({ tier2_scorers: [{ id: 'a', class: 'CompositeScorer', params }] });
    expect(message).toContain('tier2_scorers[0].params.scorers[0].params');
  });
});
