import { AssizeError } from '../contract/index.js';
import type { Profile } from '../profile/profile.js';
import { causeOf } from '../stages/failures.js';
import type { RunFailed } from '../stages/plan.js';
import { idOf } from './ids.js';

/**
 * A failed run as its user is told of it.
 *
 * @param candidates those of the run, or of the part of a stream that failed
 * @param offset     how many came before that part
 */
export function runFailure(
  profile: Profile,
  { entry, stage, failure, index }: RunFailed,
  candidates: readonly unknown[] | undefined,
  offset = 0,
): AssizeError {
  // What a unit finds wrong with the context has a place of its own.
  const placed = failure instanceof AssizeError && failure.problems.every(({ path }) => path !== undefined);
  if (placed) return new AssizeError(failure.problems, failure.message, { cause: failure });
  const candidate = index === undefined ? undefined : candidates?.[index];
  const about = candidate === undefined || index === undefined ? '' : ` on ${idOf(profile, candidate, offset + index)}`;
  const message = `the ${stage} entry ${entry} failed${about}: ${causeOf(failure)}`;
  const place = [...profile.vetoes, ...profile.scorers].find(({ id }) => id === entry)?.place;
  const settled = stage === 'veto' || (stage === 'score' && !causeOf(failure).startsWith('its weight'));
  const hint = settled ? 'its on_error says what else should happen' : undefined;
  return new AssizeError([{ code: 'ASZ501', message, place, hint }], message, { cause: failure });
}
