/* oxlint-disable typescript/no-unsafe-type-assertion -- the shapes are those of the texts written here */
import { expect, test } from 'vitest';
import { formatProblem, formatProblems } from '../../src/base/format.js';
import type { Problem } from '../../src/base/problem.js';
import { SourceFile } from '../../src/base/places.js';

const problem = (text: string, needle: string, more: Partial<Problem> = {}): Problem => ({
  code: 'ASZ301',
  message: 'unknown class NovltyScorer',
  place: new SourceFile('profile.yaml', text).placeAt(text.indexOf(needle)),
  ...more,
});

test('formats a problem with its line and a hint', () => {
  const text = 'name: x\ntier2_scorers:\n  - { id: a, class: NovltyScorer }\n';
  expect(formatProblem(problem(text, 'Novlty', { hint: 'did you mean NoveltyScorer?' }))).toMatchInlineSnapshot(`
    "profile.yaml:3:21 error ASZ301 unknown class NovltyScorer
      3 |   - { id: a, class: NovltyScorer }
        |                     ^
      did you mean NoveltyScorer?"
  `);
});

test('without a place, shows the path; without either, shows nothing', () => {
  const bare: Problem = { code: 'ASZ202', message: 'expected a number' };
  expect(formatProblem({ ...bare, path: 'weights.a' })).toBe('weights.a error ASZ202 expected a number');
  expect(formatProblem(bare)).toBe('error ASZ202 expected a number');
});

const at = (file: string, line: number, column: number): Problem => ({
  code: 'ASZ201',
  message: 'm',
  place: { file, line, column },
});

test('sorts and counts problems', () => {
  const all = [
    { code: 'ASZ201', message: 'none' } as const,
    at('b', 1, 1),
    at('a', 10, 1),
    at('a', 2, 9),
    at('a', 2, 3),
  ];
  expect(formatProblems(all)).toMatchInlineSnapshot(`
    "a:2:3 error ASZ201 m
    a:2:9 error ASZ201 m
    a:10:1 error ASZ201 m
    b:1:1 error ASZ201 m
    error ASZ201 none
    5 problems"
  `);
});

test.each([
  ['tabs', '\ta:\t!here', '\t  \t'],
  ['wide characters', '日本語: ＡＢ !here', ' '.repeat(13)],
  ['emoji', '👍 é e\u0301 !here', ' '.repeat(7)],
])('puts the caret under its character after %s', (_, line, padding) => {
  const caret = formatProblem(problem(line, '!here')).split('\n')[2]!;
  expect(caret).toBe(`    | ${padding}^`);
});

test('shows a window around the caret in a long line', () => {
  for (const [before, after] of [
    [0, 10_000],
    [10_000, 0],
    [5_000, 5_000],
    [10_000_000, 10],
  ] as const) {
    for (const letter of ['x', '語', '👍']) {
      const text = `${letter.repeat(before)}!${letter.repeat(after)}`;
      const [head, line, caret] = formatProblem(problem(text, '!')).split('\n') as [string, string, string];
      expect(head).toContain(`:1:${text.indexOf('!') + 1} `);
      const left = Array.from(line.slice(0, line.indexOf('!')));
      const width = left.length + left.filter((character) => '語👍'.includes(character)).length;
      expect(caret.length - 1).toBe(width);
      expect(line.length).toBeLessThan(175);
    }
  }
});

test('shows control characters of a hostile file', () => {
  const text = 'a: \u001b[31m\u0007\u202egpj.exe\u0000 !here';
  const report = formatProblem(problem(text, '!here', { message: 'found \u001b]0;x\u0007\r\n', hint: 'a\u009bb\nc' }));
  expect(report).toMatchInlineSnapshot(`
    "profile.yaml:1:20 error ASZ301 found ␛]0;x␇␍␊
      1 | a: ␛[31m␇<U+202E>gpj.exe␀ !here
        |                           ^
      a<U+009B>b
      c"
  `);
  // oxlint-disable-next-line no-control-regex
  expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('uses colours only if requested', () => {
  const plain = formatProblem(problem('a: b', 'b'));
  const colours = formatProblem(problem('a: b', 'b'), { colour: true });
  expect(colours).toContain('\u001b[31merror\u001b[39m');
  // oxlint-disable-next-line no-control-regex
  expect(colours.replace(/\u001b\[\d+m/g, '')).toBe(plain);
});
