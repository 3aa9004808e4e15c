import { MATRIX } from '../bounds.js';
import { count } from '../growth/grown.js';
import { Times } from '../measure.js';
import type { Goal, Result } from '../result.js';
import type { Effort } from '../section.js';
import { pipelineOf, readAll, rowsOf } from './profile.js';

const ROWS = 1_000_000;
const SCORERS = 20;
/** A few are enough: each takes seconds. */
const ROUNDS = 9;
const GOAL: Goal = { atMost: 1.5, bound: MATRIX };

/** The whole matrix of a ranking, read for the first time, compared with the ranking itself. */
export async function* matrix(effort: Effort): AsyncGenerator<Result> {
  const rows = rowsOf(effort.of(ROWS), SCORERS);
  const pipeline = await pipelineOf(SCORERS);
  const cells = rows.length * SCORERS;
  const ranked: number[] = [];
  const read: number[] = [];
  const warming = effort.rounds > 1 ? 1 : 0;
  for (let round = -warming; round < Math.min(ROUNDS, effort.rounds); round++) {
    globalThis.gc?.();
    const start = performance.now();
    const ranking = pipeline.rankSync(rows, { now: 0 });
    const between = performance.now();
    readAll(ranking);
    const end = performance.now();
    if (round < 0) continue;
    ranked.push(((between - start) * 1e6) / cells);
    read.push(((end - between) * 1e6) / cells);
  }
  const work = `The matrix of ${count(rows.length)} candidates and ${SCORERS} scorers`;
  const times = new Times(
    new Map([
      ['ranked', ranked],
      ['read', read],
    ]),
  );
  yield times.result(work, 'ranked', 'score');
  yield { ...times.result(work, 'read', 'score', 'ranked'), goal: GOAL };
}
