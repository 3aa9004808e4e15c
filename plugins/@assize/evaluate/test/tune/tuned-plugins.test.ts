/* A tuned profile names classes itself, so it has the plugins of the profile that it extends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createPipeline } from 'assize';
import { tunedYaml, tuneWeights } from '@assize/evaluate/tune';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';
import { changeFrom } from '../../src/verbs/tuned.js';
import { madeQueries } from './made-queries.js';

const BASE = `
plugins: [agents]
combine: weighted_sum
tier2_scorers:
  - { id: calls, class: RepeatedCallScorer }
  - { id: good, expr: candidate.good }
  - { id: bad, expr: 1 - candidate.bad }
`;

/** Traces that repeat a call more often if they are worse. */
const queries = madeQueries(20).map(({ candidates, ...query }) => ({
  ...query,
  candidates: candidates.map((one) => ({
    ...one,
    steps: Array.from({ length: 6 }, (_, k) => ({
      type: 'tool_call',
      tool: { name: 'search' },
      input: { page: k < 6 * one.bad ? 0 : k },
    })),
  })),
}));

test('loads with the curve of a class of a plugin', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'base.yaml'), BASE);
  const tuning = await tuneWeights(join(folder, 'base.yaml'), queries, { curves: 3, repeats: 1 });
  const yaml = tunedYaml(tuning, { extends: './base.yaml' });
  expect(parse(yaml)).toMatchObject({ extends: ['./base.yaml'], plugins: ['agents'] });
  const pipeline = await createPipeline({ yaml, name: join(folder, 'tuned.yaml') }, { folder });
  expect((await pipeline.rank(queries[0]!.candidates)).ranked).toHaveLength(10);
});

test('has no plugins if it changes only weights', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'base.yaml'), BASE);
  const tuning = await tuneWeights(join(folder, 'base.yaml'), queries, { repeats: 1 });
  expect(parse(tunedYaml(tuning, { extends: './base.yaml' }))).not.toHaveProperty('plugins');
});

test('names the file of a plugin relative to the written file', () => {
  const folder = temporaryFolder();
  const change = { plugins: ['agents', './own.mjs', '@scope/own', '/own.mjs'] };
  expect(changeFrom(change, 'out/tuned.yaml', folder)).toEqual({
    plugins: ['agents', '../own.mjs', '@scope/own', '/own.mjs'],
  });
  expect(changeFrom({}, 'out/tuned.yaml', folder)).toEqual({});
});
