import { expect, test } from 'vitest';
import { rankFile } from 'assize';
import { assize, inFolder } from './run-here.js';

const CSV = 'id,query,price,stock,label\na,q,3,1,1\nb,q,N/A,n/a,0\nc,q,4,2,1\nd,q,9,N/A,0\n';

inFolder({
  'by-price.yaml': 'tier2_scorers: [{ id: cheap, expr: 1 - candidate.price / 10 }]',
  'top.yaml': 'tier2_scorers: [{ id: cheap, expr: 1 - candidate.price / 10 }]\nselect: { top: 2 }',
  'rows.csv': CSV,
  'rows.jsonl': '{"id":"a","price":3}\n',
  'cases.yaml': 'expectations: [{ candidates: all, first: a }]',
  'grades.jsonl': '{"query":"q","id":"a","grade":1}\n{"query":"q","id":"d","grade":0}\n',
});

const VERBS: readonly (readonly string[])[] = [
  ['rank', '-p', './by-price.yaml', 'rows.csv'],
  ['rank', '-p', './by-price.yaml', 'rows.csv', '-f', 'json'],
  ['rank', '-p', './top.yaml', 'rows.csv'],
  ['rank', '-p', './top.yaml', 'rows.csv', '-w', '2'],
  ['score', '-p', './by-price.yaml', 'rows.csv'],
  ['score', '-p', './by-price.yaml', 'rows.csv', '-f', 'jsonl', '-w', '2'],
  ['explain', '-p', './by-price.yaml', 'a', 'rows.csv'],
  ['compare', '-p', './by-price.yaml', 'a', 'c', 'rows.csv'],
  ['evaluate', './by-price.yaml', '-l', 'label', '-g', 'query', 'rows.csv', '--samples', '10'],
  ['evaluate', './by-price.yaml', '-j', 'grades.jsonl', 'rows.csv', '--samples', '10'],
  ['diff', './by-price.yaml', './top.yaml', 'rows.csv'],
];

test.each(VERBS)('%s %s %s %s %s %s warns about N/A, and --absent makes it absent', async (...args) => {
  const { err } = await assize(args);
  expect(err.replaceAll(/\s+/g, ' ')).toMatch(/rows\.csv:3:5.* column price has numbers in 3 rows and "N\/A" in 1 row/);
  expect(err).toContain('--absent N/A');
  const all = await assize([...args, '--absent', 'N/A', '--absent', 'n/a']);
  expect(all.code).toBe(0);
  expect(all.err).not.toMatch(/ASZ726|needs numbers/);
});

test('does not warn about a column that the profile does not read', async () => {
  expect((await assize(VERBS[0]!)).err).not.toContain('stock');
});

test('rejects --absent for formats without such cells', async () => {
  const { code, err } = await assize(['rank', '-p', './top.yaml', 'rows.jsonl', '--absent', 'N/A', '-w', '2']);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      'ASZ533 absent is "N/A", which is for cells of CSV and TSV, and rows.jsonl is JSON Lines',
    ),
  });
  const engine = await assize(['rank', '-p', './top.yaml', 'rows.csv', '--absent', 'N/A', '--engine', 'duckdb']);
  expect(engine.err).toContain('--absent cannot be combined with --engine');
});

test('rankFile accepts absent, and has the warning in its ranking', async () => {
  for (const profile of ['./by-price.yaml', './top.yaml']) {
    const found = await rankFile(profile, 'rows.csv');
    expect(found.warnings[0]).toMatchObject({ code: 'ASZ726', place: { file: 'rows.csv', line: 3, column: 5 } });
    const ranking = await rankFile(profile, 'rows.csv', {}, { absent: ['N/A'] });
    expect(ranking.warnings.map(({ code }) => code)).not.toContain('ASZ726');
    expect(ranking.degraded).toEqual([]);
  }
  await expect(rankFile('./top.yaml', 'rows.jsonl', {}, { absent: ['N/A'] })).rejects.toThrow(
    'rows.jsonl is JSON Lines',
  );
});
