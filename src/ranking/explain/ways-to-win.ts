import { AssizeError, toError, valueOrError } from '../../base/index.js';
import type { Refusal, Plan, RunResult } from '../../engine/index.js';
import { closureReader, compileSteps, formatPath, parsePath } from '../../expression/index.js';
import {
  combineFacts,
  type CandidateRead,
  candidateReads,
  pathsOverlap,
  type Labels,
  type Profile,
  type Change,
} from '../../profile/index.js';
import { directionOf, type Goal } from './slope.js';
import {
  Attempts,
  chooseValue,
  fieldValues,
  numberScale,
  RunLimit,
  type Scale,
  type SearchOutcome,
  searchScale,
  withField,
} from './search-values.js';
import { type Explanation, explanationParts } from './explanation.js';
import type { CandidateOutcome } from './outcome.js';
import { deepFreeze, type JsonValue, omitUndefined, toJsonValue } from './json-value.js';

/** The goal of a candidate: `first` of the selection, or `selected`. Pinned candidates and fallbacks do not count. */
export type WinGoal = 'first' | 'selected';

/** A weight that alone lets a candidate reach the goal. */
export type WeightChange = {
  /** The scorer. */
  readonly id: string;
  /** Its weight now; missing if the profile computes it. */
  readonly from?: number;
} & (
  | { readonly state: 'flips'; readonly to: number }
  | { readonly state: 'none' }
  | { readonly state: 'not_evaluated'; readonly because: string }
);

/** An entry that refused the candidate, and whether the goal is reached without it. */
export interface EntryRemoval {
  readonly id: string;
  readonly refusal: Refusal;
  readonly state: 'flips' | 'none' | 'not_evaluated';
  readonly because?: string;
}

/**
 * Single changes that would let a candidate win. Each change with the state `flips` was applied and the candidates were
 * ranked again, including select. Plain data, frozen. As JSON it is the same. Its keys are stable; new keys may be
 * added.
 */
export interface WaysToWin {
  readonly profile: string;
  /** The display names of the entries that have a label, by id; missing if no entry has one. */
  readonly labels?: Labels;
  readonly id: string;
  /** Its position in the input; −1 if only a fallback generated it. */
  readonly index: number;
  readonly sameId?: number;
  readonly goal: WinGoal;
  /** Its current result. */
  readonly outcome: CandidateOutcome;
  /** Whether it has already reached the goal. Then nothing is tried. */
  readonly reached: boolean;
  /** The name of the first candidate of the current selection; missing if the selection is empty. */
  readonly first?: string;
  readonly fields: readonly FieldChange[];
  readonly weights: readonly WeightChange[];
  readonly without: readonly EntryRemoval[];
  /** How often the candidates were ranked again, and the limit. */
  readonly runs: { readonly used: number; readonly most: number };
  /** Why nothing was tried. */
  readonly because?: string;
}

/** Finds the single changes that let a candidate win. */
export async function waysToWin(ranking: TrialRanking, explanation: Explanation, goal: WinGoal): Promise<WaysToWin> {
  const { profile, id, index, sameId, outcome } = explanation;
  const { labels } = ranking.plan.profile;
  const reached = (other: TrialRanking): boolean =>
    goal === 'first' ? other.selected()[0] === index : other.selected().includes(index);
  const [first] = ranking.selected();
  const known = {
    profile,
    labels,
    id,
    index,
    sameId,
    goal,
    outcome,
    reached: reached(ranking),
    first: first === undefined ? undefined : ranking.nameAt(first),
  };
  const limit = new RunLimit(ranking.result.candidates.length);
  const because = whyNothing(outcome, ranking.plan.select.offset);
  const nothing = because !== undefined || known.reached;
  const without = nothing ? [] : await removals(ranking, outcome, reached);
  limit.take(without.length);
  const kept = limit.take(Math.floor(limit.left / 3)); // for the weights
  const fields = nothing ? [] : fieldChanges(ranking, explanation, goal, reached, limit);
  limit.give(kept);
  const weights = nothing ? [] : weightChanges(ranking, explanation, reached, limit);
  const runs = { used: limit.runs - limit.left, most: limit.runs };
  return deepFreeze(omitUndefined({ ...known, fields, weights, without, runs, because }));
}

function whyNothing({ kind }: CandidateOutcome, offset: number): string | undefined {
  if (offset > 0) return 'the ranking is a later page: rank without an offset';
  if (kind === 'pinned') return 'it is pinned, so its score has no effect';
  return kind === 'made' ? 'a fallback generated it, and no entry evaluated it' : undefined;
}

/** Ranks again without each entry that refused the candidate. */
async function removals(
  ranking: TrialRanking,
  outcome: CandidateOutcome,
  reached: (other: TrialRanking) => boolean,
): Promise<readonly EntryRemoval[]> {
  if (outcome.kind !== 'refused') return [];
  return Promise.all(
    outcome.all.map(async ({ by: id, kind: refusal }): Promise<EntryRemoval> => {
      if (id === 'combine') return { id, refusal, state: 'not_evaluated', because: 'no entry refused it alone' };
      try {
        return { id, refusal, state: reached(await ranking.whatIf({ without: id })) ? 'flips' : 'none' };
      } catch (error) {
        return { id, refusal, state: 'not_evaluated', because: messageOf(error) };
      }
    }),
  );
}

