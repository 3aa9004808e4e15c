/* oxlint-disable typescript/no-unsafe-type-assertion -- the shapes are those of the texts written here */
import { expect, test } from 'vitest';
import { formatProblems } from '../../../src/base/format.js';
import { SourceFile } from '../../../src/base/places.js';
import { parseYaml } from '../../../src/profile/source/parse-yaml.js';

const read = (text: string) => parseYaml(new SourceFile('p.yaml', text));
const report = (text: string): string => formatProblems(read(text).problems);

test.each<[name: string, text: string, data: unknown]>([
  ['an empty file', '', undefined],
  ['a comment alone', '# nothing yet\n', undefined],
  ['a byte order mark', '\ufeffa: 1\n', { a: 1 }],
  ['CRLF', 'a: 1\r\nb: |\r\n  x\r\n  y\r\n', { a: 1, b: 'x\ny\n' }],
  ['YAML 1.2 words', 'a: yes\nb: on\nc: true\nd: ~\ne:', { a: 'yes', b: 'on', c: true, d: null, e: null }],
  ['numbers', '[0x1f, 0o17, .inf, -.inf, .nan, 1e3, 1_0]', [31, 15, Infinity, -Infinity, Number.NaN, 1000, '1_0']],
  ['big integers as doubles', '123456789012345678901', 123456789012345680000],
  ['keys that look like other types', '1: a\n~: b\ntrue: c', { 1: 'a', '~': 'b', true: 'c' }],
  ['aliases', 'a: &x [1]\nb: *x\nc: &y text\nd: *y', { a: [1], b: [1], c: 'text', d: 'text' }],
  ['the tags of the core schema', 'a: !!str 5\nb: !!float 1.5', { a: '5', b: 1.5 }],
  ['a root that is not a map', '- a', ['a']],
])('%s', (_, text, data) => expect(read(text)).toEqual({ data, problems: [] }));

