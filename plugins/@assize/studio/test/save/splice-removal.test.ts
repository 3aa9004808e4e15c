import { describe, expect, test } from 'vitest';
import type { FileEdit } from '../../src/save/data-edit.js';
import { spliceYaml } from '../../src/save/splice-yaml.js';

const remove = (...path: (string | number | { id: string })[]): FileEdit => ({ path, remove: true });

describe('a removed entry or key', () => {
  test.each<readonly [string, string, FileEdit, string]>([
    [
      'an entry of a block list, with its lines and the comment behind it',
      'a:\n  - id: x # one\n    expr: y\n  # two\n  - { id: z } # three\nb: 1\n',
      remove('a', { id: 'x' }),
      'a:\n  # two\n  - { id: z } # three\nb: 1\n',
    ],
    [
      'an entry of a flow list',
      'a: [{ id: x }, { id: y }] # all\n',
      remove('a', { id: 'x' }),
      'a: [{ id: y }] # all\n',
    ],
    ['the only entry, with its list', '# top\na: [{ id: x }] # one\nb: 1\n', remove('a', { id: 'x' }), '# top\nb: 1\n'],
    ['the last key, with its map', 'select: { top: 3 }\nb: 1\n', remove('select', 'top'), 'b: 1\n'],
    [
      'a key of a flow map',
      'select: { top: 3, per: { by: x, top: 1 } } # s\n',
      remove('select', 'per'),
      'select: { top: 3 } # s\n',
    ],
    [
      'the first key of a flow map',
      'select: { top: 3, min_score: 1 }\n',
      remove('select', 'top'),
      'select: { min_score: 1 }\n',
    ],
    [
      'a key of a block map, with the comment behind it',
      'select:\n  top: 3\n  per: # groups\n    by: x\n    top: 1 # one\n  # end\n  min_score: 1\n',
      remove('select', 'per'),
      'select:\n  top: 3\n  # end\n  min_score: 1\n',
    ],
    [
      'the first key of an item',
      'a:\n  - label: X\n    id: x\n    expr: y\n',
      remove('a', { id: 'x' }, 'label'),
      'a:\n  - id: x\n    expr: y\n',
    ],
    ['JSON', '{"a":[{"id":"x"},{"id":"y"}],"b":1}', remove('a', { id: 'y' }), '{"a":[{"id":"x"}],"b":1}'],
    ['a key of JSON', '{"a":1,"b":{"c":1}}', remove('b', 'c'), '{"a":1}'],
  ])('%s', (_what, before, edit, after) => {
    expect(spliceYaml(before, [edit])).toBe(after);
  });

  test('is refused if it does not exist, is the last of the file, or is used by an alias', () => {
    expect(() => spliceYaml('a: [{ id: x }]\nb: 1\n', [remove('a', { id: 'y' })])).toThrow(
      'a[y] is not in the file, so it cannot be removed',
    );
    expect(() => spliceYaml('a: 1\n', [remove('a')])).toThrow('the only key');
    expect(() => spliceYaml('a: &x 1\nb: *x\n', [remove('a')])).toThrow('alias');
  });
});

describe('an added entry', () => {
  const entry = {
    id: 'new_one',
    expr: 'candidate["a b"] > 1',
    reason: 'it\'s "late"',
    params: { field: 'a.b', half_life: '90d' },
  };
  const add: FileEdit = { path: ['a', { id: 'new_one' }], value: entry };
  const written = `{ id: new_one, expr: 'candidate["a b"] > 1', reason: 'it''s "late"', params: { field: a.b, half_life: 90d } }`;

  test.each([
    ['to a block list', 'a:\n  - { id: x } # one\n# end\n', `a:\n  - { id: x } # one\n  - ${written}\n# end\n`],
    ['to a flow list', 'a: [{ id: x }]\n', `a: [{ id: x }, ${written}]\n`],
    ['to an empty list', 'a: []\n', `a: [${written}]\n`],
    ['to a missing list, on its own line', 'b: 1 # one\n', `b: 1 # one\na:\n  - ${written}\n`],
  ])('%s', (_what, before, after) => {
    expect(spliceYaml(before, [add])).toBe(after);
  });

  test('and then changed, and removed', () => {
    const text = 'b: 1\n';
    const weighed = spliceYaml(text, [add, { path: ['a', { id: 'new_one' }, 'weight'], value: 2 }]);
    expect(weighed).toContain('half_life: 90d }, weight: 2 }');
    expect(spliceYaml(weighed, [remove('a', { id: 'new_one' })])).toBe(text);
    expect(spliceYaml(weighed, [{ text }])).toBe(text);
  });
});
