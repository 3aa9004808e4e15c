import type { Plan } from './plan.js';
import { CandidateRefused } from './run-errors.js';
import type { Evaluation } from './run-state.js';
import { verdictOfError } from './stages/score/resolve-rows.js';
import { resolveScore, wasAsked } from './stages/score/resolve-score.js';
import type { ActiveScorer } from './stages/score/types.js';
import { ignorePromise } from './stray-promise.js';

/** The resolved scores of a run in bulk: all that its totals are made of, apart from the weights. */
export interface ScoreColumns {
  /** By scorer of the run, by row of Tier 2: after the entry's rules for absence, failure and range; NaN where they leave it out. */
  readonly columns: readonly Float64Array[];
  /** By row: the verdict of the first scorer that refuses it, or 0. */
  readonly verdicts: Uint16Array;
}

/** Fills the columns of all scorers: each is called once a row, and again only where a rule applies. O(rows × scorers). */
export function fillScoreColumns(plan: Plan, evaluation: Evaluation): ScoreColumns {
  const verdicts = new Uint16Array(evaluation.kept.length);
  const { active } = evaluation.scored.scoring;
  const columns = plan.current.enter(evaluation.context, () =>
    active.map((scorer) => fillColumn(plan, evaluation, scorer, verdicts)),
  );
  return { columns, verdicts };
}

function fillColumn(plan: Plan, evaluation: Evaluation, scorer: ActiveScorer, verdicts: Uint16Array): Float64Array {
  const { candidates, kept, context } = evaluation;
  const { entry, unit, failed, asked } = scorer;
  // The prepared function itself, without the look-up for each row.
  const score = unit.prepares && !failed && !asked ? unit.scoreIn(context) : scorer.raw;
  const [least, most] = entry.outOfRange === 'warn' || !entry.range ? [-Infinity, Infinity] : entry.range;
  const column = new Float64Array(kept.length);
  for (let row = 0; row < column.length; row++) {
    const candidate = candidates[kept[row]!];
    let value: unknown;
    try {
      value = wasAsked(scorer, row) ? score(candidate, row) : undefined;
    } catch {
      value = undefined; // resolved below, where it throws again
    }
    if (typeof value === 'number' && value - value === 0 && value >= least && value <= most) {
      column[row] = value;
      continue;
    }
    ignorePromise(value);
    const resolved = resolveCell(plan, scorer, candidate, row);
    column[row] = resolved.value;
    verdicts[row] ||= resolved.verdict;
  }
  return column;
}

/** One score on which a rule of the entry applies: its value or NaN, and the verdict where the rule refuses the row. */
function resolveCell(plan: Plan, scorer: ActiveScorer, candidate: unknown, row: number) {
  if (!wasAsked(scorer, row)) return { value: Number.NaN, verdict: 0 };
  try {
    return { value: resolveScore(scorer, candidate, row).value ?? Number.NaN, verdict: 0 };
  } catch (error) {
    if (!(error instanceof CandidateRefused)) throw error;
    return { value: Number.NaN, verdict: verdictOfError(plan.score, error) };
  }
}
