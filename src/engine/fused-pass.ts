import { prefixOf } from './kernel/run-buffers.js';
import { resolveUnresolved, type ScoredRows, type ScoringInput, scoreInput } from './stages/score/score.js';
import type { ScorePlan, Scoring } from './stages/score/scoring.js';
import { type ActiveVeto, type Vetoed, vetoInput } from './stages/veto/veto.js';

/**
 * Tiers 1 and 2 in one pass, for a run in which nothing must be prepared on what the vetoes keep. The results are
 * those of `veto` and `score`, one after the other.
 */
export function fusedPass(
  group: readonly ActiveVeto[],
  plan: ScorePlan,
  scoring: Scoring,
  input: ScoringInput,
): { readonly vetoed: Vetoed; readonly scored: ScoredRows } {
  const { candidates, current, context, buffers, failures } = input;
  current.context = context;
  context.scores = scoring.scores;
  const loop = plan.loops.row(group, scoring.active);
  const rows = loop(vetoInput(group, candidates, buffers, failures), scoreInput(plan, scoring, input, buffers.kept));
  const kept = prefixOf(buffers.kept, rows);
  return { vetoed: { kept, runs: group, all: undefined }, scored: resolveUnresolved(plan, scoring, input, kept) };
}
