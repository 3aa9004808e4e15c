import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type DataEdit, type JsonData, type Step, withEdit } from '../../src/save/data-edit.js';
import { SpliceError } from '../../src/save/splice.js';
import { spliceYaml } from '../../src/save/splice-yaml.js';

const weight = (id: string, value: number): DataEdit => ({ path: ['tier2_scorers', { id }, 'weight'], value });

describe('writes only the changes', () => {
  const text = [
    '# What matters, in order',
    'tier2_scorers:',
    '  - id: fresh        # days',
    '    expr: candidate.fresh',
    '    weight:   3      # was 2',
    '  # the next is new',
    '  - { id: votes, expr: candidate.votes, weight: 0.5, } # flow',
    '  - id: plain',
    '    expr: |',
    '      candidate.plain',
    '',
    '# the end',
    '',
  ].join('\n');
  const changed = (...edits: readonly DataEdit[]): string[] => {
    const before = text.split('\n');
    return spliceYaml(text, edits)
      .split('\n')
      .filter((line) => !before.includes(line));
  };

  test('replaces a value in place', () => {
    expect(changed(weight('fresh', 2.25))).toEqual(['    weight:   2.25      # was 2']);
    expect(changed(weight('votes', 1))).toEqual(['  - { id: votes, expr: candidate.votes, weight: 1, } # flow']);
  });

  test('adds a missing key at the end of its map', () => {
    expect(spliceYaml(text, [weight('plain', 4)])).toContain('      candidate.plain\n    weight: 4\n\n# the end\n');
    const edit: DataEdit = { path: ['tier2_scorers', { id: 'votes' }, 'enabled'], value: false };
    expect(changed(edit)).toEqual(['  - { id: votes, expr: candidate.votes, weight: 0.5, enabled: false, } # flow']);
  });

  test('amends an inherited entry', () => {
    expect(changed(weight('inherited', 0.25))).toEqual(['  - { id: inherited, weight: 0.25 }']);
  });

  test('creates missing maps', () => {
    expect(changed({ path: ['weights', 'cases', 'book', 'fresh'], value: 2 })).toEqual([
      'weights: { cases: { book: { fresh: 2 } } }',
    ]);
  });
});

describe('other notations of the same data', () => {
  test.each([
    ['an empty text', '', 'tier2_scorers: [{ id: a, weight: 2 }]\n'],
    ['a text of comments', '# none yet\n', '# none yet\ntier2_scorers: [{ id: a, weight: 2 }]\n'],
    ['no newline at the end', 'name: x', 'name: x\ntier2_scorers: [{ id: a, weight: 2 }]'],
    ['a key without a value', 'tier2_scorers:\nname: x\n', 'tier2_scorers: [{ id: a, weight: 2 }]\nname: x\n'],
    ['an empty list', 'tier2_scorers: []\n', 'tier2_scorers: [{ id: a, weight: 2 }]\n'],
    ['a weight without a value', 'tier2_scorers:\n- id: a\n  weight:\n', 'tier2_scorers:\n- id: a\n  weight: 2\n'],
    [
      'JSON that gets an entry',
      '{ "tier2_scorers": [{ "id": "b" }] }\n',
      '{ "tier2_scorers": [{ "id": "b" }, {"id":"a","weight":2}] }\n',
    ],
    ['JSON that gets a key', '{ "name": "x" }\n', '{ "name": "x", "tier2_scorers": [{"id":"a","weight":2}] }\n'],
    ['JSON', '{"tier2_scorers": [{"id": "a", "weight": 1}]}\n', '{"tier2_scorers": [{"id": "a", "weight": 2}]}\n'],
    [
      'lines that end with CR and LF',
      'name: x\r\ntier2_scorers:\r\n  - id: b\r\n',
      'name: x\r\ntier2_scorers:\r\n  - id: b\r\n  - { id: a, weight: 2 }\r\n',
    ],
  ])('%s', (_what, text, expected) => {
    expect(spliceYaml(text, [weight('a', 2)])).toBe(expected);
  });

  test('other users of an alias keep the old value', () => {
    const text = 'tier2_scorers:\n  - { id: a, weight: &w 3 }\n  - { id: b, weight: *w }\n';
    expect(spliceYaml(text, [weight('a', 2)])).toBe(
      'tier2_scorers:\n  - { id: a, weight: &w 2 }\n  - { id: b, weight: 3 }\n',
    );
    expect(spliceYaml(text, [weight('b', 2)])).toBe(
      'tier2_scorers:\n  - { id: a, weight: &w 3 }\n  - { id: b, weight: 2 }\n',
    );
  });

  test('rejects values that cannot be written exactly', () => {
    expect(() => spliceYaml('tier2_scorers: x\n', [weight('a', 2)])).toThrow(SpliceError);
    expect(() => spliceYaml('a: [\n', [weight('a', 2)])).toThrow(/not YAML/);
    const shared = 'base: &b { id: a, weight: 1 }\ntier2_scorers: [*b]\n';
    expect(() => spliceYaml(shared, [weight('a', 2)])).toThrow(/no map and no list|cannot be written/);
  });
});

