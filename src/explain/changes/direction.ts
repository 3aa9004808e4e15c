import type { Plan, RunResult } from '../../engine/index.js';
import { isExpression } from '../../expression/index.js';
import { candidateReads, combineFacts, pathsOverlap, type Profile, readsScores } from '../../profile/index.js';
import type { Explanation, ScorerTerm } from '../explanation.js';
import { slopeOf, type Slope } from './monotone.js';

/** What a change is to reach: the first place of the selection, a place in it, or a place before one other candidate. */
export type Goal = 'first' | 'selected' | 'before';

/** A field and the values that are considered, as formulas read them. */
interface ConsideredField {
  readonly field: string;
  readonly least: number;
  readonly most: number;
  readonly isDate: boolean;
}

/**
 * The direction in which a goal stays reached once it is reached, as one field of a candidate changes. Undefined unless
 * that is certain: exactly one scorer reads the field, as a monotone formula, and everything after it keeps the order.
 */
export function directionOf(
  { plan: { profile }, result }: { readonly plan: Pick<Plan, 'profile'>; readonly result: RunResult },
  explanation: Explanation,
  { field, least, most, isDate }: ConsideredField,
  goal: Goal,
): 'more' | 'less' | undefined {
  const readers = candidateReads(profile).filter(
    ({ by, field: read }) => by !== 'candidate.id' && (read === undefined || pathsOverlap(read, field)),
  );
  const [reader] = readers;
  const entry = profile.scorers.find(({ id }) => id === reader?.by);
  const term = explanation.scorers.find(({ id }) => id === entry?.id);
  if (!entry || !term || !readers.every(({ by }) => by === entry.id)) return undefined;
  const ownScope = [...entry.scopes].every((scope) => scope === 'candidate');
  if (!ownScope || entry.outOfRange === 'fail' || !keepsOrder(profile, result, goal)) return undefined;
  if (explanation.outcome.kind !== 'ranked' || !rulesGrow(profile, explanation)) return undefined;
  const { context, now } = result.context;
  const candidate = result.candidates[explanation.index];
  const slope = slopeOf(entry.use, { path: field, isDate, least, most, candidate, context, now });
  const effect = combinedSlope(slope, explanation, term);
  return effect === 'up' ? 'more' : effect === 'down' ? 'less' : undefined;
}

/** Whether a greater score of one candidate, all others being equal, never takes it away from the goal. */
function keepsOrder({ select }: Profile, { scored, pinned }: RunResult, goal: Goal): boolean {
  if (scored.pruned || select.pack || select.place) return false;
  const { diversify, ties, duplicates, per } = select;
  // The first choice of maximal marginal relevance is the best score: nothing is chosen yet that it could be similar to.
  const keepsFirst = diversify?.use.name === 'MmrSelector' && pinned.length === 0;
  if (diversify && !(goal === 'first' && keepsFirst)) return false;
  const keys: readonly unknown[] = [...(ties ?? []), duplicates, per?.by];
  return !keys.some(
    (key) => isExpression(key) && key.reads.some((name) => name === 'score' || name.startsWith('score')),
  );
}

/** Whether the rules make a greater score of a greater one, or leave it. */
const rulesGrow = ({ adjustments }: Profile, { rules }: Explanation): boolean =>
  !adjustments.some(readsScores) &&
  rules.every(({ steps }) => steps.every(({ operation, amount }) => operation !== 'multiply' || amount >= 0));

function combinedSlope(
  slope: Slope | undefined,
  { combine }: Explanation,
  { share = 0, state }: ScorerTerm,
): Slope | undefined {
  if (!slope || !combine || state === 'not_asked') return undefined;
  const { method } = combine;
  if (method === 'min' || method === 'max') return slope;
  if (method === 'formula' || combineFacts(method).effect !== 'summand' || share === 0) return undefined;
  if (share > 0) return slope;
  return slope === 'flat' ? slope : slope === 'up' ? 'down' : 'up';
}
