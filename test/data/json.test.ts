/* oxlint-disable typescript/no-unsafe-type-assertion -- the shapes are those of the texts written here */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatProblems } from '../../src/base/format.js';
import { placeOfValue, SourceFile } from '../../src/base/places.js';
import { tryParseJson } from '../../src/data/parsed-document.js';
import { parseJsonWithPlaces } from '../../src/data/json/parse-json-with-places.js';

/** Reads as for candidates, and with places as for a profile. */
function read(text: string, places = false) {
  const source = new SourceFile('p.json', text);
  const quick = places ? undefined : tryParseJson(source.text);
  return quick ? { data: quick.data, problems: [] } : parseJsonWithPlaces(source);
}

const VALID = [
  '{"a":[1,-0.5e+3,true,null,"\\u00e9\\n"]}',
  '\ufeff[]',
  ' {} ',
  '0',
  '{"a":"\\"]}"}',
  '{"__proto__":{"x":1}}',
];

test.each(VALID)('%s has the same value with and without places', (text) => {
  expect(read(text, true)).toEqual(read(text));
  expect(read(text)).toEqual({ data: JSON.parse(text.replace('\ufeff', '')) as unknown, problems: [] });
});

test('parseJsonWithPlaces records places', () => {
  const { data } = read('{\r\n  "a": [1,\r\n   2]}', true);
  expect(placeOfValue((data as { a: object }).a, 1)).toMatchObject({ line: 3, column: 4 });
  expect(placeOfValue(read('[1]').data as object, 0)).toBeUndefined();
});

test('text that JSON.parse accepts has the same value with places; text that it rejects has one problem', () => {
  const damage = fc.record({
    at: fc.nat(),
    cut: fc.nat(2),
    put: fc.constantFrom('', ',', '}', ']', '"', '\\', '-', '0', 'e', 'true', '/', ' ', '\u00a0', '\u0001'),
  });
  fc.assert(
    fc.property(fc.json(), damage, (json, { at, cut, put }) => {
      const where = at % (json.length + 1);
      const text = json.slice(0, where) + put + json.slice(where + cut);
      const quick = tryParseJson(text);
      const { data, problems } = read(text, true);
      const errors = problems.filter(({ message }) => !message.endsWith('occurs twice in one object'));
      expect(errors).toHaveLength(quick ? 0 : 1);
      expect(data).toEqual(quick?.data);
    }),
    { numRuns: 1000 },
  );
});

test('__proto__ is an own key', () => {
  const { data } = read('{"__proto__":{"polluted":true}}', true);
  expect(Object.keys(data as object)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
});

const MISTAKES = [
  '',
  ' \n ',
  '{\n  "a": 1,\n}',
  '[1, 2,]',
  "{'a': 1}",
  '{a: 1}',
  '[NaN, -Infinity]',
  '{"a": True}',
  '["open',
  '["two\nlines"]',
  '[1 2]',
  '{"a" 1}',
  '{"a":\n  [1, 2',
  '[01]',
  '[1.]',
  '[+1]',
  '{ // why\n}',
  '["C:\\query"]',
  '["\t"]',
  '{"a": 1}\n{"a": 2}',
  '<html>',
];

test('common mistakes have a message and a hint', () => {
  const reports = MISTAKES.map((text) => formatProblems(read(text).problems));
  expect(reports.join('\n')).toMatchInlineSnapshot(`
    "p.json:1:1 error ASZ102 it is empty, expected JSON
    p.json:1:1 error ASZ102 it is empty, expected JSON
    p.json:2:9 error ASZ102 found a comma before }
      2 |   "a": 1,
        |         ^
      remove the comma
    p.json:1:6 error ASZ102 found a comma before ]
      1 | [1, 2,]
        |      ^
      remove the comma
    p.json:1:2 error ASZ102 found ', expected a key
      1 | {'a': 1}
        |  ^
      write keys in double quotes
    p.json:1:2 error ASZ102 found a, expected a key
      1 | {a: 1}
        |  ^
      write keys in double quotes
    p.json:1:2 error ASZ102 found NaN, expected a value
      1 | [NaN, -Infinity]
        |  ^
      JSON has no NaN: write null or omit the key
    p.json:1:7 error ASZ102 found True, expected a value
      1 | {"a": True}
        |       ^
      write true
    p.json:1:2 error ASZ102 a string is opened with " and never closed
      1 | ["open
        |  ^
      write a line break in a string as \\n
    p.json:1:2 error ASZ102 a string is opened with " and never closed
      1 | ["two
        |  ^
      write a line break in a string as \\n
    p.json:1:4 error ASZ102 found 2, expected a comma or ]
      1 | [1 2]
        |    ^
    p.json:1:6 error ASZ102 found 1, expected : after the key
      1 | {"a" 1}
        |      ^
    p.json:2:8 error ASZ102 found the end of the file, expected a comma or ]
      2 |   [1, 2
        |        ^
      the [ at line 2, column 3 is never closed
    p.json:1:2 error ASZ102 01 is not a valid JSON number
      1 | [01]
        |  ^
      remove the leading zeros
    p.json:1:2 error ASZ102 1. is not a valid JSON number
      1 | [1.]
        |  ^
    p.json:1:2 error ASZ102 found +, expected a value
      1 | [+1]
        |  ^
      a number starts with a digit, or with - and a digit
    p.json:1:3 error ASZ102 found /, expected a key
      1 | { // why
        |   ^
      JSON has no comments
    p.json:1:5 error ASZ102 \\q is not a valid JSON escape
      1 | ["C:\\query"]
        |     ^
      write a backslash as \\\\
    p.json:1:3 error ASZ102 found a control character in a string
      1 | ["	"]
        |   ^
      write a tab in a string as \\t
    p.json:2:1 error ASZ102 found { after the value, expected the end of the file
      2 | {"a": 2}
        | ^
      if it has one object per line, it is JSON Lines: name it .jsonl or pass --input jsonl
    p.json:1:1 error ASZ102 found <, expected a value
      1 | <html>
        | ^"
  `);
});

test('with places, a duplicate key is a problem, and parsing continues', () => {
  expect(formatProblems(read('{"a": 1,\n "a": 2,\n "b": }', true).problems)).toMatchInlineSnapshot(`
    "p.json:2:2 error ASZ102 the key a occurs twice in one object
      2 |  "a": 2,
        |  ^
      the first is at p.json:1:2
    p.json:3:7 error ASZ102 found }, expected a value
      3 |  "b": }
        |       ^
    2 problems"
  `);
});

test.each([
  ['closed', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['open', '['.repeat(100_000)],
])('rejects 100,000 brackets: %s', (_, text) => {
  for (const places of [true, false]) {
    expect(read(text, places).problems.map(({ message }) => message)).toEqual([
      'the data is nested more than 100 deep',
    ]);
  }
});

test('brackets in strings do not count as nesting', () => {
  const text = JSON.stringify(['['.repeat(500), '\\"[', ...Array.from({ length: 300 }, () => [])]);
  expect(read(text).problems).toEqual([]);
});
