/* null is not a number. An expression abstains with optional.none(), and the message says so. */
import { expect, test } from 'vitest';
import { createPipeline } from 'assize';

const NULL = 'candidate.x >= 0 ? candidate.x : null';
const NONE = 'candidate.x >= 0 ? optional.of(candidate.x) : optional.none()';
const rows = [
  { id: 'a', x: 1 },
  { id: 'b', x: -1 },
];

const causes = async (expr: string): Promise<readonly (readonly string[])[]> => {
  const pipeline = await createPipeline<object>({
    measures: [{ id: 'm', expr }],
    tier2_scorers: [
      { id: 's', expr },
      { id: 'same', expr: '1' },
    ],
  });
  return (await pipeline.rank(rows)).degraded.map(({ entry, cause }) => [entry, cause]);
};

test('a null says how to abstain', async () => {
  expect(await causes(NULL)).toEqual([
    ['m', 'it returned null; to abstain, an expression returns optional.none()'],
    ['s', 'expected a finite number as the score, found null; to abstain, an expression returns optional.none()'],
  ]);
});

test('a null of a nested expression fails its scorer, and does not abstain', async () => {
  const inside = (expr: string) => ({ class: 'CompositeScorer', params: { scorers: [{ expr }, { expr: '1' }] } });
  const ranked = async (entry: object, codegen: boolean) => {
    const pipeline = await createPipeline<object>({ tier2_scorers: [{ id: 's', ...entry }] }, { codegen });
    return (await pipeline.rank(rows)).refused.map(({ id, kind, reason }) => [id, kind, reason]);
  };
  const nested = { class: 'CompositeScorer', params: { scorers: [inside(NULL), { expr: '1' }] } };
  for (const [entry, codegen] of [
    [inside(NULL), true],
    [inside(NULL), false],
    [nested, true],
  ] as const) {
    const message = `expected a number from ${NULL}, or undefined to abstain; found null; to abstain, an expression returns optional.none()`;
    expect(await ranked(entry, codegen)).toEqual([['b', 'error', message]]); // oxlint-disable-line no-await-in-loop -- three
  }
  expect(await ranked(inside(NONE), true)).toEqual([]);
});

test('optional.none() abstains', async () => {
  expect(await causes(NONE)).toEqual([]);
});
