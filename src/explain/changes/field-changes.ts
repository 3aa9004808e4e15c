import type { Plan, RunResult } from '../../engine/index.js';
import { AssizeError, toError } from '../../diagnostics/index.js';
import { closureReader, compileSteps, formatPath, parsePath } from '../../expression/index.js';
import { type CandidateRead, candidateReads, type Change, pathsOverlap, type Profile } from '../../profile/index.js';
import type { Explanation } from '../explanation.js';
import { type JsonValue, omitUndefined, toJsonValue } from '../json-value.js';
import { fieldValues, type Scale, withField } from './field-values.js';
import { Attempts, chooseValue, type RunLimit, type SearchOutcome, searchScale } from './search-values.js';
import { directionOf, type Goal } from './direction.js';

/** A change of one field of one candidate that reaches a goal; verified by ranking the changed candidates. */
export type FieldChange = {
  /** `price`, `metadata.author`. */
  readonly field: string;
  /** Its value now; missing if it is absent. */
  readonly from?: JsonValue;
  /** The entries and rules that read it. */
  readonly readBy: readonly string[];
} & SearchOutcome;

/** A ranking whose candidates can be ranked again with one change. */
export interface TrialRanking {
  readonly plan: Plan;
  readonly result: RunResult;
  /** @throws AssizeError if the candidate has changed since it was ranked */
  explain(which: { readonly index: number }): Explanation;
  /** The positions of the candidates that are selected for their scores, in the order of the selection. */
  selected(): readonly number[];
  nameAt(index: number): string;
  /** A function for one field: the changed candidate in, its ranking out. A text instead: why it cannot be tried. */
  withField(field: string, index: number): ((changed: unknown) => TrialRanking) | string;
  /** @throws AssizeError if a unit waits, or the profile has no use for the weights */
  reweigh(weights: Readonly<Record<string, number>>): TrialRanking;
  whatIf(change: Change): Promise<TrialRanking>;
}

/** How many fields are tried at most. */
const MAX_FIELDS = 16;

/**
 * For each field that decides about a candidate the smallest change of it alone that reaches a goal. Each change was
 * applied and ranked. O(fields × log(values)) runs, bounded by the limit.
 */
export function fieldChanges(
  ranking: TrialRanking,
  explanation: Explanation,
  goal: Goal,
  reached: (other: TrialRanking) => boolean,
  limit: RunLimit,
): readonly FieldChange[] {
  const { plan, result } = ranking;
  const { profile } = plan;
  const { index } = explanation;
  if (index < 0) return [];
  const reads = candidateReads(profile);
  const fields = fieldsThatDecide(profile, reads);
  return fields.map(({ field, readBy }, k): FieldChange => {
    const steps = parsePath(field);
    const from = compileSteps(steps, closureReader)(result.candidates[index]);
    const known = omitUndefined({ field, from: from === undefined ? undefined : toJsonValue(from), readBy });
    const skipped = (because: string): FieldChange => ({ ...known, state: 'not_asked', because });
    if (k >= MAX_FIELDS) return skipped(`more than ${MAX_FIELDS} fields decide`);
    const values = fieldValues(steps, result.candidates, result.context.now);
    if (!values) return skipped('its values are not numbers, dates, true and false, or one of a few texts');
    const run = ranking.withField(field, index);
    if (typeof run === 'string') return skipped(run);
    const granted = limit.take(Math.ceil(limit.left / (Math.min(fields.length, MAX_FIELDS) - k)));
    const attempts = new Attempts((value) => {
      const changed = withField(result.candidates[index], steps, value);
      if (changed === undefined) throw new CannotTryError('its path leads through a value that has no fields');
      return reached(run(changed));
    }, granted);
    try {
      if (!values.scale) return { ...known, ...chooseValue(field, from, values.choices, attempts) };
      const direction = directionOf(ranking, explanation, { field, ...boundsOf(values.scale) }, goal);
      return { ...known, ...searchScale(field, from, values.scale, direction, attempts) };
    } catch (error) {
      if (error instanceof CannotTryError || error instanceof AssizeError) return skipped(toError(error).message);
      throw error;
    } finally {
      limit.give(attempts.left);
    }
  });
}

const boundsOf = (scale: Scale): { readonly least: number; readonly most: number; readonly isDate: boolean } => ({
  least: scale.numberAt(scale.first),
  most: scale.numberAt(scale.last),
  isDate: scale.kind === 'date',
});

/** The fields that vetoes, measures, scorers, rules and the combine read by name, each with its readers. */
function fieldsThatDecide(
  { vetoes, measures, scorers, adjustments, candidate }: Profile,
  reads: readonly CandidateRead[],
): readonly { readonly field: string; readonly readBy: readonly string[] }[] {
  const deciding = new Set([...scorers, ...measures, ...vetoes, ...adjustments].map(({ id }) => id));
  const readers = new Map<string, Set<string>>();
  for (const { by, field } of reads) {
    if (field === undefined || !(deciding.has(by) || by === 'combine' || by === 'weights.by')) continue;
    const steps = parsePath(field);
    const path = formatPath(steps);
    if (steps.some(({ kind }) => kind === 'each') || pathsOverlap(path, candidate.id?.source ?? 'id')) continue;
    readers.set(path, (readers.get(path) ?? new Set()).add(by));
  }
  return [...readers].map(([field, by]) => ({ field, readBy: [...by] }));
}

/** The value cannot be put into the candidate. */
class CannotTryError extends Error {
  override readonly name = 'CannotTryError';
}
