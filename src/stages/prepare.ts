import { withLimits } from './limits.js';
import { type Batch, type Compiled, RunFailed } from './plan.js';
import type { Steps } from './wait.js';

/**
 * Prepares an entry under its time-out.
 *
 * @returns what went wrong, as a value: what that means is the entry's own rule
 * @throws whatever stopped the run
 */
export function* prepareEntry(
  entry: { readonly id: string; readonly timeout: number | undefined },
  unit: Compiled<unknown>,
  { candidates, state, abort, learnt }: Batch,
): Steps<{ readonly cause: unknown } | undefined> {
  const own = new Map<number, unknown>();
  try {
    yield* withLimits(abort, entry.timeout, (limited) =>
      unit.prepare({ candidates, state, abort: limited, learnt: own }),
    );
  } catch (cause) {
    abort.throwIfAborted();
    return { cause };
  }
  for (const [slot, memory] of own) learnt.set(slot, memory);
  return undefined;
}

/** What `fail` means. */
export const failRun = (entry: string, stage: string, cause: unknown, index?: number): never => {
  throw cause instanceof RunFailed ? cause : new RunFailed(entry, stage, cause, index);
};
