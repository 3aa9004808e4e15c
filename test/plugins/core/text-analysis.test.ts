import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, analyzeEnglish, type CompoundTerm, type Term } from '../../../plugins/core/text-analysis.js';

const name = (whole: string, ...words: readonly string[]): CompoundTerm => ({ words, whole });
const flat = (terms: readonly Term[]): readonly string[] =>
  terms.flatMap((term) => (typeof term === 'string' ? term : term.words));

describe('the terms of a text', () => {
  it('are its words, in lower case', () => {
    expect(analyze('List the files, below “tmp”!')).toEqual(['list', 'the', 'files', 'below', 'tmp']);
    expect(analyze(' … ')).toEqual([]);
  });

  it('are names, split and whole, in any notation', () => {
    const stock = name('getstockprice', 'get', 'stock', 'price');
    expect(analyze('getStockPrice get_stock_price get-stock-price GetStock_price')).toEqual(Array(4).fill(stock));
    expect(analyze('HTTPServer2Go')).toEqual([name('httpserver2go', 'http', 'server2', 'go')]);
    expect(analyze('an E-mail, PDFs')).toEqual(['an', name('email', 'e', 'mail'), 'pdfs']);
    expect(analyze('ｇｉｔＨｕｂ covid-19')).toEqual([name('github', 'git', 'hub'), name('covid19', 'covid', '19')]);
  });

  it('join nothing else: neither numbers, nor words separated by a dash or a space', () => {
    expect(analyze('3-5 2024-05-01 _x_ this - that a--b')).toEqual([
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

  it('are pairs of characters in scripts without spaces, including names', () => {
    expect(analyze('使用GitHub搜索读')).toEqual(['使用', name('github', 'git', 'hub'), '搜索', '索读']);
  });

  it('are the same words, in order, for names and other text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('a', 'B', 'ß', '1', '_', '-', '‐', ' ', 'Σ', 'é', '使', 'ー', '\u0301') }),
    );
    fc.assert(
      fc.property(text, (any) => {
        expect(flat(analyze(any))).toEqual(flat(analyze(any.replaceAll(/[_\-‐]/g, ' '))));
      }),
    );
  });

  it('are the same name, in any style', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{2,6}$/), { minLength: 2, maxLength: 5 });
    const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
    fc.assert(
      fc.property(words, (parts) => {
        const styles = [parts.map(capital).join(''), parts.join('_'), parts.join('-'), parts.join('_').toUpperCase()];
        for (const style of styles) expect(analyze(style)).toEqual([name(parts.join(''), ...parts)]);
      }),
    );
  });

  it('lose the endings of plurals and possessives in English, also in names', () => {
    expect(analyzeEnglish("the user's list_files queries")).toEqual([
      'the',
      'user',
      name('listfile', 'list', 'file'),
      'query',
    ]);
  });
});
