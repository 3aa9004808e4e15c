import { describe, expect, it, test } from 'vitest';
import {
  displayWidth,
  graphemes,
  maxWidth,
  truncateEnd,
  truncateMiddle,
  wrap,
  wrapToLines,
} from '../../src/base/wrap.js';

describe('text that is too long', () => {
  it('is shortened in the middle, at the end, or wrapped', () => {
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

test.each([
  ['', 0],
  ['plain', 5],
  ['Größe – 1 × 2 …', 15],
  ['日本語', 6],
  ['ｱ', 1],
  ['ｶﾅ', 2],
  ['｡', 1],
  ['カタカナ', 8],
  ['한국어', 6],
  ['，。', 4],
  ['Ελληνικά', 8],
  ['สวัสดี', 4],
  ['👍', 2],
  ['👨‍👩‍👧', 2],
  ['❤️', 2],
  ['1️⃣', 2],
  ['🇩🇪', 2],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
  ['e\u0301', 1],
  ['soft\u00adhyphen', 11],
  ['\u001b[1mbold\u001b[22m', 4],
  ['\u001b[1m日本\u001b[22m', 4],
])('%j takes %d columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('finds the widest of several texts', () => {
  expect(maxWidth([])).toBe(0);
  expect(maxWidth(Array.from({ length: 200_000 }, (_, i) => String(i)))).toBe(6);
});

test('splits a text into characters', () => {
  expect(graphemes('abc')).toEqual(['a', 'b', 'c']);
  expect(graphemes('e\u0301👨‍👩‍👧日')).toEqual(['e\u0301', '👨‍👩‍👧', '日']);
});
