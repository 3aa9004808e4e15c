import { describe, expect, it } from 'vitest';
import { cut, linesOf, shorten, wrap } from '../../src/document/fit.js';

describe('what is too long', () => {
  it('gives way in the middle, at the end, or to a next line', () => {
    expect(shorten('abcdefghij', 10)).toBe('abcdefghij');
    expect(shorten('abcdefghij', 5)).toBe('ab…ij');
    expect(shorten('日本語日本語', 6)).toBe('日…語');
    expect(cut('abcdefghij', 5)).toBe('abcd…');
    expect(wrap('one two three', 9, '  ')).toBe('  one two\n    three');
    expect(linesOf('a abcdefghij b', 4)).toEqual(['a', 'abcd', 'efgh', 'ij b']);
    expect(linesOf('日本語', 1)).toEqual(['日', '本', '語']);
    expect(linesOf('', 4)).toEqual(['']);
  });
});
