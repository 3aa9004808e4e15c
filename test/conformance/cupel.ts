import { join } from 'node:path';
import { oracle } from './cupel-oracle.js';
import { pipelines } from './cupel-pipelines.js';
import { placing, slicing } from './cupel-selection.js';
import { pipelineScores, scoring } from './cupel-vectors.js';
import type { Check, Family } from './family.js';
import { sum, type Tally } from './tally.js';

const check = (file: string, run: (path: string) => Promise<Tally>): Check => ({
  file,
  run: (folder) => run(join(folder, file)),
});

/** The scores of context items, as Cupel computes them. */
export const cupel: Family = {
  name: 'cupel',
  checks: [
    check('vectors/cupel/required/scoring', scoring),
    check('vectors/cupel/optional/scoring', scoring),
    check('vectors/cupel/required/slicing', slicing),
    check('vectors/cupel/optional/slicing', slicing),
    check('vectors/cupel/required/placing', placing),
    check('vectors/cupel/optional/placing', placing),
    check('vectors/cupel/required/pipeline', async (path) => sum(await pipelineScores(path), await pipelines(path))),
    check('vectors/cupel/optional/pipeline', pipelines),
    check('vectors/cupel-oracle.jsonl', oracle),
  ],
};
