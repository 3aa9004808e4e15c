import { assert, array, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpressionEvaluationError, ExpressionStepsError } from '../../src/expression/scope.js';
import { evaluate, reportOf } from './cel.js';

describe("the functions of CEL's strings extension", () => {
  // The examples of its documentation: github.com/google/cel-go/tree/master/ext#strings
  it.each([
    ['["hello", "mellow"].join()', 'hellomellow'],
    ['["hello", "mellow"].join(" ")', 'hello mellow'],
    ['[].join()', ''],
    ['[].join("/")', ''],
    ['"hello hello".replace("he", "we")', 'wello wello'],
    ['"hello hello".replace("he", "we", -1)', 'wello wello'],
    ['"hello hello".replace("he", "we", 1)', 'wello hello'],
    ['"hello hello".replace("he", "we", 0)', 'hello hello'],
    ['"hello hello".replace("", "_")', '_h_e_l_l_o_ _h_e_l_l_o_'],
    ['"hello hello".replace("h", "")', 'ello ello'],
    ['"hello hello hello".split(" ")', ['hello', 'hello', 'hello']],
    ['"hello hello hello".split(" ", 0)', []],
    ['"hello hello hello".split(" ", 1)', ['hello hello hello']],
    ['"hello hello hello".split(" ", 2)', ['hello', 'hello hello']],
    ['"hello hello hello".split(" ", -1)', ['hello', 'hello', 'hello']],
    ['"tacocat".substring(4)', 'cat'],
    ['"tacocat".substring(0, 4)', 'taco'],
    ['"tacocat".substring(7)', ''],
    ['"tacocat".substring(4, 4)', ''],
    [String.raw`"  \ttrim\n    ".trim()`, 'trim'],
  ])('%s is %j', (source, expected) => {
    expect(evaluate(source)).toStrictEqual(expected);
  });

  it('count code points, as size does', () => {
    const candidate = { text: '😀a😀b' };
    expect(evaluate('candidate.text.substring(1, 3)', candidate)).toBe('a😀');
    expect(evaluate('candidate.text.substring(4)', candidate)).toBe('');
    expect(evaluate('candidate.text.split("")', candidate)).toEqual(['😀', 'a', '😀', 'b']);
    expect(evaluate('candidate.text.split("", 2)', candidate)).toEqual(['😀', 'a😀b']);
    expect(evaluate('candidate.text.replace("", "-", 3)', candidate)).toBe('-😀-a-😀b');
    expect(evaluate('"".split("")')).toEqual([]);
    expect(evaluate('"".split(",")')).toEqual(['']);
    expect(evaluate('"".replace("", "x")')).toBe('x');
  });

  it("trims Unicode's white space: a next line, but not a byte order mark", () => {
    expect(evaluate('candidate.text.trim()', { text: '\u0085\u00A0\u2003x y\u3000\r\n' })).toBe('x y');
    expect(evaluate('candidate.text.trim()', { text: '\uFEFFx\u200B' })).toBe('\uFEFFx\u200B');
    expect(evaluate('candidate.text.trim()', { text: ' \t ' })).toBe('');
  });

  it('is absent if an argument or an element is absent', () => {
    expect(evaluate('candidate.no.trim()')).toBeUndefined();
    expect(evaluate('"a".replace("a", candidate.no)')).toBeUndefined();
    expect(evaluate('candidate.tags.join(",")', { tags: ['a', null] })).toBeUndefined();
  });

  it.each([
    ['candidate.t.substring(-1)', 'substring() needs positions from 0 to 3, the size of its text, found -1'],
    ['candidate.t.substring(4)', 'substring() needs positions from 0 to 3, the size of its text, found 4'],
    ['candidate.t.substring(1, 4)', 'substring() needs positions from 0 to 3, the size of its text, found 4'],
    ['candidate.t.substring(0, -1)', 'substring() needs positions from 0 to 3, the size of its text, found -1'],
    ['candidate.t.substring(2, 1)', 'substring() needs an end that is not before its start, found 2, 1'],
    ['candidate.t.substring(0.5)', 'substring() needs a whole number as its start, found the number 0.5'],
    [
      'candidate.t.substring(0 / candidate.zero)',
      'substring() needs a whole number as its start, found the number NaN',
    ],
    [
      'candidate.t.substring(1 / candidate.zero)',
      'substring() needs a whole number as its start, found the number Infinity',
    ],
    ['candidate.t.split(",", 1.5)', 'split() needs a whole number as its limit, found the number 1.5'],
    ['candidate.t.replace("a", "b", 1.5)', 'replace() needs a whole number as its limit, found the number 1.5'],
    ['candidate.zero.split(",")', 'split() needs a string, found the number 0'],
    ['candidate.xs.join(",")', 'join() needs a list of strings, found the number 1'],
    ['candidate.t.join(",")', 'join() needs a list of strings, found the string "a😀b"'],
    ['trim(candidate.xs)', 'trim() needs a string, found a list'],
  ])('%s fails', (source, message) => {
    const candidate = { t: 'a😀b', zero: 0, xs: ['a', 1] };
    expect(() => evaluate(source, candidate)).toThrow(new ExpressionEvaluationError(message));
  });

  it('is type-checked when the profile is loaded', () => {
    const sources = [
      '(5).split(",")',
      '"a".split()',
      '"a".split(",", "2")',
      '"a".join(",")',
      '"a".replace("b")',
      '"a".trim(" ")',
      '"abc".substring(4)',
      'candidate.t.substr(1)',
      'candidate.t.split(",") > 1',
    ];
    expect(sources.map((source) => reportOf(source)).join('\n')).toMatchInlineSnapshot(`
      "type: split() needs a string, found a number [5]
      type: split() takes 2 or 3 arguments, found 1 ["a".split()]
      type: split() needs a number, found a string ["2"]
      type: join() needs a list, found a string ["a"]
      type: replace() takes 3 or 4 arguments, found 2 ["a".replace("b")]
      type: trim() takes 1 argument, found 2 ["a".trim(" ")]
      type: substring() needs positions from 0 to 3, the size of its text, found 4 ["abc".substring(4)]
      type: unknown function "substr" [substr] — did you mean substring? It takes a start and an end
      type: > needs numbers or strings, found a list [candidate.t.split(",")]"
    `);
  });

  it('splits and joins back, and replaces like splitting and joining', () => {
    const text = string({ unit: constantFrom('a', 'b', '😀', ' ') });
    assert(
      property(text, text, text, (t, separator, other) => {
        const candidate = { t, separator, other };
        expect(evaluate('candidate.t.split(candidate.separator).join(candidate.separator)', candidate)).toBe(t);
        if (separator === '') return;
        expect(evaluate('candidate.t.replace(candidate.separator, candidate.other)', candidate)).toBe(
          t.split(separator).join(other),
        );
      }),
    );
  });

  it('returns the code points between two positions', () => {
    const text = array(constantFrom('a', 'é', '😀', '\uD83D'));
    assert(
      property(text, integer({ min: 0, max: 12 }), integer({ min: 0, max: 12 }), (points, from, to) => {
        const candidate = { t: points.join(''), from, to };
        const found = () => evaluate('candidate.t.substring(candidate.from, candidate.to)', candidate);
        if (from > to || to > points.length) expect(found).toThrow('substring() needs');
        else expect(found()).toBe(points.slice(from, to).join(''));
      }),
    );
  });
});

describe('a growing string counts steps even without a macro', () => {
  const doubled = Array.from({ length: 40 }, () => '.replace("a", "aa")').join('');
  it.each([
    ['replace in replace', `candidate.t${doubled}`],
    ['of constants', `"a"${doubled} == ""`],
    ['join of the pieces of a text by the text', 'candidate.t.split("").join(candidate.t)'],
    ['replace of each letter of a text by the text', 'candidate.t.replace("", candidate.t)'],
  ])('%s', (_, source) => {
    expect(() => evaluate(source, { t: 'a'.repeat(100_000) })).toThrow(ExpressionStepsError);
  });

  it('all functions count steps in a macro', () => {
    const candidate = { t: ' '.repeat(100_000), many: Array.from({ length: 1000 }, (_, n) => n) };
    for (const call of ['split("x")', 'trim()', 'substring(1)']) {
      expect(() => evaluate(`candidate.many.all(n, size(candidate.t.${call}) >= 0)`, candidate)).toThrow(
        ExpressionStepsError,
      );
    }
  });
});
