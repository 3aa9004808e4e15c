import { describe, expect, test } from 'vitest';
import { readDataset } from '@assize/evaluate';
import { assize } from '../../../../../test/cli/run-here.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const folder = newFolder();
const rows = [
  { query: 'x', id: 'a', old: 1, n: 3 },
  { query: 'x', id: 'b', old: 0, n: 2 },
  { query: 'y', id: 'a', n: 1 },
  { query: 'y', id: '__proto__', n: 4 },
];
const file = folder.write('rows.json', JSON.stringify(rows));
const lines = (...given: readonly object[]) => given.map((one) => `${JSON.stringify(one)}\n`).join('');
const gradesOf = async (options: object) =>
  (await readDataset(file, options)).queries.map(({ id, grades }) => [id, grades] as const);

describe('grades of the studio', () => {
  test('replace those of a label; null removes one; ids that are not candidates are ignored', async () => {
    const grades = folder.write(
      'grades.jsonl',
      lines(
        { query: 'x', id: 'a', grade: null },
        { query: 'x', id: 'b', grade: 3, by: 'Ada' },
        { query: 'y', id: '__proto__', grade: 2 },
        { query: 'y', id: 'gone', grade: 2 },
        { query: 'unknown', id: 'a', grade: 2 },
      ),
    );
    expect(await gradesOf({ group: 'query', label: 'old', grades })).toEqual([
      ['x', [undefined, 3]],
      ['y', [undefined, 2]],
    ]);
    const judgements = folder.write('judgements.csv', 'query,id,grade\nx,a,1\ny,a,1\n');
    expect(await gradesOf({ judgements, grades })).toEqual([
      ['x', [undefined, 3]],
      ['y', [1, 2]],
    ]);
    expect(await gradesOf({ group: 'query', grades })).toEqual([
      ['x', [undefined, 3]],
      ['y', [undefined, 2]],
    ]);
  });

  test('of one list have any query, or none', async () => {
    const one = folder.write('one.json', JSON.stringify(rows.slice(2)));
    for (const query of [{ query: 'all' }, { query: 'mine' }, {}]) {
      const grades = folder.write('one.jsonl', lines({ ...query, id: 'a', grade: 2 }));
      // oxlint-disable-next-line no-await-in-loop -- one file after another
      const { queries, hasQueries } = await readDataset(one, { grades });
      expect([hasQueries, queries[0]!.grades]).toEqual([true, [2, undefined]]);
    }
  });

  test.each([
    [lines({ query: 'x', grade: 1 }), 'expected a text or a number'],
    [lines({ query: 'x', id: 'a', grade: 'good' }), 'expected a number or null'],
    [lines({ query: 'x', id: 'a' }), 'expected a number or null'],
    [lines({ query: 'x', id: 'a', grade: 1 }, { query: 'x', id: 'a', grade: 2 }), 'a is graded twice for query x'],
  ])('%j is rejected with its place', async (content, message) => {
    const grades = folder.write('wrong.jsonl', content);
    await expect(readDataset(file, { group: 'query', grades })).rejects.toThrow(message);
    await expect(readDataset(file, { group: 'query', grades })).rejects.toThrow(/wrong\.jsonl:\d/);
  });

  test('evaluate and tune read them by --grades; pairs exclude them', async () => {
    const profile = folder.write('n.yaml', 'tier2_scorers: [{ id: n, expr: candidate.n }]\n');
    const grades = folder.write('cli.jsonl', lines({ query: 'x', id: 'b', grade: 1 }));
    const options = ['evaluate', profile, '-g', 'query', '--grades', grades, '-m', 'RR', '--format', 'json', file];
    const { out, code } = await assize(options);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ profiles: [{ values: [{ measure: 'RR', mean: 0.5 }] }] });
    const pairs = folder.write('pairs.jsonl', lines({ a: 'a', b: '__proto__', winner: 'a' }));
    const both = await assize(['tune', profile, '--pairs', pairs, '--grades', grades, file]);
    expect(both).toMatchObject({
      code: 1,
      err: expect.stringContaining('pairs are judgements, and grades is also given'),
    });
  });
});
