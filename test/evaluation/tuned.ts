import { join } from 'node:path';
import type { JudgedQuery } from '@assize/evaluate';
import type { ProfileInput } from 'assize';
import { type TuneOptions, tuneWeights } from '@assize/evaluate/tune';
import type { Evaluation } from './evaluation.js';
import { packageRoot } from '../../src/base/package-root.js';
import { hasData, profileOf, readFilms, readLightGbm, readTraces } from './tuned-data.js';

/** A way to tune a profile, as a row of the table. */
interface Way {
  readonly name: string;
  readonly profile: string | ProfileInput;
  readonly options: TuneOptions;
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;

async function* table(queries: readonly JudgedQuery<object>[], ways: readonly Way[]): AsyncGenerator<string> {
  yield '| found | measure | kept back | before | after | difference, 95 % | p |';
  yield '|---|---|---|---|---|---|---|';
  for (const { name, profile, options } of ways) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, in the order of the report
    const { heldOut, measure } = await tuneWeights(profile, queries, options);
    for (const { by, folds, before, after, difference, interval, p } of heldOut) {
      const found = `${signed(difference)} (${interval.map(signed).join(' to ')})`;
      yield `| ${name} | ${measure} | ${folds} folds by ${by} | ${before.toFixed(3)} | ${after.toFixed(3)} | ${found} | ${p.toPrecision(2)} |`;
    }
  }
  yield '';
}

/** Measures of how an agent worked: the three of the repository's profile, and eight more. */
const ELEVEN = join(packageRoot(), 'test', 'evaluation', 'eleven-measures.yaml');

/** The same scorers, summed: then weights may be negative. */
const summed = (profile: string): ProfileInput => ({ name: 'summed', extends: [profile], combine: 'weighted_sum' });

const FILMS = { measure: 'nDCG@5' };
const TRACES = { measure: 'AUC', names: { fold: 'source', group: 'task' } };
const DOCUMENTS = { measure: 'nDCGexp@10', repeats: 1 };

/** A scorer for each feature of the documents of the example, all with one weight. */
function everyFeature(queries: readonly JudgedQuery<object>[]): ProfileInput {
  const names = queries.flatMap(({ candidates }) =>
    candidates.flatMap((one) => Object.keys('features' in one ? Object(one.features) : {})),
  );
  return {
    name: 'features',
    tier2_scorers: [...new Set(names)].map((name) => ({
      id: `f${name}`,
      expr: `candidate.features["${name}"]`,
      on_absent: 0,
    })),
  };
}

/** The gain of tuning on held-out data from real users. */
export const tuned: Evaluation = {
  name: 'tuned',
  async *run() {
    yield '### Films that people searched for\n';
    const measures = profileOf('films/measures.yaml');
    yield* table(await readFilms(), [
      { name: 'weights', profile: measures, options: FILMS },
      { name: 'curves of 5 points', profile: measures, options: { ...FILMS, curves: 5 } },
    ]);
    if (!hasData('traces')) {
      yield 'The traces and the documents of LightGBM are not here.\n';
      return;
    }
    yield '### Runs of agents, the outcome left out\n';
    const weights = profileOf('traces/weights.yaml');
    yield* table(await readTraces(), [
      { name: 'three weights', profile: weights, options: TRACES },
      { name: 'three weights, signed', profile: summed(weights), options: { ...TRACES, signed: true } },
      { name: 'three curves of 5 points', profile: weights, options: { ...TRACES, curves: 5 } },
      { name: 'eleven weights', profile: ELEVEN, options: TRACES },
      { name: 'eleven curves of 5 points', profile: ELEVEN, options: { ...TRACES, curves: 5 } },
    ]);
    yield '### The example of LightGBM\n';
    const documents = await readLightGbm();
    const features = everyFeature(documents);
    yield* table(documents, [
      { name: 'weights', profile: features, options: DOCUMENTS },
      { name: 'curves of 3 points', profile: features, options: { ...DOCUMENTS, curves: 3 } },
    ]);
  },
};
