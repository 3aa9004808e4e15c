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

test('optional.none() abstains', async () => {
  expect(await causes(NONE)).toEqual([]);
});
