import { type Budget, chain, type Evaluation, evaluatePart, finish, type Plan } from '../../engine/index.js';
import { columnStats, NONE_RESCALED } from '../../ranking/index.js';
import { completePart, type StreamRun } from '../../stream/stream-run.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import { rankingOfChosen } from './chosen-ranking.js';
import { childExtremes } from '../extremes/child-extremes.js';
import type { FoundExtremes } from '../extremes/find-extremes.js';
import { checkVerdict, SieveMismatch } from './check-verdict.js';
import { ofSomeRows } from './finish-sieve.js';
import { setState } from '../set-state.js';
import { decodeChosen, type Sieved } from './sieved.js';
import type { Extremes } from '../expressions/uses.js';

/**
 * Finishes where what is scaled over all candidates was scored in SQL: the rows that the statement left are judged as one
 * set, with those that have the extremes. A scale over these few is the scale over all.
 *
 * @throws SieveMismatch, and as a run does
 */
export async function finishScaled(
  run: StreamRun,
  sieved: Sieved,
  { numbers, rows }: FoundExtremes,
  budget: Budget | undefined,
): Promise<TopRanking<object>> {
  const { plan } = run;
  const known = new Set(sieved.result.chosen.map(({ pos }) => pos));
  const extremes = rows.filter(({ pos }) => !known.has(pos));
  const chosen = [...sieved.result.chosen, ...extremes].toSorted((a, b) => a.pos - b.pos);
  const together = { ...sieved, result: { ...sieved.result, chosen } };
  const state = setState(run, decodeChosen(together), budget);
  const retained = await completePart(run, () => chain(evaluatePart(state), () => finish(state)));
  if (!haveExtremes(plan, retained, numbers))
    throw new SieveMismatch('the extremes of the rows are others than they were');
  const judged = chosen.map((row, position) => {
    const verdict = retained.verdicts[position]!;
    if (known.has(row.pos)) checkVerdict(plan, row, verdict);
    return known.has(row.pos) ? row : { ...row, verdict }; // SQL has counted it, whatever it said of it
  });
  return rankingOfChosen(plan, { ...together, result: { ...sieved.result, chosen: judged } }, retained, {
    columns: columnStats(plan, retained).map(ofSomeRows),
    rescaled: NONE_RESCALED,
  });
}

/** Whether the extremes of these rows are those that the statement was made with. */
const haveExtremes = (plan: Plan, evaluation: Evaluation, numbers: Extremes): boolean =>
  [...numbers].every(([child, known]) => {
    const [least, greatest] = childExtremes(plan, evaluation, child) ?? [];
    return least?.score === known?.least && greatest?.score === known?.greatest;
  });
