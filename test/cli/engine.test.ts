import { mkdirSync, writeFileSync } from 'node:fs';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { assize, inFolder } from './run-here.js';

inFolder({
  'team.yaml': 'tier2_scorers: [{ id: stars, expr: candidate.stars }]\nselect: { top: 3 }\n',
  'empty.jsonl': '',
  'header.csv': 'id,stars\n',
  'result.jsonl': '',
});

const said = async (...args: readonly string[]): Promise<string> => {
  const { code, err } = await assize(args);
  expect(code).toBe(0);
  return err;
};

test.each(['empty.jsonl', 'header.csv'])('every reader warns about a file without candidates: %s', async (file) => {
  const warning = await said('rank', '-p', './team.yaml', file);
  expect(warning).toContain(`warning ASZ717 there are no candidates in ${file}\n`);
  expect(await said('rank', '-p', './team.yaml', file, '--workers', '2')).toContain(warning);
  expect(await said('rank', '-p', './team.yaml', file, '--engine', 'duckdb')).toBe(warning);
});

test('warns about several empty files', async () => {
  mkdirSync('more');
  writeFileSync('more/empty.jsonl', '');
  const both = ['empty.jsonl', 'more/empty.jsonl'];
  const warning = 'warning ASZ717 there are no candidates in 2 files\n';
  expect(await said('rank', '-p', './team.yaml', '--engine', 'duckdb', ...both)).toBe(warning);
});

test('standard error names each part that SQL cannot do, with the reason', async () => {
  writeFileSync(
    'cast.yaml',
    `tier1_scorers: [{ id: gone, expr: candidate.gone }, { id: odd, expr: 'candidate.names.exists(n, n == "x")' }]
tier2_scorers: [{ id: stars, expr: candidate.stars }, { id: named, expr: 'candidate.names.exists(n, n == "a") ? 1 : 0' }]
select: { top: 1 }
`,
  );
  writeFileSync(
    'some.jsonl',
    '{"id":"a","stars":1,"gone":false,"names":["a"]}\n{"id":"b","stars":2,"gone":true,"names":[]}\n',
  );
  expect(await said('rank', '-p', './cast.yaml', '--engine', 'duckdb', 'some.jsonl')).toMatchInlineSnapshot(`
    "the process evaluates veto odd: a macro over a list has no translation
    the process evaluates scorer named: a macro over a list has no translation
    "
  `);
  expect(await said('rank', '-p', './team.yaml', '--engine', 'duckdb', 'some.jsonl')).toBe('');
});

test('one Parquet file is read by column, without SQL, unless scorers are pruned or all rows are retained', async () => {
  const columnData = [
    { name: 'id', data: ['a', 'b'], type: 'STRING' as const },
    { name: 'stars', data: [1, 2], type: 'DOUBLE' as const },
  ];
  writeFileSync('some.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
  const list = `tier2_scorers: [{ id: stars, expr: 'candidate.stars + (["a"].exists(n, n == candidate.id) ? 1 : 0)' }]\n`;
  writeFileSync('list.yaml', `${list}select: { top: 1 }\n`);
  writeFileSync('all.yaml', list);
  const inSql = 'the process scores every row: scorer stars: a macro over a list has no translation\n';
  const byColumn = await assize(['rank', '-p', './list.yaml', '--engine', 'duckdb', 'some.parquet']);
  expect(byColumn).toEqual(await assize(['rank', '-p', './list.yaml', 'some.parquet']));
  expect(byColumn.err).toBe('');
  expect(await said('rank', '-p', './list.yaml', '--engine', 'duckdb', 'some.parquet', 'some.parquet')).toContain(
    inSql,
  );
  expect(await said('rank', '-p', './all.yaml', '--engine', 'duckdb', 'some.parquet')).not.toBe('');
});
