import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureRun, readQrels, readRun } from '@assize/evaluate';
import { measureLike, readPrinted } from '../../plugins/@assize/evaluate/test/trec-eval.js';
import type { Family } from './family.js';
import { compare, type Tally } from './tally.js';

/** A run that trec_eval has measured. */
interface MeasuredRun {
  /** In `data/`. */
  readonly qrels: string;
  readonly run: string;
  readonly printed: string;
  /** trec_eval's -c: every judged query counts. */
  readonly allJudged?: boolean;
  /** trec_eval's -l. */
  readonly relevantFrom?: number;
  /** trec_eval's -M: only this many of each query are evaluated. */
  readonly most?: number;
}

const RUNS: readonly MeasuredRun[] = [
  { qrels: 'trec_eval/qrels.test', run: 'trec_eval/results.test', printed: 'trec_eval/out.test.aq' },
  { qrels: 'trec_eval/qrels.test', run: 'trec_eval/results.trunc', printed: 'trec_eval/out.test.aqc', allJudged: true },
  {
    qrels: 'trec_eval/qrels.test',
    run: 'trec_eval/results.trunc',
    printed: 'trec_eval/out.test.aqcM',
    allJudged: true,
    most: 100,
  },
  {
    qrels: 'trec_eval/qrels.rel_level',
    run: 'trec_eval/results.test',
    printed: 'trec_eval/out.test.aql',
    relevantFrom: 2,
  },
  {
    qrels: 'anserini-cacm/qrels.cacm.txt',
    run: 'anserini-cacm/cacm-bm25.run.txt',
    printed: 'anserini-cacm/expected.trec_eval.txt',
  },
  {
    qrels: 'bm25-vs-trec_eval/cacm/qrels.txt',
    run: 'bm25-vs-trec_eval/cacm/run.txt',
    printed: 'bm25-vs-trec_eval/cacm/expected.trec_eval.txt',
  },
  {
    qrels: '../retrieval/cranfield/qrels.txt',
    run: 'bm25-vs-trec_eval/cranfield/run.txt',
    printed: 'bm25-vs-trec_eval/cranfield/expected.trec_eval.txt',
  },
];

/** trec_eval prints four decimals. */
const TOLERANCE = 0.000_050_01;

/** Compares a run with what trec_eval prints about it. */
export async function compareRun(folder: string, { qrels, run, printed, ...options }: MeasuredRun): Promise<Tally> {
  const [judged, ranked, expected] = await Promise.all(
    [qrels, run, printed].map((file) => readFile(join(folder, file), 'utf8')),
  );
  const { allJudged = false, relevantFrom = 1, most } = options;
  const all = readRun(ranked!, run);
  const cut = new Map(Array.from(all, ([query, ids]) => [query, ids.slice(0, most)]));
  const values = readPrinted(expected!).flatMap((one) => {
    const measure = measureLike(one.name, relevantFrom);
    return measure ? [{ ...one, measure }] : [];
  });
  const measures = [...new Map(values.map(({ measure }) => [measure.name, measure])).values()];
  const measured = measureRun(cut, readQrels(judged!, qrels), measures, allJudged);
  const ours = values.map(({ query, measure: { name } }) =>
    query === 'all' ? measured.means[name] : measured.values[name]![measured.queries.indexOf(query)],
  );
  const theirs = values.map(({ name, query, value }) => ({ name: `${name} of ${query}`, score: Number(value) }));
  return compare(theirs, ours, TOLERANCE);
}

/** Measures of rankings, as in trec_eval: those that both have. */
export const irEval: Family = {
  name: 'ir-eval',
  checks: RUNS.map((one) => ({
    file: `data/ir-eval/${one.printed}`,
    run: (folder) => compareRun(join(folder, 'data', 'ir-eval'), one),
  })),
};
