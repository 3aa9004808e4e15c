import { AssizeError, toAssizeError } from '../../diagnostics/index.js';
import { compareTied, indexIn, type Plan, type RunResult } from '../../engine/index.js';
import { readsScores } from '../../profile/index.js';
import { type FieldChange, fieldChanges, type TrialRanking } from '../changes/field-changes.js';
import { RunLimit } from '../changes/search-values.js';
import { candidateName } from '../candidate-name.js';
import type { Explanation, RefusalTerm } from '../explanation.js';
import type { Domain } from '../flips/flip-search.js';
import { type FlipQuery, type NumberChange, valueFlips, weightFlips } from '../flips/number-flips.js';
import { Rescorer } from '../flips/rescorer.js';
import { deepFreeze, omitUndefined } from '../json-value.js';
import { compareTerms } from './compare-terms.js';
import { FinalOrder, type Order } from './final-order.js';
import {
  type ComparedCandidate,
  type Comparison,
  type Flips,
  isSelectDecision,
  type NumberFlip,
  type RemovalFlip,
  type Side,
} from './comparison.js';

/**
 * Compares two candidates of one ranking.
 *
 * @throws AssizeError where both are the same candidate (ASZ507)
 */
export async function compareCandidates(ranking: TrialRanking, a: Explanation, b: Explanation): Promise<Comparison> {
  if (a.index === b.index) throw sameCandidateError(a);
  const order = new FinalOrder(ranking.plan, ranking.result).decide(a, b);
  const { ahead, decidedBy } = order;
  const bothRanked = a.outcome.kind === 'ranked' && b.outcome.kind === 'ranked';
  const difference =
    a.outcome.kind === 'ranked' && b.outcome.kind === 'ranked' ? a.outcome.score - b.outcome.score : undefined;
  const scored = omitUndefined({ ahead, decidedBy, difference, ...compareTerms(a, b) });
  const behind: Side | undefined = ahead && (ahead === 'a' ? 'b' : 'a');
  const [last, first] = behind === 'a' ? [a, b] : [b, a];
  const limit = new RunLimit(ranking.result.candidates.length, COMPARED_SHARE);
  const reversed = (other: TrialRanking): boolean => comesFirst(other, last, first);
  // A pruned candidate has no scores of the expensive scorers: trying its fields would call them in every run.
  const canWin =
    behind !== undefined && last.index >= 0 && last.outcome.kind !== 'not_asked' && first.outcome.kind === 'ranked';
  const kept = limit.take(Math.min(2 * last.scorers.length, Math.ceil(limit.left / 2))); // for the weights
  const fields = canWin ? fieldChanges(ranking, last, 'before', reversed, limit) : [];
  limit.give(kept);
  const flips: Flips = omitUndefined({
    behind,
    ...(bothRanked && !isSelectDecision(decidedBy)
      ? await findNumberFlips(ranking, last, first, fields, reversed, limit)
      : { weights: [], values: [], because: whyNoNumberFlips(last, first, order) }),
    fields,
    without: behind === undefined ? [] : await removalFlips(ranking, last, first),
  });
  const { profile, labels } = a;
  const named = omitUndefined({ profile, labels });
  return deepFreeze({ ...named, a: comparedCandidate(a), b: comparedCandidate(b), ...scored, flips });
}

const comparedCandidate = ({ id, index, sameId, outcome }: Explanation): ComparedCandidate =>
  omitUndefined({ id, index, sameId, outcome });

/** Why no number is tried for two candidates: one is not ranked, or the score does not decide. */
function whyNoNumberFlips(last: Explanation, first: Explanation, { ahead, decidedBy }: Order): string {
  if (ahead === undefined) return 'neither comes first';
  if (isSelectDecision(decidedBy)) return `${decidedBy} decides, and not the score`;
  if (last.outcome.kind === 'not_asked') return `${candidateName(last)} was left out before all were asked about it`;
  if (last.outcome.kind === 'refused') return `${candidateName(last)} was refused, and not ranked`;
  return `${candidateName(first)} is pinned, whatever it would score`;
}

/** The part of the runs for the ways to win that a comparison has. */
const COMPARED_SHARE = 0.25;

/** Whether the one behind comes first in another ranking of the same candidates. */
const comesFirst = (other: TrialRanking, last: Explanation, first: Explanation): boolean =>
  new FinalOrder(other.plan, other.result).decide(other.explain(last), other.explain(first)).ahead === 'a';

