// @ts-check
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createPipeline } from 'assize';

const pipeline = await createPipeline('./name-project.yaml');
const ranking = await pipeline.rank(JSON.parse(await readFile('candidates.json', 'utf8')));

test('the best hotels are selected, best first', () => {
  const ids = ranking.selected.map(({ id }) => id);
  assert.deepEqual(ids, ['new-inn', 'central', 'harbour', 'hostel', 'lakeside']);
});

test('a closed hotel is refused', () => {
  const refused = ranking.refused.map(({ id, by }) => ({ id, by }));
  assert.deepEqual(refused, [{ id: 'castle', by: 'closed' }]);
});
