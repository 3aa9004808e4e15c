import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ProgressStep } from '../../../src/sdk/trace.js';
import type { ProfileInput } from 'assize';
import { duckDbEngine, type PostgresClient, postgresEngine, rankWith, type SqlEngine, translate } from 'assize/sql';
import { closing } from './digest.js';
import { temporaryFolder } from '../../temporary-folder.js';

const folder = temporaryFolder('assize-failures-');
const file = join(folder, 'films.jsonl');
beforeAll(() => writeFileSync(file, '{"a":1}\n{"a":"many"}\n{"a":2}\n'));

test.each([
  [{ threads: 0 }, 'the option threads of duckDbEngine is the number 0; expected a whole number of at least 1'],
  [{ threads: 1.5 }, 'the option threads of duckDbEngine is the number 1.5; expected a whole number of at least 1'],
  [{ memory: 'lots' }, 'the option memory of duckDbEngine is the string "lots", which DuckDB does not accept'],
  [{ thread: 2 }, 'duckDbEngine has no option thread'],
])('rejects an invalid option of DuckDB: %j', async (options, message) => {
  await expect(duckDbEngine([file], options as { threads: number })).rejects.toThrow(message);
});

test('an engine may be closed twice', async () => {
  const engine = await duckDbEngine([file], { threads: 1, memory: '512MB' });
  await engine.close();
  await expect(engine.close()).resolves.toBeUndefined();
});

test('does not trust the result of a statement if the file changes in the meantime', async () => {
  const changing = join(folder, 'changing.jsonl');
  const write = (...numbers: readonly number[]): void =>
    writeFileSync(changing, numbers.map((a) => `{"a":${a}}\n`).join(''));
  write(1, 2, 3);
  const engine = await duckDbEngine([changing], { threads: 1 });
  // Its first step comes before the statement, and reading has others.
  const progress = ({ unit }: ProgressStep): void => {
    if (unit === 'percent') write(9, 2, 3, 4);
  };
  const profile: ProfileInput = { tier2_scorers: [{ id: 'a', expr: 'candidate.a' }], select: { top: 1 } };
  const { selected, notices } = await closing(engine, rankWith(profile, engine, {}, { progress }));
  expect(selected.map(({ index, score }) => [index, score])).toEqual([[0, 9]]);
  const why = `the statement failed in duckdb: ${changing} changed while it was read`;
  expect(notices).toEqual([`the process scores every row, since ${why}`]);
});

test('if SQL decides nothing, a failing run reads the rows once', async () => {
  const engine = await duckDbEngine([file], { threads: 1 });
  let readings = 0;
  const counted: SqlEngine = {
    ...engine,
    candidates(...given) {
      readings += 1;
      return engine.candidates(...given);
    },
  };
  const profile: ProfileInput = {
    tier2_scorers: [{ id: 'a', expr: '[candidate.a].map(x, x + 1)[0]', on_error: 'fail' }],
    select: { top: 1 },
  };
  await expect(closing(engine, rankWith(profile, counted))).rejects.toThrow('many');
  expect(readings).toBe(1);
});

const TABLE = { table: 'films', orderBy: 'id', columns: 'id bigint, a double' };
const BY_A: ProfileInput = { tier2_scorers: [{ id: 'a', expr: 'candidate.a' }], select: { top: 1 } };

test.each<[string, unknown, string]>([
  ['mysql', TABLE, 'translate has no dialect mysql'],
  ['postgre', TABLE, 'did you mean postgres?'],
  ['constructor', TABLE, 'translate has no dialect constructor'],
  ['spark', { ...TABLE, tabel: 'x' }, 'translate has no option tabel'],
  ['spark', { ...TABLE, columns: ['id'] }, 'the option columns of translate is a list; expected a string'],
  ['spark', { ...TABLE, promising: 0 }, 'the option promising of translate is the number 0'],
  ['spark', { ...TABLE, top: -1 }, 'the option top of translate'],
  ['spark', { table: 'films', columns: 'id bigint' }, 'translate needs orderBy'],
  ['spark', {}, 'translate needs table, orderBy, columns'],
  ['spark', 'films', 'the options of translate are the string "films"'],
  ['spark', undefined, 'the options of translate are nothing; expected an object'],
])('rejects an invalid option of translate: %s %j', async (dialect, options, message) => {
  const call = translate(BY_A, dialect as 'spark', options as typeof TABLE);
  await expect(call).rejects.toMatchObject({ problems: [{ code: 'ASZ533' }] });
  await expect(call).rejects.toThrow(message);
});

test('rejects an option of postgresEngine before it connects to the server', async () => {
  const client: PostgresClient = { query: () => expect.unreachable() };
  const open = (table: object) => postgresEngine(client, table as { table: string; orderBy: string });
  await expect(open({ table: 'films' })).rejects.toThrow('postgresEngine needs orderBy');
  await expect(open({ table: 'films', orderby: 'id' })).rejects.toThrow('did you mean orderBy?');
});
