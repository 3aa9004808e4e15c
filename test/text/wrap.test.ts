import { describe, expect, it } from 'vitest';
import { truncateEnd, truncateMiddle, wrap, wrapToLines } from '../../src/text/wrap.js';

describe('what is too long', () => {
  it('gives way in the middle, at the end, or to a next line', () => {
    expect(truncateMiddle('abcdefghij', 10)).toBe('abcdefghij');
    expect(truncateMiddle('abcdefghij', 5)).toBe('ab…ij');
    expect(truncateMiddle('日本語日本語', 6)).toBe('日…語');
    expect(truncateEnd('abcdefghij', 5)).toBe('abcd…');
    expect(wrap('one two three', 9, '  ')).toBe('  one two\n    three');
    expect(wrapToLines('a abcdefghij b', 4)).toEqual(['a', 'abcd', 'efgh', 'ij b']);
    expect(wrapToLines('日本語', 1)).toEqual(['日', '本', '語']);
    expect(wrapToLines('', 4)).toEqual(['']);
  });
});
