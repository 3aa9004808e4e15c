import { describe, expect, test } from 'vitest';
import { told } from './broken.js';

describe('the shape of a profile', () => {
  test('a list at the root', async () => {
    expect(
      await told(`- tier2_scorers
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:1 error ASZ202 expected a map, found a list
    1 | - tier2_scorers
      | ^
    a profile looks like: tier2_scorers: [{ id: stars, expr: candidate.stars }]
  "
`);
  });

  test('a text at the root', async () => {
    expect(
      await told(`hello
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:1 error ASZ202 expected a map, found the string "hello"
    1 | hello
      | ^
    a profile looks like: tier2_scorers: [{ id: stars, expr: candidate.stars }]
  "
`);
  });

  test('an empty file is the profile that does nothing', async () => {
    expect(await told(``)).toMatchInlineSnapshot(`"it is valid"`);
  });

  test('a key with a typo', async () => {
    expect(
      await told(`tier2_scorer:
  - { id: a, expr: candidate.a }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:1 error ASZ201 unknown key tier2_scorer
    1 | tier2_scorer:
      | ^
    did you mean tier2_scorers?
  "
`);
  });

  test('a key of an entry with a typo', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: a, expr: candidate.a, wieght: 3 }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:33 error ASZ201 unknown key wieght
    2 |   - { id: a, expr: candidate.a, wieght: 3 }
      |                                 ^
    did you mean weight?
  "
`);
  });

  test('a map in place of a list', async () => {
    expect(
      await told(`tier2_scorers: { id: a }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:16 error ASZ202 expected a list, found a map
    1 | tier2_scorers: { id: a }
      |                ^
  "
`);
  });

  test('a text in place of an entry', async () => {
    expect(
      await told(`tier2_scorers: [popularity]
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:17 error ASZ202 expected a map, found the string "popularity"
    1 | tier2_scorers: [popularity]
      |                 ^
  "
`);
  });

  test('no id', async () => {
    expect(
      await told(`tier2_scorers:
  - { expr: candidate.a }
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:2:5 error ASZ202 missing id: expected a string
        2 |   - { expr: candidate.a }
          |     ^
      "
    `);
  });

  test('a text in place of true or false', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: a, expr: candidate.a, enabled: "no" }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:42 error ASZ202 expected true or false, found the string "no"
    2 |   - { id: a, expr: candidate.a, enabled: "no" }
      |                                          ^
  "
`);
  });
});