/** The weights and values that flip two ranked candidates. */
async function findNumberFlips(
  ranking: TrialRanking,
  last: Explanation,
  first: Explanation,
  fields: readonly FieldChange[],
  reversed: (other: TrialRanking) => boolean,
  limit: RunLimit,
): Promise<Pick<Flips, 'weights' | 'values'>> {
  const { plan, result } = ranking;
  const behind = new Rescorer(plan, result, last);
  const ahead = new Rescorer(plan, result, first);
  const score = first.outcome.kind === 'ranked' ? first.outcome.score : 0;
  const flips = (change: NumberChange): boolean => {
    const own = behind.score(change)?.score;
    const other = change.number === 'value' ? score : ahead.score(change)?.score;
    if (own === undefined || other === undefined) return false;
    return own > other || (own === other && winsTie(plan, result, [behind, ahead], change, own));
  };
  const ranges = new Map(plan.profile.scorers.map(({ id, range }) => [id, range]));
  const rangeOf = (id: string): Domain | undefined => {
    const range = ranges.get(id);
    return range && { least: range[0], most: range[1] };
  };
  const rulesReadScores = plan.profile.adjustments.some(readsScores);
  const whyNoValue = (id: string): string | undefined => {
    if (fields.some(({ readBy, state }) => state !== 'not_asked' && readBy.includes(id)))
      return 'its fields were tried';
    if (!ranges.get(id)) return 'it does not declare the range of its scores';
    return selectsByScore(plan) ? undefined : 'the selection depends on more than scores';
  };
  const query: FlipQuery = { behind, ahead, flips, rangeOf, whyNoValue, rulesReadScores };
  const weights: NumberFlip[] = [];
  for (const flip of weightFlips(query)) weights.push(await verifiedWeight(ranking, flip, reversed, limit));
  return { weights, values: valueFlips(query) };
}

const selectsByScore = ({ profile: { select } }: Plan): boolean =>
  !(select.diversify || select.pack || select.place || select.per || select.duplicates);

/** A weight that flips the scores of two candidates flips them in the ranking as well, or is not a flip. */
async function verifiedWeight(
  ranking: TrialRanking,
  flip: NumberFlip,
  reversed: (other: TrialRanking) => boolean,
  limit: RunLimit,
): Promise<NumberFlip> {
  // Which scores no weight reverses is certain; the order after select may depend on more.
  if (flip.state === 'none' && !selectsByScore(ranking.plan)) return { ...flip, how: 'search' };
  if (flip.state !== 'flips') return flip;
  const { id, to, rounded, ...known } = flip;
  const skipped = (because: string): NumberFlip => ({ id, state: 'not_asked', because });
  if (limit.take(2) < 2) return skipped('the limit of runs was reached');
  const holds = async (weight: number): Promise<boolean> =>
    reversed(
      ranking.result.scored.pruned
        ? await ranking.whatIf({ weights: { [id]: weight } })
        : ranking.reweigh({ [id]: weight }),
    );
  try {
    if (!(await holds(to))) return skipped('the weight that reverses their scores does not reverse their order');
    const isRounded = rounded !== undefined && (rounded === to || (await holds(rounded)));
    return omitUndefined({ ...known, id, to, rounded: isRounded ? rounded : undefined });
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return skipped(error.problems[0]?.message ?? error.message);
  }
}

/** Whether the one behind comes first where both have the same score. */
function winsTie(
  plan: Plan,
  { kept }: RunResult,
  [behind, ahead]: readonly [Rescorer, Rescorer],
  change: NumberChange,
  score: number,
): boolean {
  const own = indexIn(kept, behind.explanation.index);
  const other = indexIn(kept, ahead.explanation.index);
  const keys = (plan.select.ties ?? [undefined]).map((key) => {
    if (!key) return undefined;
    // A sparse column: the order reads these two cells only.
    const column: unknown[] = [];
    column[own] = behind.read(change, score, key);
    column[other] = ahead.read(change.number === 'value' ? undefined : change, score, key);
    return column;
  });
  return compareTied(keys, own, other) < 0;
}

/** Ranks again without each entry that refused the one behind. */
async function removalFlips(
  ranking: TrialRanking,
  last: Explanation,
  first: Explanation,
): Promise<readonly RemovalFlip[]> {
  const { outcome } = last;
  if (outcome.kind !== 'refused') return [];
  return Promise.all(outcome.all.map((refusal) => removalFlip(ranking, refusal, last, first)));
}

async function removalFlip(
  ranking: TrialRanking,
  { by: id, kind: refusal }: RefusalTerm,
  last: Explanation,
  first: Explanation,
): Promise<RemovalFlip> {
  if (id === 'combine') return { id, refusal, state: 'not_asked', because: 'no entry refused it alone' };
  try {
    const without = await ranking.whatIf({ without: id });
    const [behind, other] = [without.explain({ index: last.index }), without.explain({ index: first.index })];
    const { ahead } = new FinalOrder(without.plan, without.result).decide(behind, other);
    return {
      id,
      refusal,
      state: ahead === 'a' ? 'flips' : 'none',
      outcome: behind.outcome,
      other: other.outcome,
    };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { id, refusal, state: 'not_asked', because: error.problems[0]?.message ?? error.message };
  }
}

const sameCandidateError = ({ id, index, sameId }: Explanation): AssizeError =>
  toAssizeError([
    {
      code: 'ASZ507',
      message: `${id} is compared with itself`,
      hint:
        sameId === undefined
          ? 'name two candidates'
          : `${sameId} candidates have this id; a position names one of them, as '#${index}'`,
    },
  ]);
