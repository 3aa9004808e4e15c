import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureRun, parseMeasure, readQrels, readRun } from '@assize/evaluate';
import { packageRoot } from '../../src/base/package-root.js';
import type { Family } from './family.js';
import { readRows } from './read.js';
import { compare, sum, type Tally } from './tally.js';

/** A measure, and its values in ir_measures by query. */
interface Measured {
  readonly measure: string;
  readonly relevantFrom: number;
  readonly values: Readonly<Record<string, number>>;
}

const FOLDER = 'test/fixtures/ir-measures';
const FILE = `${FOLDER}/expected.jsonl`;

/** gdeval prints five decimals. The others compute with doubles. */
const GDEVAL = /^(ERR|nDCGexp)/;
const toleranceOf = (measure: string): number => (GDEVAL.test(measure) ? 0.000_005_01 : 1e-9);

/** Compares each measure of each query. */
export async function irMeasuresTally(): Promise<Tally> {
  const read = (name: string): Promise<string> => readFile(join(packageRoot(), FOLDER, name), 'utf8');
  const qrels = readQrels(await read('qrels.txt'), 'qrels.txt');
  const run = readRun(await read('run.txt'), 'run.txt');
  const [, ...measures] = await readRows<Measured>(join(packageRoot(), FILE));
  return sum(
    ...measures.map(({ measure: text, relevantFrom, values }) => {
      const measure = parseMeasure(text, relevantFrom);
      const measured = measureRun(run, qrels, [measure]);
      const ours = new Map(measured.queries.map((query, at) => [query, measured.values[measure.name]![at]]));
      const expected = Object.entries(values).map(([query, score]) => ({ name: `${text} of ${query}`, score }));
      return compare(
        expected,
        Object.keys(values).map((query) => ours.get(query)),
        toleranceOf(text),
      );
    }),
  );
}

/** Measures of rankings, as ir_measures computes them. The cases are in this package. */
export const irMeasures: Family = {
  name: 'ir_measures',
  checks: [{ file: FILE, own: true, run: irMeasuresTally }],
};
