import { AssizeError, toAssizeError } from '../../diagnostics/index.js';
import { compareTied, indexIn, type Plan, type RunResult } from '../../engine/index.js';
import { type Change, readsScores } from '../../profile/index.js';
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
  type RemovalFlip,
  type Side,
} from './comparison.js';

/** The part of a ranking that a comparison needs. */
export interface ComparedRanking {
  readonly plan: Plan;
  readonly result: RunResult;
  explain(which: { readonly index: number }): Explanation;
  whatIf(change: Change): Promise<Pick<ComparedRanking, 'plan' | 'result' | 'explain'>>;
}

/**
 * Compares two candidates of one ranking.
 *
 * @throws AssizeError where both are the same candidate (ASZ507)
 */
export async function compareCandidates(ranking: ComparedRanking, a: Explanation, b: Explanation): Promise<Comparison> {
  if (a.index === b.index) throw sameCandidateError(a);
  const order = new FinalOrder(ranking.plan, ranking.result).decide(a, b);
  const { ahead, decidedBy } = order;
  const bothRanked = a.outcome.kind === 'ranked' && b.outcome.kind === 'ranked';
  const difference =
    a.outcome.kind === 'ranked' && b.outcome.kind === 'ranked' ? a.outcome.score - b.outcome.score : undefined;
  const scored = omitUndefined({ ahead, decidedBy, difference, ...compareTerms(a, b) });
  const behind: Side | undefined = ahead && (ahead === 'a' ? 'b' : 'a');
  const [last, first] = behind === 'a' ? [a, b] : [b, a];
  const flips: Flips = omitUndefined({
    behind,
    ...(bothRanked && !isSelectDecision(decidedBy)
      ? findNumberFlips(ranking, last, first)
      : { weights: [], values: [], because: whyNoNumberFlips(last, first, order) }),
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

/** The weights and values that flip two ranked candidates. */
function findNumberFlips(
  { plan, result }: ComparedRanking,
  last: Explanation,
  first: Explanation,
): Pick<Flips, 'weights' | 'values'> {
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
  const query: FlipQuery = { behind, ahead, flips, rangeOf, rulesReadScores };
  return { weights: weightFlips(query), values: valueFlips(query) };
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
  ranking: ComparedRanking,
  last: Explanation,
  first: Explanation,
): Promise<readonly RemovalFlip[]> {
  const { outcome } = last;
  if (outcome.kind !== 'refused') return [];
  return Promise.all(outcome.all.map((refusal) => removalFlip(ranking, refusal, last, first)));
}

async function removalFlip(
  ranking: ComparedRanking,
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
