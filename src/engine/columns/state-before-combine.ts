import { Failures } from '../failures/failures.js';
import { refuserOf } from '../kernel/verdict.js';
import { NEVER } from '../tasks/limits.js';
import type { Plan } from '../plan.js';
import { NO_SIGNALS } from '../entries/run-context.js';
import { type RunResult, RunState } from '../run-state.js';

/** What the failures of these stages concern is not done again. */
const KEPT_STAGES = ['signals', 'generate', 'veto', 'measure', 'score'];

/** A run that stands where the scorers of another have been prepared: with what the vetoes refused, and what was measured. */
export function stateBeforeCombine(plan: Plan, result: RunResult): RunState {
  const failures = new Failures();
  failures.addAll(
    result.failures.entries.filter(
      ({ failure: { entry, stage } }) => KEPT_STAGES.includes(stage) && entry !== 'combine',
    ),
  );
  const state = new RunState(plan, {
    context: { ...result.context, values: [], score: 0, trace: undefined },
    given: result.candidates,
    abort: NEVER,
    knownSignals: NO_SIGNALS,
    callBudget: undefined,
    secondPhase: undefined,
    failures,
    updates: [],
  });
  state.setCandidates(result.candidates, result.kept);
  const { verdicts } = state.buffers;
  for (let position = 0; position < verdicts.length; position++) {
    const verdict = result.verdicts[position]!;
    if (verdict !== 0 && refuserOf(verdict) < plan.score.firstRefuser) verdicts[position] = verdict;
  }
  state.budget = result.budget;
  state.vetoes = result.vetoes;
  state.pinned = result.pinned;
  state.kept = result.kept;
  state.measures = result.measures;
  return state;
}
