import { createPipeline, type ProfileInput } from 'assize';
import { type JudgedQuery, parseMeasure } from '@assize/evaluate';
import { seededRandom } from '../../../plugins/@assize/evaluate/src/significance/distributions.js';
import { judgedRanking } from '../../../plugins/@assize/evaluate/src/evaluate-profiles.js';
import { tuneWeights } from '@assize/evaluate/tune';
import { prepareSearch } from '../../../plugins/@assize/evaluate/src/tune/prepare-search.js';
import { hasData, readLightGbm } from '../../evaluation/tuned-data.js';
import { measure, type Subject } from '../measure.js';
import type { Result } from '../result.js';
import type { Effort, Section } from '../section.js';

/** As many as in LightGBM's example of learning to rank. */
const QUERIES = 201;
const CANDIDATES = 15;
const SCORERS = 20;
const MEASURE = 'nDCG@10';

/**
 * The columns divide by the sum of the weights at the end, the engine before. So totals differ in their last digit, and
 * documents with nearly equal totals may change places: 7 pairs of 2,766 in LightGBM's example.
 */
const NEARLY = 1e-4;

type Item = Readonly<Record<string, number>>;

/** The tuned weights: one per scorer. */
interface Task<C extends object> {
  /** The name of the data, for readers. */
  readonly of: string;
  readonly queries: readonly JudgedQuery<C>[];
  readonly profile: ProfileInput;
}

const IDS = Array.from({ length: SCORERS }, (_, k) => `f${k}`);

function madeQueries(count: number): readonly JudgedQuery<Item>[] {
  const next = seededRandom(1);
  return Array.from({ length: count }, (_, q) => {
    const candidates = Array.from(
      { length: CANDIDATES },
      (): Item => Object.fromEntries(IDS.map((id) => [id, next()])),
    );
    return {
      id: `q${q}`,
      candidates,
      grades: candidates.map(({ f0 = 0, f1 = 0 }) => Math.round(2 * f0 + f1 + next())),
    };
  });
}

const madeTask = (count: number): Task<Item> => ({
  of: `${count} generated queries`,
  queries: madeQueries(count),
  profile: { name: 'tuned', tier2_scorers: IDS.map((id) => ({ id, expr: `candidate.${id}` })) },
});

const LIGHTGBM = 'ltr/lightgbm-lambdarank';

interface Document {
  readonly features?: Readonly<Record<string, number>>;
}

/**
 * The features that most documents have, of the 300 in LightGBM's example. Queries whose documents all have one grade
 * are skipped: every order of them is equally good, and a search ignores them.
 */
async function lightGbmTask(count: number): Promise<Task<Document>> {
  const queries: readonly JudgedQuery<Document>[] = (await readLightGbm())
    .filter(({ grades }) => new Set(grades).size > 1)
    .slice(0, count);
  const documents = new Map<string, number>();
  for (const { features = {} } of queries.flatMap(({ candidates }) => candidates))
    for (const feature of Object.keys(features)) documents.set(feature, (documents.get(feature) ?? 0) + 1);
  const most = [...documents].toSorted(([, a], [, b]) => b - a).slice(0, SCORERS);
  const scorers = most.map(([feature], k) => ({ id: `f${k}`, expr: `candidate.features["${feature}"]`, on_absent: 0 }));
  return { of: `${queries.length} queries of rank.train`, queries, profile: { name: 'tuned', tier2_scorers: scorers } };
}

/** Different weights each time, as a search would try them. */
const weighting = (turn: number): Readonly<Record<string, number>> =>
  Object.fromEntries(IDS.map((id, k) => [id, 1 + ((turn * 7 + k * 3) % 11)]));

/** A weighting in three ways, which must agree; then a whole search. */
async function* tune<C extends object>({ of, queries, profile }: Task<C>, effort: Effort): AsyncIterable<Result> {
  const pipeline = await createPipeline<C>(profile);
  const rankings = queries.map(({ candidates }) => pipeline.rankSync(candidates));
  const { fitter, divisions } = await prepareSearch(profile, queries, { measure: MEASURE });
  const rows = divisions[0].rowsOf(Int32Array.from(divisions[0].groups.keys()));
  const one = parseMeasure(MEASURE);
  const meanOf = (ranked: readonly Parameters<typeof judgedRanking>[0][]): number => {
    const found = ranked.map((ranking, q) => one.of(judgedRanking(ranking, queries[q]!)));
    return found.reduce((sum, value) => sum + value, 0) / found.length;
  };
  const ways: Readonly<Record<string, (turn: number) => number>> = {
    'ranked again': (turn) =>
      meanOf(queries.map(({ candidates }) => pipeline.rankSync(candidates, {}, { weights: weighting(turn) }))),
    reweigh: (turn) => meanOf(rankings.map((ranking) => ranking.reweigh({ weights: weighting(turn) }))),
    'on the columns': (turn) =>
      fitter.measure(
        Object.values(weighting(turn)).map((weight) => ({ weight })),
        rows,
      ),
  };
  const expected = ways['ranked again']!(3);
  for (const [name, way] of Object.entries(ways)) {
    const found = way(3);
    if (!(Math.abs(found - expected) < NEARLY))
      throw new Error(`${name} gives ${found}, and ranking again ${expected}`);
  }
  let turn = 0;
  const subjects = Object.entries(ways).map(([name, way]): Subject => ({ name, per: 1, pass: () => way((turn += 1)) }));
  const times = await measure(subjects, effort);
  const work = `a weighting of ${of}`;
  yield times.result(work, 'ranked again', 'weighting');
  yield times.result(work, 'reweigh', 'weighting', 'ranked again');
  yield { ...times.result(work, 'on the columns', 'weighting', 'ranked again'), goal: { atMost: 0.5 } };
  const search = (): Promise<unknown> => tuneWeights(profile, queries, { measure: MEASURE, repeats: 1 });
  const few = { ...effort, rounds: Math.min(3, effort.rounds) };
  const whole = await measure([{ name: 'tuneWeights', per: 1, pass: search }], few);
  yield whole.result(`${SCORERS} weights on ${of}`, 'tuneWeights', 'call');
}

export const tuning: Section = {
  name: 'tuning',
  title: 'Weights tuned',
  about: `${SCORERS} scorers, by ${MEASURE}, on ${QUERIES} generated queries with ${CANDIDATES} candidates each, and on LightGBM's example of learning to rank,
\`rank.train\`${hasData(LIGHTGBM) ? `, with the ${SCORERS} of its 300 features that most documents have` : ', which is not on this machine'}.
The time of one weighting of all queries: on the columns as \`tuneWeights\` does it, by \`reweigh\`, and by ranking again. Then a whole
\`tuneWeights\`.`,
  async *run(effort) {
    const count = effort.of(QUERIES);
    yield* tune(madeTask(count), effort);
    if (hasData(LIGHTGBM)) yield* tune(await lightGbmTask(count), effort);
  },
};
