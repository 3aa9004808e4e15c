/* oxlint-disable typescript/no-unsafe-type-assertion -- the shapes are those of the texts written here */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { lowerBound } from '../../src/base/places.js';
import {
  copyPlace,
  copyPlaces,
  type DataPath,
  locate,
  placeOf,
  placeOfValue,
  placeWithin,
  SourceFile,
} from '../../src/base/places.js';
import { parseJsonWithPlaces } from '../../src/data/json/parse-json-with-places.js';
import { parseYaml } from '../../src/profile/source/parse-yaml.js';

const TEXT = `name: x
tier2_scorers:
  - { id: a, weight: 2 }
  - id: b
    params:
      expr: 'it''s + odd'
`;
const parsed = (text: string) => parseYaml(new SourceFile('p.yaml', text)).data as Record<string, object>;
const at = (place: { line: number; column: number } | undefined) => place && `${place.line}:${place.column}`;

test.each<[path: DataPath, at: 'key' | 'value', place: string]>([
  [[], 'value', '1:1'],
  [['name'], 'key', '1:1'],
  [['name'], 'value', '1:7'],
  [['tier2_scorers', 0, 'weight'], 'key', '3:14'],
  [['tier2_scorers', 0, 'weight'], 'value', '3:22'],
  [['tier2_scorers', 1], 'key', '4:5'],
  [['tier2_scorers', 1, 'params', 'missing', 'deeper'], 'value', '6:7'],
  [['tier2_scorers', 7], 'value', '3:3'],
  [['tier2_scorers', 0, 'toString'], 'value', '3:5'],
])('%j (%s) is at %s', (path, which, place) => expect(at(locate(parsed(TEXT), path, which))).toBe(place));

test('the places of one container', () => {
  const data = parsed(TEXT);
  expect(at(placeOf(data['tier2_scorers']!))).toBe('3:3');
  expect(at(placeOfValue(data, 'name'))).toBe('1:7');
  expect(placeOf({})).toBeUndefined();
});

test('copies places', () => {
  const from = parsed(TEXT);
  const merged = { a: from['name'], name: from['name'] };
  copyPlace(from, 'name', merged, 'a');
  expect(at(locate(merged, ['a']))).toBe('1:7');
  copyPlaces(from, merged);
  expect(at(locate(merged, ['name'], 'key'))).toBe('1:1');
  expect(at(locate(merged, ['a']))).toBe('1:7');
});

// In each value, the place of `!` is where `!` is in the file.
test.each([
  ['plain', 'a: b !c'],
  ['single-quoted', "a: 'b ''c'' !d'"],
  ['double-quoted', 'a: "b \\"\\u0041\\x20\\n\\U0001F44D !d"'],
  ['with an anchor and a tag', "a: &x !!str 'b !c'"],
  ['literal', 'a: |\n  b c\n\n    d !e\n  f'],
  ['folded', 'a: >-\n  b\n  c\n\n  d !e'],
  ['over lines', 'a: b\n  c\n\n  d !e'],
  ['quoted over lines', 'a: "b\\\n   c\n  !d"'],
  ['CRLF', 'a: |\r\n  b\r\n  c !d\r\n'],
  ['JSON', '{"a": "b \\u00e9\\/ !c"}'],
])('inside a string: %s', (_, text) => {
  const source = new SourceFile('p', text);
  const json = text.startsWith('{');
  const data = (json ? parseJsonWithPlaces(source) : parseYaml(source)).data as { a: string };
  const mark = text.lastIndexOf('!');
  expect(at(placeWithin(data, 'a', data.a.indexOf('!')))).toBe(at(source.placeAt(mark)));
  expect(at(placeWithin(data, 'a', 0))).toBe(at(source.placeAt(text.indexOf('b'))));
});

test('inside a string: its end, an alias, and a value that is not a string', () => {
  const data = parsed('a: &x "b c"\nb: *x\nc: 12\n');
  expect(at(placeWithin(data, 'a', 3))).toBe('1:11');
  expect(at(placeWithin(data, 'b', 2))).toBe('2:4');
  expect(at(placeWithin(data, 'c', 1))).toBe('3:4');
  expect(placeWithin(data, 'd', 1)).toBeUndefined();
});

const leaves = (data: unknown, path: DataPath = []): [DataPath, unknown][] =>
  typeof data === 'object' && data !== null
    ? Object.entries(data).flatMap(([key, value]) => leaves(value, [...path, key]))
    : [[path, data]];

/** Any key except YAML's merge key. */
const key = fc.string().filter((text) => text !== '<<');

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, tie('leaf'), fc.array(tie('tree')), fc.dictionary(key, tie('tree'))),
  leaf: fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('a: b', '- x', "it's", 'x\ny\n'),
  ),
}));

test('locates every leaf where its text is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(tree), fc.dictionary(key, tree)), fc.boolean(), (data, asJson) => {
      const text = asJson ? JSON.stringify(data, undefined, 2) : stringify(data, { aliasDuplicateObjects: false });
      const source = new SourceFile('p', text);
      const read = asJson ? parseJsonWithPlaces(source) : parseYaml(source);
      expect(read.problems).toEqual([]);
      expect(read.data).toEqual(data);
      const starts = text.split('\n').map((_, i, lines) => lines.slice(0, i).join('\n').length + Number(i > 0));
      for (const [path, leaf] of leaves(read.data)) {
        const place = locate(read.data, path)!;
        const rest = text.slice(starts[place.line - 1]! + place.column - 1);
        // A string may be quoted or a block; otherwise it is in the file unchanged.
        const styled = typeof leaf === 'string' && /^["'|>]/.test(rest);
        expect(styled || rest.startsWith(String(leaf).split('\n')[0]!)).toBe(true);
      }
    }),
  );
});

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 1],
  [4, 4],
  [9, 4],
  [10, 5],
])('the first number that is at least %d is at %d', (value, position) => {
  expect(lowerBound([1, 3, 3, 3, 9], value)).toBe(position);
});

test('part of the numbers, and none of them', () => {
  expect(lowerBound(Int32Array.of(7, 8, 1, 5, 9, 2), 5, 2, 5)).toBe(3);
  expect(lowerBound(Int32Array.of(7, 8, 1, 5, 9, 2), 10, 2, 5)).toBe(5);
  expect(lowerBound([], 1)).toBe(0);
  expect(lowerBound([4, 5], 4, 1, 1)).toBe(1);
});
