import { evaluateCandidates } from '../engine/evaluate.js';
import { Failures } from '../engine/failures.js';
import { finish } from '../engine/run.js';
import type { RunResult } from '../engine/run-result.js';
import type { Budget } from '../engine/stages/select/budget.js';
import { chain, type MaybeAsync } from '../engine/task.js';
import { prepareInputIn, type StreamRun } from './stream-run.js';

/**
 * Ranks what is held of a stream, once more and as a set of its own: its scores are those of the stream, because every
 * entry judges a candidate alone.
 *
 * @param candidates in the order of the stream
 */
export function rankRetained(
  run: StreamRun,
  candidates: readonly unknown[],
  budget: Budget | undefined,
): MaybeAsync<RunResult> {
  const { plan, failures } = run;
  const batch = prepareInputIn(run, candidates);
  // What fails now was counted before.
  return chain(evaluateCandidates(plan, batch, new Failures()), (judged) =>
    finish(plan, judged, budget, batch, failures),
  );
}
