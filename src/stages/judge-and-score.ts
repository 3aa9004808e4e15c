import { firstOf } from '../matrix/slab.js';
import { type Scored, type ScoringInput, scoreInput, settleOdd } from './score.js';
import type { ScorePlan, Scoring } from './scoring.js';
import { type Vetoed, type VetoRun, vetoInput } from './veto.js';

/**
 * Tiers 1 and 2 in one pass, for a run in which nothing must be prepared on what the vetoes keep. The results are
 * those of `veto` and `score`, one after the other.
 */
export function judgeAndScore(
  group: readonly VetoRun[],
  plan: ScorePlan,
  scoring: Scoring,
  input: ScoringInput,
): { readonly vetoed: Vetoed; readonly scored: Scored } {
  const { candidates, cell, state, slab, failures } = input;
  cell.state = state;
  state.scores = scoring.scores;
  const loop = plan.loops.row(group, scoring.runs);
  const rows = loop(vetoInput(group, candidates, slab, failures), scoreInput(plan, scoring, input, slab.kept));
  const kept = firstOf(slab.kept, rows);
  return { vetoed: { kept, runs: group, all: undefined }, scored: settleOdd(plan, scoring, input, kept) };
}
