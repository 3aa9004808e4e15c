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
});
