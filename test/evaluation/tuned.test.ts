import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { auc } from '../../plugins/@assize/evaluate/src/measures/labelled-measures.js';
import { sketchOf, sketchText } from '../../plugins/@assize/evaluate/src/dataset/leaks.js';
import { createPipeline } from 'assize';
import { tunedYaml, tuneWeights } from '@assize/evaluate/tune';
import { hasData, profileOf, readFilms, readTraces } from './tuned-data.js';

describe('the tuned profiles', () => {
  test('of the films match the result of tuning, with its evidence', async () => {
    const found = await tuneWeights(profileOf('films/measures.yaml'), await readFilms(), {
      measure: 'nDCG@5',
      curves: 5,
    });
    const written = readFileSync(profileOf('films/tuned.yaml'), 'utf8');
    expect(tunedYaml(found, { extends: './measures.yaml', version: '0.1.0', data: 'films.csv' })).toBe(written);
    expect(found.shown).toBe(true);
  });

  test.skipIf(!hasData('traces'))('of the traces have a sketch of their data (skipped without ../shared)', async () => {
    const written = readFileSync(profileOf('traces/tuned.yaml'), 'utf8');
    const sketch = sketchText(sketchOf({ queries: await readTraces(), hasQueries: false }));
    expect(written).toContain(`# ${sketch}\n`);
  });

  test.each(['films/measures.yaml', 'films/tuned.yaml', 'traces/weights.yaml', 'traces/tuned.yaml'])(
    '%s is valid',
    async (path) => {
      const { warnings } = await createPipeline(profileOf(path));
      expect(warnings.map(({ code }) => code).filter((code) => code !== 'ASZ704')).toEqual([]); // the seed's sum to 0.75
    },
  );

  test.skipIf(!hasData('traces'))('of the traces rank successful ones first (skipped without ../shared)', async () => {
    const [all] = await readTraces();
    const areas = [];
    for (const path of ['traces/weights.yaml', 'traces/tuned.yaml']) {
      // oxlint-disable-next-line no-await-in-loop -- one profile after the other
      const { matrix } = await (await createPipeline(profileOf(path))).rank(all!.candidates);
      const positive = Array.from(matrix.index, (index) => all!.grades[index] === 1);
      areas.push(auc({ scores: [...matrix.totals], positive }));
    }
    expect(areas[0]).toBeCloseTo(0.518, 3);
    expect(areas[1]).toBeCloseTo(0.826, 2);
  });
});
