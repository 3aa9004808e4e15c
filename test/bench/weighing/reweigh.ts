import { count } from '../growth/grown.js';
import { measure, type Subject } from '../measure.js';
import type { Goal, Result } from '../result.js';
import type { Effort } from '../section.js';
import { weigh } from './by-hand.js';
import { pipelineOf, rowsOf } from './profile.js';

const SIZES = [10_000, 100_000, 1_000_000] as const;
const SCORERS = 8;
const TOP = 10;
const GOAL: Goal = { atMost: 2 };

/** Different weights on every call, as from a slider. */
const weightsOf = (turn: number): readonly number[] =>
  Array.from({ length: SCORERS }, (_, k) => 1 + ((k * 7 + turn) % 5));

/** Reweighted, ordered and selected, compared with the same arithmetic and a partial selection by hand. */
export async function* reweigh(effort: Effort): AsyncGenerator<Result> {
  const pipeline = await pipelineOf(SCORERS);
  for (const size of SIZES) {
    const rows = rowsOf(effort.of(size), SCORERS);
    const ranking = pipeline.rankSync(rows, { now: 0 });
    const columns = ranking.matrix.entries.map((entry) => ranking.matrix.column(entry).resolved);
    const again = (turn: number) =>
      ranking.reweigh({ weights: Object.fromEntries(weightsOf(turn).map((weight, k) => [`s${k}`, weight])) }).selected;
    checkEqual(again(3), weigh(columns, weightsOf(3), TOP));
    let turn = 0;
    const subjects: Subject[] = [
      { name: 'by hand', per: 1, pass: () => weigh(columns, weightsOf(turn++), TOP) },
      { name: 'reweigh', per: 1, pass: () => again(turn++) },
    ];
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const times = await measure(subjects, effort);
    const work = `${count(rows.length)} candidates × ${SCORERS} scorers, reweighted`;
    yield times.result(work, 'by hand', 'call');
    yield { ...times.result(work, 'reweigh', 'call', 'by hand'), goal: GOAL };
  }
}

function checkEqual(
  selected: readonly { readonly index: number; readonly score: number | undefined }[],
  { rows, totals }: ReturnType<typeof weigh>,
): void {
  for (const [k, { index, score }] of selected.entries()) {
    if (rows[k] !== index || totals[index] !== score) throw new Error(`row ${k} is ${index}, and by hand ${rows[k]}`);
  }
}