/** Weights are tried up to this multiple of the greatest. */
const MAX_WEIGHT_FACTOR = 1000;

function weightChanges(
  ranking: TrialRanking,
  explanation: Explanation,
  reached: (other: TrialRanking) => boolean,
  limit: RunLimit,
): readonly WeightChange[] {
  const { combine, scorers } = explanationParts(explanation);
  if (!combine || combineFacts(combine.id).weights === 'none') return [];
  const weighted = scorers.filter(({ state }) => state !== 'not_evaluated');
  const written = weighted.flatMap((term) => (typeof term.written === 'number' ? [term.written] : []));
  const greatest = Math.max(1, ...written.map(Math.abs));
  const scale = numberScale([...written, greatest * MAX_WEIGHT_FACTOR * 0.1, 0.001]);
  if (!scale) return [];
  return weighted.map((term, k): WeightChange => {
    const { id } = term;
    const from = typeof term.written === 'number' ? term.written : undefined;
    const known = omitUndefined({ id, from });
    if (ranking.result.scored.pruned)
      return { ...known, state: 'not_evaluated', because: 'some scorers did not run on every candidate' };
    const granted = limit.take(Math.ceil(limit.left / (weighted.length - k)));
    const attempts = new Attempts((weight) => reachedWith(ranking, id, Number(weight), reached), granted);
    try {
      const found = searchScale(id, from ?? 1, scale, undefined, attempts);
      if (found.state === 'flips') return { ...known, state: 'flips', to: Number(found.to) };
      return found.state === 'none' ? { ...known, state: 'none' } : { ...known, ...found };
    } catch (error) {
      return { ...known, state: 'not_evaluated', because: messageOf(error) };
    } finally {
      limit.give(attempts.left);
    }
  });
}

/** Whether a weight reaches the goal. A weight that the profile cannot have (all weights would be 0) does not. */
function reachedWith(
  ranking: TrialRanking,
  id: string,
  weight: number,
  reached: (other: TrialRanking) => boolean,
): boolean {
  try {
    return reached(ranking.reweigh({ [id]: weight }));
  } catch (error) {
    if (error instanceof AssizeError && error.problems.every(({ code }) => code !== 'ASZ516')) return false;
    throw error;
  }
}

/** @throws `error` itself if it is not an AssizeError */
export function messageOf(error: unknown): string {
  if (!(error instanceof AssizeError)) throw error;
  return error.problems[0]?.message ?? error.message;
}

/** A change of one field of one candidate that reaches a goal; verified by ranking the changed candidates. */
export type FieldChange = {
  /** Its path: `price`, `metadata.author`. */
  readonly field: string;
  /** Its current value; missing if it is absent. */
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
  /** The positions of the candidates that are selected for their scores, in their final order. */
  selected(): readonly number[];
  nameAt(index: number): string;
  /** Returns a function that ranks with a changed candidate, or a text: why the field cannot be tried. */
  withField(field: string, index: number): ((changed: unknown) => TrialRanking) | string;
  /** @throws AssizeError if a unit is asynchronous, or the profile does not use weights */
  reweigh(weights: Readonly<Record<string, number>>): TrialRanking;
  whatIf(change: Change): Promise<TrialRanking>;
}

/** The maximum number of fields to try. */
const MAX_FIELDS = 16;

/**
 * Finds for each field that can affect a candidate's result the smallest change that reaches the goal, with all else
 * unchanged. Each change was applied and ranked. O(fields × log(values)) runs, bounded by the limit.
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
    const from = valueOrError(() => compileSteps(steps, closureReader)(result.candidates[index]));
    if (from instanceof Error) {
      return { field, readBy, state: 'not_evaluated', because: `it cannot be read: ${from.message}` };
    }
    const known = omitUndefined({ field, from: from === undefined ? undefined : toJsonValue(from), readBy });
    const skipped = (because: string): FieldChange => ({ ...known, state: 'not_evaluated', because });
    if (k >= MAX_FIELDS) return skipped(`more than ${MAX_FIELDS} fields affect the result`);
    const values = valueOrError(() => fieldValues(steps, result.candidates, result.context.now));
    if (!values || values instanceof Error)
      return skipped('its values are not numbers, dates, true and false, or one of a few texts');
    const run = ranking.withField(field, index);
    if (typeof run === 'string') return skipped(run);
    const granted = limit.take(Math.ceil(limit.left / (Math.min(fields.length, MAX_FIELDS) - k)));
    const attempts = new Attempts((value) => {
      const changed = withField(result.candidates[index], steps, value);
      if (changed === undefined) throw new CannotTryError('a value on its path has no fields');
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

/** The fields that vetoes, measures, scorers, rules and the combine formula read by name, each with its readers. */
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

/** The candidate cannot hold the value. */
class CannotTryError extends Error {
  override readonly name = 'CannotTryError';
}
