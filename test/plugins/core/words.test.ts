import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { englishTermsOf, type Name, type Term, termsOf } from '../../../plugins/core/words.js';

const name = (whole: string, ...words: readonly string[]): Name => ({ words, whole });
const flat = (terms: readonly Term[]): readonly string[] =>
  terms.flatMap((term) => (typeof term === 'string' ? term : term.words));

describe('the terms of a text', () => {
  it('are its words, in small letters', () => {
    expect(termsOf('List the files, below “tmp”!')).toEqual(['list', 'the', 'files', 'below', 'tmp']);
    expect(termsOf(' … ')).toEqual([]);
  });

  it('are names, taken apart and whole, however they are written', () => {
    const stock = name('getstockprice', 'get', 'stock', 'price');
    expect(termsOf('getStockPrice get_stock_price get-stock-price GetStock_price')).toEqual(Array(4).fill(stock));
    expect(termsOf('HTTPServer2Go')).toEqual([name('httpserver2go', 'http', 'server2', 'go')]);
    expect(termsOf('an E-mail, PDFs')).toEqual(['an', name('email', 'e', 'mail'), 'pdfs']);
    expect(termsOf('ｇｉｔＨｕｂ covid-19')).toEqual([name('github', 'git', 'hub'), name('covid19', 'covid', '19')]);
  });

  it('join nothing else: not numbers, nor what a dash or a space parts', () => {
    expect(termsOf('3-5 2024-05-01 _x_ this - that a--b')).toEqual([
      '3',
      '5',
      '2024',
      '05',
      '01',
      'x',
      'this',
      'that',
      'a',
      'b',
    ]);
  });

  it('are pairs of characters where there are no spaces, and names among them', () => {
    expect(termsOf('使用GitHub搜索读')).toEqual(['使用', name('github', 'git', 'hub'), '搜索', '索读']);
  });

  it('are the same words, in order, whether they are names or not', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('a', 'B', 'ß', '1', '_', '-', '‐', ' ', 'Σ', 'é', '使', 'ー', '\u0301') }),
    );
    fc.assert(
      fc.property(text, (any) => {
        expect(flat(termsOf(any))).toEqual(flat(termsOf(any.replaceAll(/[_\-‐]/g, ' '))));
      }),
    );
  });

  it('are the same name, in whichever style', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{2,6}$/), { minLength: 2, maxLength: 5 });
    const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
    fc.assert(
      fc.property(words, (parts) => {
        const styles = [parts.map(capital).join(''), parts.join('_'), parts.join('-'), parts.join('_').toUpperCase()];
        for (const style of styles) expect(termsOf(style)).toEqual([name(parts.join(''), ...parts)]);
      }),
    );
  });

  it('lose the endings of plurals and possessives in English, names too', () => {
    expect(englishTermsOf("the user's list_files queries")).toEqual([
      'the',
      'user',
      name('listfile', 'list', 'file'),
      'query',
    ]);
  });
});
