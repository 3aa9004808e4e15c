import { createPipeline, type ProfileInput } from 'assize';
import { type JudgedQuery, parseMeasure, seededRandom } from 'assize/evaluate';
import { tuneWeights } from 'assize/tune';
import { prepareSearch } from '../../../src/tune/prepare-search.js';
import { measure, type Subject } from '../measure.js';
import type { Section } from '../section.js';

/** As many as in the example of LightGBM that learning to rank is often shown by. */
const QUERIES = 201;
const CANDIDATES = 15;
const SCORERS = 20;
const MEASURE = 'nDCG@10';

type Item = Readonly<Record<string, number>>;

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

const profile: ProfileInput = { name: 'tuned', tier2_scorers: IDS.map((id) => ({ id, expr: `candidate.${id}` })) };

/** Another weighting each time, as a search would try it. */
const weighting = (turn: number): Readonly<Record<string, number>> =>
  Object.fromEntries(IDS.map((id, k) => [id, 1 + ((turn * 7 + k * 3) % 11)]));

export const tuning: Section = {
  name: 'tuning',
  title: 'Weights tuned',
  about: `${QUERIES} queries with ${CANDIDATES} candidates, ${SCORERS} scorers, by ${MEASURE}. A search tries many weightings: the time of one is that of all queries
weighed and measured, on the columns as \`tuneWeights\` does it, by \`reweigh\`, and by ranking again. All three agree, which is checked.
Below it a whole \`tuneWeights\`: the pull chosen by four folds within each of five, coordinate ascent, and what was kept back measured.`,
  async *run(effort) {
    const queries = madeQueries(effort.of(QUERIES));
    const pipeline = await createPipeline<Item>(profile);
    const rankings = queries.map(({ candidates }) => pipeline.rankSync(candidates));
    const { fitter, divisions } = await prepareSearch(profile, queries, { measure: MEASURE });
    const rows = divisions[0].rowsOf(Int32Array.from(divisions[0].groups.keys()));
    const one = parseMeasure(MEASURE);
    const meanOf = (orders: readonly (readonly number[])[]): number =>
      orders.reduce((sum, order, q) => {
        const { grades } = queries[q]!;
        return sum + one.of({ grades: order.map((k) => grades[k]), judgements: grades.map((grade = 0) => grade) });
      }, 0) / orders.length;
    const ways: Readonly<Record<string, (turn: number) => number>> = {
      'ranked again': (turn) =>
        meanOf(
          queries.map(({ candidates }) =>
            pipeline.rankSync(candidates, {}, { weights: weighting(turn) }).ranked.map(({ index }) => index),
          ),
        ),
      reweigh: (turn) =>
        meanOf(
          rankings.map((ranking) => ranking.reweigh({ weights: weighting(turn) }).ranked.map(({ index }) => index)),
        ),
      'on the columns': (turn) =>
        fitter.measure(
          Object.values(weighting(turn)).map((weight) => ({ weight })),
          rows,
        ),
    };
    const expected = ways['ranked again']!(3);
    for (const [name, way] of Object.entries(ways)) {
      const found = way(3);
      if (!(Math.abs(found - expected) < 1e-9))
        throw new Error(`${name} gives ${found}, and ranking again ${expected}`);
    }
    let turn = 0;
    const subjects = Object.entries(ways).map(
      ([name, way]): Subject => ({ name, per: 1, pass: () => way((turn += 1)) }),
    );
    const times = await measure(subjects, effort);
    const work = `a weighting of ${queries.length} queries`;
    yield times.result(work, 'ranked again', 'weighting');
    yield times.result(work, 'reweigh', 'weighting', 'ranked again');
    yield { ...times.result(work, 'on the columns', 'weighting', 'ranked again'), goal: { atMost: 0.5 } };
    const tune = (): Promise<unknown> => tuneWeights(profile, queries, { measure: MEASURE, repeats: 1 });
    const whole = await measure([{ name: 'tuneWeights', per: 1, pass: tune }], {
      ...effort,
      rounds: Math.min(3, effort.rounds),
    });
    yield whole.result(`${SCORERS} weights on ${queries.length} queries`, 'tuneWeights', 'call');
  },
};
