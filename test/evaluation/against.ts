import { compareProfiles, type Evaluation } from '../../src/evaluate/index.js';

/** Enough for the second digit of a p-value. */
const SAMPLES = 100_000;

/** How much better one method is than another on the same queries, by the first measure: a cell of a table. */
export function against(evaluation: Evaluation, method: string, baseline: string): string {
  if (method === baseline) return '–';
  const profiles = evaluation.profiles.filter(({ profile }) => profile === method || profile === baseline);
  const [first] = compareProfiles({ ...evaluation, profiles }, { baseline, samples: SAMPLES });
  if (!first) throw new Error(`there is no measure, or no method ${method}`);
  const p = Number.isNaN(first.p.permutation) ? 1 : first.p.permutation;
  return `${first.better} better, ${first.worse} worse, p ${p < 0.001 ? '< 0.001' : `= ${p.toPrecision(2)}`}`;
}

/** The mean of a measure over queries, as a table has it. */
export function meanOf({ profiles }: Evaluation, method: string, measure: string): string {
  const mean = profiles.find(({ profile }) => profile === method)?.means.get(measure);
  if (mean === undefined) throw new Error(`there is no ${measure} of ${method}`);
  return mean.toFixed(3);
}
