import { Failures } from '../engine/failures.js';
import { evaluatePart, finish } from '../engine/run.js';
import type { RunResult } from '../engine/run-state.js';
import type { Budget } from '../engine/stages/select/types.js';
import { startPart } from '../engine/start-run.js';
import { chain, type MaybeAsync } from '../engine/task.js';
import type { StreamRun } from './stream-run.js';

/**
 * Ranks the retained rows of a stream once more, as a set of its own: its scores are those of the stream, because every
 * entry judges a candidate alone.
 *
 * @param candidates in the order of the stream
 */
export function rankRetained(
  run: StreamRun,
  candidates: readonly unknown[],
  budget: Budget | undefined,
): MaybeAsync<RunResult> {
  const part = startPart(run, candidates, new Failures()); // what fails again was counted before
  part.budget = budget;
  return chain(evaluatePart(part), () => {
    part.failures = run.failures;
    return finish(part);
  });
}