const folder = new URL('../../../../../config/presets/', import.meta.url);
const presets = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));

/** Every number in data, with its path. */
function* numbersIn(data: unknown, path: readonly Step[] = []): Generator<readonly [readonly Step[], number]> {
  if (typeof data === 'number') yield [path, data];
  if (typeof data !== 'object' || data === null) return;
  for (const [key, inner] of Object.entries(data)) {
    const step = Array.isArray(data) ? ({ id: (inner as { id?: string } | null)?.id } as { id?: string }) : key;
    const next: Step = typeof step === 'string' ? step : step.id === undefined ? Number(key) : { id: step.id };
    yield* numbersIn(inner, [...path, next]);
  }
}

test('in every preset any number can be changed, and restored', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...presets),
      fc.nat(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (text, pick, value) => {
        const numbers = [...numbersIn(parse(text) as unknown)];
        fc.pre(numbers.length > 0 && !Object.is(value, -0));
        const [path, old] = numbers[pick % numbers.length]!;
        const there = spliceYaml(text, [{ path, value }]);
        expect(parse(there)).toEqual(withEdit(parse(text) as JsonData, path, value));
        expect(parse(spliceYaml(there, [{ path, value: old }]))).toEqual(parse(text));
        expect(there.split('\n').filter((line, k) => line !== text.split('\n')[k])).toHaveLength(value === old ? 0 : 1);
      },
    ),
    { numRuns: 200 },
  );
});

describe('a list', () => {
  const points = (value: JsonData): DataEdit => ({ path: ['tier2_scorers', { id: 'a' }, 'params', 'points'], value });
  const moved = points([
    [0, 0],
    [2, 0.5],
  ]);

  test('of the same length: writes the changed elements', () => {
    const text =
      'tier2_scorers:\n  - id: a\n    params:\n      points: # rises\n        - [0, 0]\n        - [1,   0.5] # !\n';
    expect(spliceYaml(text, [moved])).toBe(text.replace('[1,   0.5]', '[2,   0.5]'));
  });

  test('of another length: removes and changes elements; a missing one: writes the whole', () => {
    const text = 'tier2_scorers: [{ id: a, params: { points: [[0, 0], [1, 1], [2, 0]] } }]\n';
    expect(spliceYaml(text, [moved])).toBe('tier2_scorers: [{ id: a, params: { points: [[0, 0], [2, 0.5]] } }]\n');
    expect(spliceYaml('extends: x\n', [moved])).toBe(
      'extends: x\ntier2_scorers: [{ id: a, params: { points: [[0, 0], [2, 0.5]] } }]\n',
    );
  });

  test('shared by an alias: other users keep their value', () => {
    const alias = 'p: &p [[0, 0], [1, 1]]\ntier2_scorers: [{ id: a, params: { points: *p } }]\n';
    expect(spliceYaml(alias, [moved])).toBe(alias.replace('*p', '[[0, 0], [2, 0.5]]'));
    const anchor = 'tier2_scorers: [{ id: a, params: { points: &p [[0, 0], [1, 0.5]] } }]\nq: *p\n';
    expect(parse(spliceYaml(anchor, [moved]))).toEqual({
      tier2_scorers: [{ id: 'a', params: { points: moved.value } }],
      q: [
        [0, 0],
        [1, 0.5],
      ],
    });
  });
});
