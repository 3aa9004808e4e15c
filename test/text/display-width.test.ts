import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { approximateWidth, displayWidth, graphemes, maxWidth } from '../../src/text/wrap.js';
import { usePackageStringWidth } from '../../src/text/node.js';

usePackageStringWidth();

test.each([
  ['', 0],
  ['plain', 5],
  ['Größe – 1 × 2 …', 15],
  ['日本語', 6],
  ['ｱ', 1],
  ['👍', 2],
  ['👨‍👩‍👧', 2],
  ['e\u0301', 1],
  ['soft\u00adhyphen', 10],
  ['\u001b[1mbold\u001b[22m', 4],
  ['\u001b[1m日本\u001b[22m', 4],
])('%j takes %d columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('is that of string-width for all characters up to U+25FF but controls', () => {
  for (let code = 0x20; code < 0x2600; code++) {
    const character = String.fromCodePoint(code);
    expect(displayWidth(character), `U+${code.toString(16)}`).toBe(stringWidth(character));
  }
});

test('without the package, the usual scripts and emoji have their width', () => {
  for (const text of [
    '日本語',
    'ひらがな',
    'カタカナ',
    '한국어',
    '，。',
    '👍',
    '👨‍👩‍👧',
    'e\u0301',
    'Ελληνικά',
    'русский',
  ])
    expect(approximateWidth(text), text).toBe(stringWidth(text));
});

test('the widest of many', () => {
  expect(maxWidth([])).toBe(0);
  expect(maxWidth(Array.from({ length: 200_000 }, (_, i) => String(i)))).toBe(6);
});

test('the characters of a text', () => {
  expect(graphemes('abc')).toEqual(['a', 'b', 'c']);
  expect(graphemes('e\u0301👨‍👩‍👧日')).toEqual(['e\u0301', '👨‍👩‍👧', '日']);
});
