import { join } from 'node:path';
import { oracle } from './cupel-oracle.js';
import { pipelineScores, scoring } from './cupel-vectors.js';
import type { Check, Family } from './family.js';
import type { Tally } from './tally.js';

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
    check('vectors/cupel/required/pipeline', pipelineScores),
    check('vectors/cupel-oracle.jsonl', oracle),
  ],
};
