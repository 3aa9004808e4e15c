import { idOf } from '../../candidate-id.js';
import type { Failures } from '../../failures.js';
import { refusalOf, refuses } from '../../kernel/verdict.js';
import type { Plan } from '../../plan.js';
import type { Evaluation } from '../../run-result.js';
import type { Task } from '../../task.js';
import { generateFor } from '../generate/generate.js';

/** What was selected because nothing else was. */
export interface FallbackChoice {
  /** The name in the profile: a strategy's, or a candidate's. */
  readonly use: string;
  readonly positions: readonly number[];
  /** A candidate that its strategy made, unscored. */
  readonly made: readonly unknown[];
}

/** How many candidates a veto refused. */
export const countVetoed = (verdicts: Uint16Array): number =>
  verdicts.reduce((n, v) => n + Number(refuses(v) && refusalOf(v) === 'veto'), 0);

/** What is selected when nothing was: the first that holds of the profile's list. Reported as such. */
export function* chooseFallback(
  plan: Plan,
  { context, candidates, verdicts }: Evaluation,
  failures: Failures,
  abort: AbortSignal,
): Task<FallbackChoice | undefined> {
  const failed = verdicts.reduce((n, v) => n + Number(refuses(v) && refusalOf(v) === 'error'), 0);
  const strategies = plan.strategies.map((strategy) => strategy.id);
  context.counts = { generated: candidates.length, vetoed: countVetoed(verdicts), failed, strategies };
  for (const { when, use } of plan.fallback) {
    plan.current.context = context;
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
