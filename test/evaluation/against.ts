import { compareProfiles, type Evaluation } from '@assize/evaluate';

/** Enough for the second digit of a p-value. */
const SAMPLES = 100_000;

/**
 * The advantage of one method over another on the same queries, by the first measure: a cell of a table. The p-value is
 * adjusted for all methods that are compared with the same baseline (Holm).
 */
export function against(evaluation: Evaluation, method: string, baseline: string): string {
  if (method === baseline) return '–';
  const [measure] = evaluation.measures;
  const compared = compareProfiles(
    { ...evaluation, measures: measure === undefined ? [] : [measure] },
    { baseline, samples: SAMPLES },
  );
  const found = compared.find(({ profile }) => profile === method);
  if (!found) throw new Error(`there is no measure, or no method ${method}`);
  const { better, worse, adjusted } = found;
  return `${better} better, ${worse} worse, p ${adjusted < 0.001 ? '< 0.001' : `= ${adjusted.toPrecision(2)}`}`;
}

/** The mean of a measure over queries, as a table has it. */
export function meanOf({ profiles }: Evaluation, method: string, measure: string): string {
  const mean = profiles.find(({ profile }) => profile === method)?.means[measure];
  if (mean === undefined) throw new Error(`there is no ${measure} of ${method}`);
  return mean.toFixed(3);
}
