import { expect, test } from 'vitest';
import { layoutTable, lastColumn, type TableColumn, tableText } from '../../src/base/table.js';

const paint = (style: string, text: string): string => (style === 'strong' ? `<${text}>` : text);

const ids: TableColumn = { head: 'id', align: 'left', cells: ['a', '日本', '\u001b[1mbold\u001b[22m'] };
const scores: TableColumn = { head: 'score', align: 'right', cells: ['1', '20', '3.5'] };

test('draws a line under the header, and truncates the last column to the width', () => {
  const why = lastColumn('why', ['short', 'a text that is far too long for the room', ''], [ids, scores], 20);
  expect(tableText([ids, scores, why], paint)).toBe(
    [
      'id    score  why',
      '─────────────────────────────────────',
      'a         1  short',
      '日本     20  a text that is far too …',
      '\u001b[1mbold\u001b[22m    3.5',
      '',
    ].join('\n'),
  );
});

const rows = [
  { cells: ['stars', '10.25'], why: ['850 stars, which is more than most repositories have', 'read from stars'] },
  { cells: ['a-name-that-is-longer-than-24-columns', '3'], why: [] },
  { cells: ['age', ''], why: ['abstained'] },
];

test('aligns numbers at the decimal point, with notes next to them', () => {
  expect(layoutTable(rows, ['left', 'point'], ['scorer', 'raw', 'why'], { columns: 70, paint })).toEqual([
    '  scorer                      raw  why',
    '  stars                     10.25  850 stars, which is more than most',
    '                                   repositories have',
    '                                   read from stars',
    '  a-name-that-…-24-columns   3',
    '  age                              abstained',
  ]);
});

test('puts notes below if the table is narrow', () => {
  expect(layoutTable(rows.slice(0, 1), ['left', 'point'], undefined, { columns: 30, paint })).toEqual([
    '  stars  10.25',
    '    850 stars, which is more',
    '    than most repositories',
    '    have',
    '    read from stars',
  ]);
});
