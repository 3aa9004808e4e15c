import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';

type StringWidth = (text: string) => number;

/** Latin letters, and the dashes, quotes, lines and bars of Assize's own texts: each takes one column. */
const NARROW = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2026\u2190-\u2193\u2212\u2500-\u259f]*$/;

let stringWidth: StringWidth | undefined;
let segmenter: Intl.Segmenter | undefined;

/**
 * Loads the package `string-width`, with the first text that is not narrow: loading takes 25 ms. By `require`, because
 * the callers are synchronous.
 */
function loadStringWidth(): StringWidth {
  const require = createRequire(import.meta.url);
  const { default: width }: { readonly default: StringWidth } = require('string-width');
  return width;
}

/**
 * How many columns of a terminal a text takes: East Asian characters and emoji two, combining marks and colours none.
 * Narrow text costs 0.1 µs, any other 1 to 3 µs a character.
 */
export function displayWidth(text: string): number {
  const plain = text.includes('\u001b') ? stripVTControlCharacters(text) : text;
  if (NARROW.test(plain)) return plain.length;
  stringWidth ??= loadStringWidth();
  return stringWidth(plain);
}

/** The width of the widest text, of any number of them. */
export const maxWidth = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);

/** Splits a text into the characters that a reader sees: a letter with its marks, an emoji of several parts. */
export function graphemes(text: string): readonly string[] {
  if (NARROW.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
