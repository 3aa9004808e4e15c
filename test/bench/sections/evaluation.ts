import { createPipeline } from 'assize';
import { evaluateProfiles, type JudgedQuery } from '@assize/evaluate';
import { FIELDS, type Item, items } from '../engines/work.js';
import { measure, type Subject } from '../measure.js';
import type { Section } from '../section.js';

const QUERIES = 10_000;
const CANDIDATES = 100;
const CUT = 10;
const MEASURES = [`nDCG@${CUT}`, 'AP', 'RR'];

/** The number of candidates judged relevant, a tenth of them: a fixed part of each query. */
const gradeOf = (k: number, q: number): number => ((k * 7 + q) % 10 === 0 ? 1 + (k % 3) : 0);

/** nDCG by its formula. */
function ndcgByHand(grades: readonly number[]): number {
  const gain = (list: readonly number[]): number =>
    list.slice(0, CUT).reduce((sum, grade, k) => sum + grade / Math.log2(k + 2), 0);
  return gain(grades) / gain(grades.toSorted((a, b) => b - a));
}

export const evaluation: Section = {
  name: 'evaluation',
  title: 'Queries evaluated',
  about: `${QUERIES.toLocaleString('en-US')} queries with ${CANDIDATES} candidates each, by ${MEASURES.join(', ')}, compared with a loop that ranks them.`,
  async *run(effort) {
    const count = effort.of(QUERIES);
    const list = items(count * CANDIDATES);
    const queries = Array.from({ length: count }, (_, q): JudgedQuery<Item> => {
      const candidates = list.slice(q * CANDIDATES, (q + 1) * CANDIDATES);
      return { id: `q${q}`, context: { now: 0 }, candidates, grades: candidates.map((__, k) => gradeOf(k, q)) };
    });
    const pipeline = await createPipeline<Item>({
      tier2_scorers: FIELDS.map((field) => ({ id: field, expr: `candidate.${field}` })),
    });
    const rankAll = (): readonly (readonly number[])[] =>
      queries.map(({ candidates, context }) => {
        return pipeline.rankSync(candidates, context).ranked.map(({ index }) => index);
      });
    const evaluate = () => evaluateProfiles({ pipeline }, queries, { measures: MEASURES });
    const byHand = rankAll().map((ranks, q) => ndcgByHand(ranks.map((k) => queries[q]!.grades[k] ?? 0)));
    const mean = byHand.reduce((sum, one) => sum + one, 0) / count;
    const found = (await evaluate()).profiles[0]?.means[MEASURES[0]!] ?? Number.NaN;
    if (!(Math.abs(found - mean) < 1e-9)) throw new Error(`the mean is ${found}, and by its formula ${mean}`);
    const subjects: Subject[] = [
      { name: 'ranked in a loop', per: count, pass: rankAll },
      { name: 'evaluateProfiles', per: count, pass: evaluate },
    ];
    const times = await measure(subjects, effort);
    const work = `${count.toLocaleString('en-US')} queries × ${CANDIDATES} candidates`;
    yield times.result(work, 'ranked in a loop', 'query');
    yield { ...times.result(work, 'evaluateProfiles', 'query', 'ranked in a loop'), goal: { atMost: 1.5 } };
  },
};
