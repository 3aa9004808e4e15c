import type { Plan } from './plan.js';
import { CELL_STATES, type CellState } from './read-cell.js';
import { CandidateRefused } from './run-errors.js';
import type { Evaluation } from './run-state.js';
import { verdictOfError } from './stages/score/resolve-rows.js';
import { resolveScore, wasAsked } from './stages/score/resolve-score.js';
import type { ActiveScorer } from './stages/score/types.js';

/** The numbers of one scorer, by row of Tier 2. */
export interface ScoreColumn {
  /** As its unit gave them; NaN where it gave none. */
  readonly raw: Float64Array;
  /** After the entry's rules for absence, failure and range; NaN where they leave it out. `raw` itself where no rule applied. */
  readonly resolved: Float64Array;
  /** Indexes of `CELL_STATES`. */
  readonly states: Uint8Array;
}

/** The score matrix of a run in bulk: all that its totals are made of, apart from the weights. */
export interface ScoreColumns {
  /** By scorer of the run. */
  readonly columns: readonly ScoreColumn[];
  /** By row: the verdict of the first scorer that refuses it, or 0. */
  readonly verdicts: Uint16Array;
}

const stateIndex = (state: CellState): number => CELL_STATES.indexOf(state);
const NOT_ASKED = stateIndex('not_asked');

/** Fills the columns of all scorers: each is called once a row, and again only where a rule applies. O(rows × scorers). */
export function fillScoreColumns(plan: Plan, evaluation: Evaluation): ScoreColumns {
  const verdicts = new Uint16Array(evaluation.kept.length);
  const { active } = evaluation.scored.scoring;
  const columns = plan.current.enter(evaluation.context, () =>
    active.map((scorer) => fillColumn(plan, evaluation, scorer, verdicts)),
  );
  return { columns, verdicts };
}

function fillColumn(plan: Plan, evaluation: Evaluation, scorer: ActiveScorer, verdicts: Uint16Array): ScoreColumn {
  const { candidates, kept, context } = evaluation;
  const { entry, unit, failed, asked } = scorer;
  // The prepared function itself, without the look-up for each row.
  const score = unit.prepares && !failed && !asked ? unit.scoreIn(context) : scorer.raw;
  const [least, most] = entry.outOfRange === 'warn' || !entry.range ? [-Infinity, Infinity] : entry.range;
  const raw = new Float64Array(kept.length);
  const states = new Uint8Array(kept.length);
  let resolved = raw;
  for (let row = 0; row < raw.length; row++) {
    const candidate = candidates[kept[row]!];
    let value: unknown;
    try {
      value = wasAsked(scorer, row) ? score(candidate, row) : undefined;
    } catch {
      value = undefined; // resolved below, where it throws again
    }
    if (typeof value === 'number' && value - value === 0 && value >= least && value <= most) {
      raw[row] = value;
      resolved[row] = value;
      continue;
    }
    const cell = resolveCell(plan, scorer, candidate, row);
    raw[row] = cell.raw;
    states[row] = cell.state;
    verdicts[row] ||= cell.verdict;
    if (resolved === raw && !Object.is(cell.resolved, cell.raw)) resolved = raw.slice();
    resolved[row] = cell.resolved;
  }
  return { raw, resolved, states };
}

/** One cell on which a rule of the entry applies. */
function resolveCell(plan: Plan, scorer: ActiveScorer, candidate: unknown, row: number) {
  const none = { raw: Number.NaN, resolved: Number.NaN, verdict: 0 };
  if (!wasAsked(scorer, row)) return { ...none, state: NOT_ASKED };
  try {
    const { raw = Number.NaN, value = Number.NaN, state } = resolveScore(scorer, candidate, row);
    return { raw, resolved: value, state: stateIndex(state), verdict: 0 };
  } catch (error) {
    if (!(error instanceof CandidateRefused)) throw error;
    const state = stateIndex(error.refusal === 'absent' ? 'absent' : 'failed');
    return { ...none, state, verdict: verdictOfError(plan.score, error) };
  }
}
