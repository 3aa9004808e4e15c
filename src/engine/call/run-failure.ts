import { AssizeError, toAssizeError } from '../../diagnostics/index.js';
import { ExpressionStepsError } from '../../expression/index.js';
import type { Profile } from '../../profile/index.js';
import { idOf } from '../candidates/id.js';
import { CandidateNames } from '../candidates/names.js';
import { entryLocation } from '../failures/entry-location.js';
import { causeOf } from '../failures/failures.js';
import type { RunFailed } from '../failures/run-errors.js';
import { OutOfRange } from '../stages/score/resolve-score.js';

/**
 * The error that a user gets for a failed run: it names the entry with its place, the candidate, and the cause.
 *
 * @param candidates those of the run, or of the part of a stream that failed
 * @param offset     how many came before that part
 */
export function toRunError(
  profile: Profile,
  { entry, stage, failure: cause, index }: RunFailed,
  candidates: readonly unknown[] | undefined,
  offset = 0,
): AssizeError {
  // A problem that a unit found in the context has a place of its own.
  const placed = cause instanceof AssizeError && cause.problems.every(({ path }) => path !== undefined);
  if (placed) return toAssizeError(cause.problems, { cause });
  const about = index === undefined || !candidates?.[index] ? '' : ` on ${nameIn(profile, candidates, index, offset)}`;
  if (cause instanceof ExpressionStepsError) {
    const { expression, steps } = cause;
    const message = `the ${stage} entry ${entry} failed${about}: its expression takes more than ${steps} steps: ${excerptOf(expression.source)}`;
    const place = expression.place ?? entryLocation(profile, stage, entry)?.place;
    return toAssizeError([{ code: 'ASZ403', message, place, hint: STEPS_HINT }], { cause });
  }
  const message = `the ${stage} entry ${entry} failed${about}: ${causeOf(cause)}`;
  return toAssizeError(
    [{ code: 'ASZ501', message, place: entryLocation(profile, stage, entry)?.place, hint: hintFor(stage, cause) }],
    { cause },
  );
}

/** The name of a candidate of a part: with its position where several of the part have its id. */
function nameIn(profile: Profile, candidates: readonly unknown[], position: number, offset: number): string {
  const index = offset + position;
  return new CandidateNames(profile, candidates).nameOf({ id: idOf(profile, candidates[position], index), index });
}

const STEPS_HINT =
  'a macro inside another takes a step for each pair of elements, and a text one for 16 characters: take out what you can, or allow more with expression_steps at the root of the profile';

const excerptOf = (source: string): string => (source.length > 80 ? `${source.slice(0, 80)}…` : source);

/** What can be done about it. */
function hintFor(stage: string, cause: unknown): string | undefined {
  if (cause instanceof OutOfRange) return 'out_of_range: clamp bounds it, warn only says so';
  const hasRule = ['signals', 'veto', 'measure', 'score'].includes(stage) && !causeOf(cause).startsWith('its weight');
  return hasRule ? 'its on_error says what else should happen' : undefined;
}
