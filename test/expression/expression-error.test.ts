import { describe, expect, it } from 'vitest';
import { problemsOf, reportOf } from './cel.js';

describe('common mistakes', () => {
  const MISTAKES = [
    'stars > 3',
    'Candidate.stars',
    'candidate.a = 2',
    'candidate.a === 2',
    'candidate.a and true',
    'candidate.a ?? 2',
    '1 + candidate["x y"].b ?? "none"',
    'max(candidate.xs[0].y ?? 0, 1)',
    'candidate.a ?? candidate.b + 1',
    'candidate.f("x") ?? 2',
    '?? 2',
    `candidate.${'a'.repeat(60)} ?? 2`,
    'candidate.a ?.b',
    'if (candidate.a) 1',
    '(1 + 2',
    'candidate.',
    'candidate.in',
    '"abc',
    '1 +',
    '',
    'measures.toolz',
    'measures',
    'measures[candidate.k]',
    'candidate.t.matches("x")',
    'sizee(candidate.t)',
    'candidate.xs.length()',
    'exists(candidate.xs, x, x)',
    'candidate.xs.exists(x)',
    'has(1 + 2)',
    'clamp(1, 2)',
    '"a" * 2',
    '!5',
    '1 + true',
    '"a" + 1',
    'size(3)',
    '"x" ? 1 : 2',
    '1 < 2 < 3',
    '1 < "a"',
    '"a" in "abc"',
    'candidate.xs[-1]',
    'duration("7x")',
    'timestamp("yesterday")',
    'b"x"',
    'toolz + starz > size(3)',
  ];

  it('are reported with their place and a hint', () => {
    const report = MISTAKES.map((source) => `${source}\n${reportOf(source).replaceAll(/^/gm, '  ')}`).join('\n');
    expect(report).toMatchInlineSnapshot(`
      "stars > 3
        type: unknown name "stars" in a rule [stars] — a field of the candidate is candidate.stars
      Candidate.stars
        type: unknown name "Candidate" in a rule [Candidate] — did you mean candidate?
      candidate.a = 2
        syntax: unexpected "=" [=] — equality is ==
      candidate.a === 2
        syntax: unexpected "===" [===] — equality is ==
      candidate.a and true
        syntax: unexpected "and" [and] — write &&
      candidate.a ?? 2
        syntax: unexpected "??" [??] — write candidate.a.orValue(2)
      1 + candidate["x y"].b ?? "none"
        syntax: unexpected "??" [??] — write candidate["x y"].b.orValue("none")
      max(candidate.xs[0].y ?? 0, 1)
        syntax: unexpected "??" [??] — write candidate.xs[0].y.orValue(0)
      candidate.a ?? candidate.b + 1
        syntax: unexpected "??" [??] — write x.orValue(y)
      candidate.f("x") ?? 2
        syntax: unexpected "??" [??] — write x.orValue(y)
      ?? 2
        syntax: unexpected "??" [??] — write x.orValue(y)
      candidate.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ?? 2
        syntax: unexpected "??" [??] — write x.orValue(y)
      candidate.a ?.b
        syntax: unexpected "?." [?.] — write .?
      if (candidate.a) 1
        syntax: "if" is a reserved word [if] — write condition ? one : other
      (1 + 2
        syntax: expected ")", found the end [2]
      candidate.
        syntax: expected a name, found the end [.]
      candidate.in
        syntax: expected a name, found "in" [in] — write ["in"] for a field of that name
      "abc
        syntax: unterminated string ["abc]
      1 +
        syntax: the expression ends where a value is expected [+]

        syntax: the expression is empty []
      measures.toolz
        type: unknown field "toolz" of measures [toolz] — did you mean tools?
      measures
        type: measures cannot be read as a whole [measures] — there are measures.tools, measures.size
      measures[candidate.k]
        type: the field of measures must be a literal [candidate.k] — there are measures.tools, measures.size
      candidate.t.matches("x")
        type: unknown function "matches" [matches] — a regular expression can take exponential time: use contains, startsWith, endsWith or ==
      sizee(candidate.t)
        type: unknown function "sizee" [sizee] — did you mean size?
      candidate.xs.length()
        type: unknown function "length" [length] — did you mean size?
      exists(candidate.xs, x, x)
        type: exists must be called on a value [exists] — write x.exists(…)
      candidate.xs.exists(x)
        type: exists() has the wrong arguments [candidate.xs.exists(x)] — write xs.exists(x, test)
      has(1 + 2)
        type: has() takes one field [has(1 + 2)] — write has(candidate.field)
      clamp(1, 2)
        type: clamp() takes 3 arguments, found 2 [clamp(1, 2)]
      "a" * 2
        type: * needs a number, found a string ["a"]
      !5
        type: ! needs a bool, found a number [5]
      1 + true
        type: + needs numbers, strings or lists, found a bool [true]
      "a" + 1
        type: + needs operands of the same type, found a string and a number [1] — string(x) converts a number
      size(3)
        type: size() needs a string or a list or a map, found a number [3]
      "x" ? 1 : 2
        type: ? : needs a bool, found a string ["x"]
      1 < 2 < 3
        type: < needs numbers or strings, found a bool [1 < 2] — join two comparisons with &&
      1 < "a"
        type: < needs operands of the same type, found a number and a string [1 < "a"]
      "a" in "abc"
        type: in needs a list or a map on its right, found a string ["abc"] — for a part of a string write text.contains(part)
      candidate.xs[-1]
        type: elements are counted from 0, found -1 [-1] — for the last element write xs[size(xs) - 1]
      duration("7x")
        type: duration(): expected a duration (500ms, 5s, 30m, 24h, 7d, 2w, 1y, or milliseconds), found the string "7x" [duration("7x")]
      timestamp("yesterday")
        type: timestamp(): expected a time (milliseconds since 1970, ISO 8601 such as 2026-01-31T12:00:00Z, a Date), found the string "yesterday" [timestamp("yesterday")]
      b"x"
        type: bytes are not supported [b"x"] — write a string, without the b
      toolz + starz > size(3)
        type: unknown name "toolz" in a rule [toolz] — a field of the candidate is candidate.toolz
        type: unknown name "starz" in a rule [starz] — a field of the candidate is candidate.starz
        type: size() needs a string or a list or a map, found a number [3]"
    `);
  });

  it('report the expected type', () => {
    expect(reportOf('1 + 2', 'bool')).toMatchInlineSnapshot(`"type: a rule needs a bool, found a number [1 + 2]"`);
    expect(reportOf('candidate.a > 2', 'number')).toMatchInlineSnapshot(
      `"type: a rule needs a number, found a bool [candidate.a > 2] — to convert a condition to a number, write condition ? 1 : 0"`,
    );
  });

  it('point into the source', () => {
    expect(problemsOf('1 + measures.toolz')).toMatchObject([{ offset: 13, length: 5 }]);
    expect(problemsOf('true && (candidate.a).matchez("x")')).toMatchObject([{ offset: 22, length: 7 }]);
  });
});

describe('limits', () => {
  it.each([
    ['parentheses', '('.repeat(500) + 1 + ')'.repeat(500)],
    ['negations', `${'!'.repeat(4000)}true`],
    ['many negations', `${'!'.repeat(9000)}true`],
    ['comparisons', `1${'>1'.repeat(2000)}`],
    ['conditions', 'true?'.repeat(500)],
    ['fields', `candidate${'.a'.repeat(500)}`],
    ['characters', 'a'.repeat(100_000)],
    ['elements', `[${'1,'.repeat(1500)}1]`],
    ['arguments', `min(${'1,'.repeat(50)}1)`],
    ['nodes', `1${'+1'.repeat(4000)}`],
  ])('rejects too many %s', (_, source) => {
    const [problem, ...more] = problemsOf(source);
    expect(more).toStrictEqual([]);
    expect(problem?.message).toMatch(/too (deeply|long|many)|the maximum is/);
    expect(problem?.offset).toBeLessThan(source.length);
    expect(problem?.length).toBeGreaterThan(0);
  });

  it('accepts long expressions', () => {
    expect(problemsOf(`candidate.a${' - candidate.a'.repeat(600)} > 1`)).toStrictEqual([]);
  });
});