test('a key __proto__ is a key', () => {
  const data = read('__proto__: { polluted: true }\nconstructor: 1').data;
  expect(Object.keys(data as object)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  expect((data as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('an aliased list is one object', () => {
  const { a, b } = read('a: &x [1]\nb: *x').data as { a: unknown; b: unknown };
  expect(a).toBe(b);
});

test('reports all problems of a file at once, in order', () => {
  const text = `name: 'it's'
tier1_scorers:
	- id: a
weights: { a: 1, b: 2, a: 3 }
<<: *base
mood: !happy yes
path: "C:\\query"
user: @me
`;
  expect(report(text)).toMatchInlineSnapshot(`
    "p.yaml:1:11 error ASZ102 found text after the end of a value
      1 | name: 'it's'
        |           ^
      inside single quotes, a quote is written twice: ''
    p.yaml:3:1 error ASZ102 a tab is used as indentation
      3 | 	- id: a
        | ^
      indent with spaces
    p.yaml:4:24 error ASZ102 duplicate key a
      4 | weights: { a: 1, b: 2, a: 3 }
        |                        ^
      the first is at p.yaml:4:12
    p.yaml:5:1 error ASZ102 merge keys (<<) are not supported
      5 | <<: *base
        | ^
      write the keys out, or extend another profile with extends
    p.yaml:5:5 error ASZ102 the alias *base refers to nothing
      5 | <<: *base
        |     ^
      &base must come before it; quote a text that starts with *
    p.yaml:6:7 error ASZ102 unknown tag !happy
      6 | mood: !happy yes
        |       ^
      remove it, or quote a text that starts with !
    p.yaml:7:10 error ASZ102 \\q is not a valid escape in double quotes
      7 | path: "C:\\query"
        |          ^
      in single quotes, a backslash needs no escape
    p.yaml:8:7 error ASZ102 a text that starts with @ needs quotes
      8 | user: @me
        |       ^
    8 problems"
  `);
});

const MISTAKES: readonly (readonly [name: string, text: string])[] = [
  ['an unclosed quote', "a: 1\nb: 'x\nc: 2\n"],
  ['an unclosed list', 'a: [1, 2\nb: 3\n'],
  ['an unclosed map at the end', 'a: { b: [1, 2 }\n'],
  ['a key that is indented too much', 'a: 1\n  b: 2\n'],
  ['two keys on a line', 'a: b: c\n'],
  ['a key without a colon', 'a: 1\nname\nb: 2\n'],
  ['a dash without a space', '- a\n-b\n'],
  ['braces of a template', 'a: {{ name }}\n'],
  ['two documents', 'a: 1\n---\nb: 2\n'],
  ['an alias inside its own value', 'a: &a [*a]\n'],
  ['an undefined alias', 'a: &x 1\nb: *y\n'],
  ['a tag that is not of the core schema', 'a: !!binary aGk=\n'],
  ['a value that does not match its tag', 'a: !!int many\n'],
];

test('common mistakes', () => {
  const reports = MISTAKES.map(([name, text]) => `# ${name}\n${report(text)}`);
  expect(reports.join('\n')).toMatchInlineSnapshot(`
    "# an unclosed quote
    p.yaml:2:4 error ASZ102 the text opened with ' is never closed
      2 | b: 'x
        |    ^
    # an unclosed list
    p.yaml:1:4 error ASZ102 the list that starts here is not closed, expected ]
      1 | a: [1, 2
        |    ^
      indent its lines and the ] more than its key
    # an unclosed map at the end
    p.yaml:1:9 error ASZ102 the list that starts here is not closed, expected ]
      1 | a: { b: [1, 2 }
        |         ^
      indent its lines and the ] more than its key
    # a key that is indented too much
    p.yaml:2:3 error ASZ102 this key is indented more than the one above it, which has a value already
      2 |   b: 2
        |   ^
      indent all keys of a map equally
    # two keys on a line
    p.yaml:1:4 error ASZ102 found a second "key: value" on one line
      1 | a: b: c
        |    ^
      quote a text that contains a colon and a space, and put nested keys on separate lines
    # a key without a colon
    p.yaml:2:1 error ASZ102 expected "key: value"
      2 | name
        | ^
      write a colon and a space after the key
    # a dash without a space
    p.yaml:2:1 error ASZ102 found text after the end of a value
      2 | -b
        | ^
      start an item with a dash and a space
    # braces of a template
    p.yaml:1:5 error ASZ102 a list or map is used as a key, expected a text
      1 | a: {{ name }}
        |     ^
      quote a text that starts with { or [
    # two documents
    p.yaml:2:1 error ASZ102 a second document starts here, expected one
      2 | ---
        | ^
      remove the line ---
    # an alias inside its own value
    p.yaml:1:8 error ASZ102 the alias *a is inside the value that it refers to
      1 | a: &a [*a]
        |        ^
    # an undefined alias
    p.yaml:2:4 error ASZ102 the alias *y refers to nothing
      2 | b: *y
        |    ^
      &y must come before it; known aliases: *x
    # a tag that is not of the core schema
    p.yaml:1:4 error ASZ102 unknown tag !!binary
      1 | a: !!binary aGk=
        |    ^
      remove it, or quote a text that starts with !
    # a value that does not match its tag
    p.yaml:1:4 error ASZ102 the value does not match its tag !!int
      1 | a: !!int many
        |    ^"
  `);
});

test('rejects aliases that multiply', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}*a${i}]`);
  expect(report(['a0: &a0 [lol]', ...lines].join('\n'))).toMatchInlineSnapshot(`
    "p.yaml:5:25 error ASZ102 with the alias *a3 the aliases stand for more than 10000 values
      5 | a4: &a4 [*a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3]
        |                         ^"
  `);
});

test('rejects aliases that nest deeply', () => {
  const nested = '['.repeat(60);
  const text = `a: &a ${nested}1${']'.repeat(60)}\nb: ${nested}*a${']'.repeat(60)}`;
  expect(read(text).problems.map(({ message }) => message)).toEqual([
    'with the alias *a the data is nested more than 100 deep',
  ]);
});

test.each([
  ['brackets', '['.repeat(100_000)],
  ['braces', '{a: '.repeat(100_000)],
  ['dashes', '- '.repeat(100_000)],
  ['question marks', '? '.repeat(100_000)],
  ['pairs', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('rejects 100,000 %s', (_, text) => {
  expect(read(text).problems.map(({ message }) => message)).toEqual(['the data is nested more than 100 deep']);
});
