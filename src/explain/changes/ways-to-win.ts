import { AssizeError } from '../../diagnostics/index.js';
import { combineFacts, type Labels } from '../../profile/index.js';
import type { Refusal } from '../../engine/index.js';
import { numberScale } from './field-values.js';
import type { CandidateOutcome, Explanation } from '../explanation.js';
import { deepFreeze, omitUndefined } from '../json-value.js';
import { type FieldChange, fieldChanges, type TrialRanking } from './field-changes.js';
import { Attempts, RunLimit, searchScale } from './search-values.js';

/** What a candidate is to become: `first` of the selection, or `selected` at all. Pinned candidates and fallbacks do not count. */
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
  | { readonly state: 'not_asked'; readonly because: string }
);

/** An entry that refused the candidate, and whether the goal is reached without it. */
export interface EntryRemoval {
  readonly id: string;
  readonly refusal: Refusal;
  readonly state: 'flips' | 'none' | 'not_asked';
  readonly because?: string;
}

/**
 * Single changes that would let a candidate win. Each with the state `flips` was applied, and the candidates were ranked
 * again, select included. Plain data, frozen; as JSON it is the same. Its keys are stable; new ones may come.
 */
export interface WaysToWin {
  readonly profile: string;
  /** The names for people of the entries that have one, by id; missing where none has. */
  readonly labels?: Labels;
  readonly id: string;
  /** Its position in the candidates that were given; −1 for one that only a fallback generated. */
  readonly index: number;
  readonly sameId?: number;
  readonly goal: WinGoal;
  /** Its result now. */
  readonly outcome: CandidateOutcome;
  /** Whether it has won already: then nothing is tried. */
  readonly reached: boolean;
  /** The name of the candidate that is the first of the selection now; missing if the selection is empty. */
  readonly first?: string;
  readonly fields: readonly FieldChange[];
  readonly weights: readonly WeightChange[];
  readonly without: readonly EntryRemoval[];
  /** How often the candidates were ranked again, and how often they could have been. */
  readonly runs: { readonly used: number; readonly most: number };
  /** Why nothing was tried. */
  readonly because?: string;
}

/** Finds the single changes that let a candidate win. */
export async function waysToWin(ranking: TrialRanking, explanation: Explanation, goal: WinGoal): Promise<WaysToWin> {
  const { profile, labels, id, index, sameId, outcome } = explanation;
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
  if (kind === 'pinned') return 'it is pinned, whatever it would score';
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
      if (id === 'combine') return { id, refusal, state: 'not_asked', because: 'no entry refused it alone' };
      try {
        return { id, refusal, state: reached(await ranking.whatIf({ without: id })) ? 'flips' : 'none' };
      } catch (error) {
        return { id, refusal, state: 'not_asked', because: messageOf(error) };
      }
    }),
  );
}

/** How many times the greatest weight is tried at most. */
const MAX_WEIGHT_FACTOR = 1000;

function weightChanges(
  ranking: TrialRanking,
  { combine, scorers }: Explanation,
  reached: (other: TrialRanking) => boolean,
  limit: RunLimit,
): readonly WeightChange[] {
  if (!combine || combineFacts(combine.method).weights === 'none') return [];
  const weighted = scorers.filter(({ state }) => state !== 'not_asked');
  const written = weighted.flatMap((term) => (typeof term.written === 'number' ? [term.written] : []));
  const greatest = Math.max(1, ...written.map(Math.abs));
  const scale = numberScale([...written, greatest * MAX_WEIGHT_FACTOR * 0.1, 0.001]);
  if (!scale) return [];
  return weighted.map((term, k): WeightChange => {
    const { id } = term;
    const from = typeof term.written === 'number' ? term.written : undefined;
    const known = omitUndefined({ id, from });
    if (ranking.result.scored.pruned)
      return { ...known, state: 'not_asked', because: 'not every scorer has scored every candidate' };
    const granted = limit.take(Math.ceil(limit.left / (weighted.length - k)));
    const attempts = new Attempts((weight) => reachedWith(ranking, id, Number(weight), reached), granted);
    try {
      const found = searchScale(id, from ?? 1, scale, undefined, attempts);
      if (found.state === 'flips') return { ...known, state: 'flips', to: Number(found.to) };
      return found.state === 'none' ? { ...known, state: 'none' } : { ...known, ...found };
    } catch (error) {
      return { ...known, state: 'not_asked', because: messageOf(error) };
    } finally {
      limit.give(attempts.left);
    }
  });
}

/** A weight that the profile cannot have, as the only one that is not 0, does not reach anything. */
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

function messageOf(error: unknown): string {
  if (!(error instanceof AssizeError)) throw error;
  return error.problems[0]?.message ?? error.message;
}
