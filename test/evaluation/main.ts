/**
 * Measures the quality of rankings, on data with labels that no scorer sees.
 *
 *     npm run evaluate [-- NAME] [--models FOLDER]
 *
 * NAME is one of the evaluations; without it, all run. FOLDER holds language models: by default `../shared/models` next
 * to the package if it exists, otherwise they come from the model hub.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/base/package-root.js';
import { contextRanking } from './context-ranking.js';
import { diversity } from './diversity.js';
import type { Evaluation } from './evaluation.js';
import { toolChoice } from './tool-choice.js';
import { toolSearch } from './tool-search.js';
import { truths } from './truths.js';
import { tuned } from './tuned.js';
import { vectorIndex } from './vector-index.js';

const EVALUATIONS: readonly Evaluation[] = [
  contextRanking,
  diversity,
  toolChoice,
  toolSearch,
  truths,
  tuned,
  vectorIndex,
];

const { values, positionals } = parseArgs({ options: { models: { type: 'string' } }, allowPositionals: true });
const beside = join(packageRoot(), '..', 'shared', 'models');
const models = values.models ?? (existsSync(beside) ? beside : undefined);

const [name] = positionals;
const asked = EVALUATIONS.filter((evaluation) => name === undefined || evaluation.name === name);
if (asked.length === 0) {
  console.error(`There is no evaluation ${name}; there are: ${EVALUATIONS.map((one) => one.name).join(', ')}.`);
  process.exitCode = 1;
}
for (const evaluation of asked) {
  console.log(`## ${evaluation.name}\n`);
  // oxlint-disable-next-line no-await-in-loop -- one after another, in the order of the report
  for await (const line of evaluation.run({ models })) console.log(line);
}
