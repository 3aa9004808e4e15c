import { AssizeError } from '../contract/index.js';
import { failure } from '../document/failure.js';
import type { Profile } from '../profile/profile.js';
import { causeOf } from '../stages/failures.js';
import type { RunFailed } from '../stages/plan.js';
import { OutOfRange } from '../stages/settle.js';
import { idOf } from './ids.js';
import { standingOf } from './standing.js';

/**
 * A failed run as its user is told of it.
 *
 * @param candidates those of the run, or of the part of a stream that failed
 * @param offset     how many came before that part
 */
export function runFailure(
  profile: Profile,
  { entry, stage, failure: cause, index }: RunFailed,
  candidates: readonly unknown[] | undefined,
  offset = 0,
): AssizeError {
  // What a unit finds wrong with the context has a place of its own.
  const placed = cause instanceof AssizeError && cause.problems.every(({ path }) => path !== undefined);
  if (placed) return failure(cause.problems, { cause });
  const candidate = index === undefined ? undefined : candidates?.[index];
  const about = candidate === undefined || index === undefined ? '' : ` on ${idOf(profile, candidate, offset + index)}`;
  const message = `the ${stage} entry ${entry} failed${about}: ${causeOf(cause)}`;
  return failure(
    [{ code: 'ASZ501', message, place: standingOf(profile, stage, entry)?.place, hint: hintFor(stage, cause) }],
    { cause },
  );
}

/** What to do about it. */
function hintFor(stage: string, cause: unknown): string | undefined {
  if (cause instanceof OutOfRange) return 'out_of_range: clamp bounds it, warn only says so';
  const settled = ['signals', 'veto', 'score'].includes(stage) && !causeOf(cause).startsWith('its weight');
  return settled ? 'its on_error says what else should happen' : undefined;
}
