import { idOf } from '../../candidates/id.js';
import { refusalOf, refuses } from '../../kernel/verdict.js';
import type { RunState } from '../../run-state.js';
import type { Task } from '../../tasks/task.js';
import { generateFor } from '../generate/generate.js';
import type { FallbackChoice } from './types.js';

/** How many candidates vetoes refused. */
export const countVetoed = (verdicts: Uint16Array): number =>
  verdicts.reduce((n, v) => n + Number(refuses(v) && refusalOf(v) === 'veto'), 0);

/** Chooses what is selected when nothing was: the first line of the profile's list whose condition is true and that gives something. */
export function* chooseFallback(run: RunState): Task<FallbackChoice | undefined> {
  const { plan, context, candidates, verdicts, failures, abort } = run;
  const failed = verdicts.reduce((n, v) => n + Number(refuses(v) && refusalOf(v) === 'error'), 0);
  const strategies = plan.strategies.map((strategy) => strategy.id);
  context.counts = { generated: candidates.length, vetoed: countVetoed(verdicts), failed, strategies };
  for (const { when, use } of plan.fallback) {
    if (!when()) continue;
    const strategy = plan.strategies.find((one) => one.id === use);
    if (strategy) {
      try {
        const made = yield* generateFor(strategy, context, abort);
        if (made.length > 0) return { use, positions: [], made: made.slice(0, 1) };
      } catch (error) {
        abort.throwIfAborted();
        failures.add(use, 'fallback', error);
      }
      continue;
    }
    const position = candidates.findIndex((candidate, i) => idOf(plan.profile, candidate, i) === use);
    if (position >= 0) return { use, positions: [position], made: [] };
    failures.add(use, 'fallback', new Error('it is neither a strategy nor the id of a candidate'));
  }
  return undefined;
}
