import { expect, test } from 'vitest';
import type { Problem } from '../../src/base/problem.js';
import type { InputFormat } from '../../src/data/codecs.js';
import { parseCandidates } from '../../src/data/read-candidates.js';

interface Read {
  readonly rows: readonly object[];
  readonly warnings: readonly string[];
}

/** The warnings about a text: the place, the message and the hint of each. */
async function read(text: string, options: { absent?: string[]; reads?: Set<string> } = {}): Promise<Read> {
  const [rows, warnings]: [object[], string[]] = [[], []];
  const cells = {
    ...options,
    warn: ({ code, message, place, hint }: Problem) => {
      const { file, line, column } = { file: '', line: 0, column: 0, ...place };
      warnings.push(`${file}:${line}:${column} ${code} ${message}; ${hint}`);
    },
  };
  const format: InputFormat = text.includes('\t') ? 'tsv' : 'csv';
  for await (const batch of parseCandidates([Buffer.from(text)], 'rows', format, cells)) rows.push(...batch);
  return { rows, warnings };
}

test('warns about a column of numbers with N/A, at the first of them', async () => {
  const { warnings } = await read('id,price\na,3\n"b\nc","N/A"\nd,4\ne,N/A\nf,?\n');
  expect(warnings).toEqual([
    'rows:4:4 ASZ726 column price has numbers in 2 rows and "N/A", "?" in 3 rows, which are texts; ' +
      "if it means that there is no value: --absent N/A --absent '?'; in TypeScript absent: ['N/A', '?']",
  ]);
});

test.each(['N/A', 'NA', '-', 'null', 'NULL', 'n/a', '#N/A', '?', 'NaN', ' nan ', '--', '\\N', 'None'])(
  '%j means that there is no value',
  async (cell) => {
    const text = `price\n1\n${cell}\n2\n`;
    const { warnings, rows } = await read(text);
    expect(warnings).toHaveLength(1);
    expect(rows).toEqual([{ price: 1 }, { price: cell }, { price: 2 }]);
    expect(await read(text, { absent: [cell.trim()] })).toEqual({
      rows: [{ price: 1 }, {}, { price: 2 }],
      warnings: [],
    });
  },
);

test.each([
  ['a column of texts', 'name\nN/A\nAda\n'],
  ['names of which some are numbers', 'sku\n12\n13A\nN/A\n007\n'],
  ['only absent texts', 'price\nN/A\n-\n'],
  ['empty cells', 'price,id\n1,a\n,b\n'],
])('does not warn about %s', async (_, text) => {
  expect((await read(text)).warnings).toEqual([]);
});

test('true and false count as numbers do, and a few other texts do not matter', async () => {
  expect((await read('ok\ntrue\nn/a\n')).warnings).toHaveLength(1);
  const prices = Array.from({ length: 20 }, (_, k) => k).join('\n');
  expect((await read(`price\n${prices}\n1 €\nN/A\n`)).warnings).toHaveLength(1);
});

test('does not warn about a column that the profile does not read', async () => {
  const text = 'stats.price\tstock\n1\t2\nNA\tNA\n';
  expect((await read(text, { reads: new Set(['stats']) })).warnings).toEqual([
    expect.stringMatching(/^rows:3:1 ASZ726 column stats\.price /),
  ]);
});

test('absent texts are compared exactly, without surrounding blanks, in any column', async () => {
  const { rows } = await read('a,b\nn/a, N/A \n999,-1\n', { absent: ['N/A', '999'] });
  expect(rows).toEqual([{ a: 'n/a' }, { b: -1 }]);
});

test('a row that cannot be read does not hide the warning about the others', async () => {
  const seen: string[] = [];
  const options = { warn: ({ code }: { code: string }) => void seen.push(code) };
  const rows: object[] = [];
  const reading = async (): Promise<void> => {
    for await (const batch of parseCandidates('p,q\n1,2\n1,2,3\nNA,4\n', 'rows', 'csv', options)) rows.push(...batch);
  };
  await expect(reading()).rejects.toThrow('found 3 cells, expected 2');
  expect(seen).toEqual(['ASZ726']);
});

test.each(['json', 'jsonl', 'parquet', 'arrow', 'libsvm', 'trec'] as const)('%s has no such cells', async (format) => {
  const parts = parseCandidates('', 'rows', format, { absent: ['N/A'] });
  await expect(parts.next()).rejects.toMatchObject({ problems: [{ code: 'ASZ533' }] });
});

test.each([
  ['a number and no column that is read', 'c1,50,3\nc2,60,4\n', new Set(['stars'])],
  ['a date', 'c1,2026-01-01\nc2,2026-01-02\n', undefined],
  ['numbers that do not count up', 'c1,50,3\nc2,60,4\n', undefined],
])('warns about a first line that is a row, with %s', async (_, text, reads) => {
  const { warnings } = await read(text, reads && { reads });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    /^rows:1:1 ASZ749 the first line names the columns, and it is probably a row: "c1", .*; add a first line with a name for each column$/,
  );
});

test.each([
  ['names that are texts', 'id,stars\na,1\n', undefined],
  ['years', 'country,2019,2020,2025\nPeru,1,2,3\n', undefined],
  ['numbers of features that are read', 'id,7,3\na,1,2\n', new Set(['7'])],
])('does not warn about a first line with %s', async (_, text, reads) => {
  expect((await read(text, reads && { reads })).warnings).toEqual([]);
});
