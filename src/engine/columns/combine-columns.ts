import type { Score } from '../../contract/index.js';
import { prefixOf, refuseKept } from '../kernel/run-buffers.js';
import type { Plan } from '../plan.js';
import type { RunResult, RunState } from '../run-state.js';
import { combineInto } from '../stages/score/resolve-rows.js';
import { makeScoring } from '../stages/score/scoring.js';
import type { Scoring } from '../stages/score/types.js';
import type { ScoreColumns } from './score-columns.js';

/** The scorers of a run with the weights of a plan, which may be others; their numbers are read from the columns. */
export function scoringOfColumns(plan: Plan, result: RunResult, { scorers: columns }: ScoreColumns): Scoring {
  const { firstRefuser, scorers: entries } = plan.score;
  const active = result.scored.scoring.active.map((one) => ({
    ...one,
    entry: entries[one.refuser - firstRefuser]!.entry,
  }));
  const scoring = makeScoring(plan.score, active);
  const scores: (Score<unknown> | undefined)[] = entries.map(() => undefined);
  for (const [k, { refuser }] of active.entries()) {
    const { resolved } = columns[k]!;
    const asked = scoring.scores[refuser - firstRefuser]!;
    // A column that was transferred has no rows left: an explanation then asks the scorer.
    scores[refuser - firstRefuser] = (candidate, row, note) =>
      resolved.length === 0 ? asked(candidate, row, note) : scoreAt(resolved, row);
  }
  return { ...scoring, scores };
}

function scoreAt(column: Float64Array, row: number): number | undefined {
  const value = column[row];
  return Number.isNaN(value) ? undefined : value;
}

/** Combines the columns: in a loop where every score is there, and as any unresolved row elsewhere. */
export function combineColumns(run: RunState, scoring: Scoring, { scorers, verdicts }: ScoreColumns): void {
  const { kept, buffers, candidates, plan } = run;
  const { weights, weightsOf } = scoring;
  const totals = prefixOf(buffers.totals, kept.length);
  const columns = scorers.map(({ resolved }) => resolved);
  if (columns.length === 0) totals.fill(plan.score.scorers.length > 0 ? Number.NaN : 0);
  else plan.score.loops.combine(scoring.active)({ candidates, kept, columns, weights, weightsOf, totals });
  const partial = new Map<number, number>();
  for (let row = 0; row < totals.length; row++) {
    const total = totals[row]!;
    if (total - total === 0 && verdicts[row] === 0) continue;
    const present = settleRow(run, scoring, totals, columns, verdicts, row);
    if (present < columns.length) partial.set(row, present);
  }
  run.scored = { scoring, totals, partial };
}

/** A row that a scorer refuses, or in which a score is missing. Gives of how many scores its total is. */
function settleRow(
  run: RunState,
  scoring: Scoring,
  totals: Float64Array,
  columns: readonly Float64Array[],
  verdicts: Uint16Array,
  row: number,
): number {
  if (verdicts[row] === 0) return combineInto(run, scoring, totals, row, () => columns.map((one) => scoreAt(one, row)));
  refuseKept(run.buffers, run.kept[row]!, verdicts[row]!);
  return columns.length;
}
