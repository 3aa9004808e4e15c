import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createPipeline } from 'assize';
import { lazyField } from '../../src/ranking/result-rows.js';

const withSum = lazyField<'sum', number>('sum');

test('computes a lazy field when it is read, for every way to read it, and not before', () => {
  let made = 0;
  const row = withSum({ a: 1 }, () => (made += 1));
  expect(Object.keys(row)).toEqual(['a', 'sum']);
  expect(made).toBe(0);
  expect(row.sum).toBe(1);
  expect(JSON.parse(JSON.stringify(row))).toEqual({ a: 1, sum: 2 });
  expect(inspect(row)).toBe('{ a: 1, sum: 3 }');
  expect({ ...row }).toEqual({ a: 1, sum: 4 });
});

test('each object has its own', () => {
  const [one, two] = [withSum({}, () => 1), withSum({}, () => 2)];
  expect([one.sum, two.sum]).toEqual([1, 2]);
});

test('a console shows why a row was refused', async () => {
  const pipeline = await createPipeline({ tier1_scorers: [{ id: 'closed', expr: 'candidate.closed' }] });
  const { refused } = pipeline.rankSync([{ closed: true }]);
  expect(inspect(refused)).toContain("reason: 'candidate.closed'");
});
