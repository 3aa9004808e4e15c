import { AssizeError } from '../../contract/index.js';
import { failure } from '../../document/failure.js';
import { compareTerms, decide } from '../../explain/compare-terms.js';
import type { ComparedCandidate, Comparison, Flips, RemovalFlip, Side } from '../../explain/comparison.js';
import type { CandidateOutcome, Explanation, RefusalTerm } from '../../explain/explanation.js';
import type { Domain } from '../../explain/flip-search.js';
import { type Contest, type Otherwise, valueFlips, weightFlips } from '../../explain/flips.js';
import { defined, frozen } from '../../explain/plain.js';
import { indexIn } from '../../matrix/slab.js';
import type { Change } from '../../profile/amend.js';
import { readsScores } from '../../profile/reads-scores.js';
import { compareTied } from '../../stages/select.js';
import type { Plan } from '../compile/plan.js';
import type { Outcome } from '../outcome.js';
import { Rescorer } from './rescore.js';

/** A ranking as far as a comparison needs it. */
export interface Compared {
  readonly plan: Plan;
  readonly outcome: Outcome;
  explain(which: { readonly index: number }): Explanation;
  whatIf(change: Change): Promise<Pick<Compared, 'explain'>>;
}

/** Compares two candidates of one ranking. */
export async function compare(ranking: Compared, a: Explanation, b: Explanation): Promise<Comparison> {
  if (a.index === b.index) throw sameCandidate(a);
  const { ahead, decidedBy } = decide(a.outcome, b.outcome);
  const both = a.outcome.kind === 'ranked' && b.outcome.kind === 'ranked';
  const difference =
    a.outcome.kind === 'ranked' && b.outcome.kind === 'ranked' ? a.outcome.score - b.outcome.score : undefined;
  const scored = defined({ ahead, decidedBy, difference, ...compareTerms(a, b) });
  const behind: Side | undefined = ahead && (ahead === 'a' ? 'b' : 'a');
  const [last, first] = behind === 'a' ? [a, b] : [b, a];
  const flips: Flips = defined({
    behind,
    ...(both ? numbers(ranking, last, first) : { weights: [], values: [], because: unasked(last, first, behind) }),
    without: behind === undefined ? [] : await removals(ranking, last, first),
  });
  return frozen({ profile: a.profile, a: candidateOf(a), b: candidateOf(b), ...scored, flips });
}

const candidateOf = ({ id, index, sameId, outcome }: Explanation): ComparedCandidate =>
  defined({ id, index, sameId, outcome });

/** Why no number would turn two candidates. */
function unasked(last: Explanation, first: Explanation, behind: Side | undefined): string {
  if (behind === undefined) return 'neither comes first';
  if (last.outcome.kind === 'not_asked') return `${last.id} was left out before all were asked about it`;
  if (last.outcome.kind === 'refused') return `${last.id} was refused, and not ranked`;
  return `${first.id} is pinned, whatever it would score`;
}

/** Weights and scores that would turn two candidates that are ranked. */
function numbers(
  { plan, outcome }: Compared,
  last: Explanation,
  first: Explanation,
): Pick<Flips, 'weights' | 'values'> {
  const behind = new Rescorer(plan, outcome, last);
  const ahead = new Rescorer(plan, outcome, first);
  const score = first.outcome.kind === 'ranked' ? first.outcome.score : 0;
  const turns = (otherwise: Otherwise): boolean => {
    const own = behind.score(otherwise)?.score;
    const other = otherwise.what === 'value' ? score : ahead.score(otherwise)?.score;
    if (own === undefined || other === undefined) return false;
    return own > other || (own === other && comesFirst(plan, outcome, [behind, ahead], otherwise, own));
  };
  const ranges = new Map(plan.profile.scorers.map(({ id, range }) => [id, range]));
  const rangeOf = (id: string): Domain | undefined => {
    const range = ranges.get(id);
    return range && { least: range[0], most: range[1] };
  };
  const rulesReadScores = plan.profile.adjustments.some(readsScores);
  const contest: Contest = { behind, ahead, turns, rangeOf, rulesReadScores };
  return { weights: weightFlips(contest), values: valueFlips(contest) };
}

/** Whether the one behind comes first where both have the same score. */
function comesFirst(
  plan: Plan,
  { kept }: Outcome,
  [behind, ahead]: readonly [Rescorer, Rescorer],
  otherwise: Otherwise,
  score: number,
): boolean {
  const rows = [behind, ahead].map(({ explanation }) => indexIn(kept, explanation.index));
  const [own = 0, other = 0] = rows;
  // Only these two are asked: a column with two cells.
  const asNow: Otherwise = { what: 'weight', k: 0, to: 0 };
  const keys = (plan.select.ties ?? [undefined]).map((key) => {
    if (!key) return undefined;
    const column: unknown[] = [];
    column[own] = behind.read(otherwise, score, key);
    column[other] = ahead.read(otherwise.what === 'value' ? asNow : otherwise, score, key);
    return column;
  });
  return compareTied(keys, own, other) < 0;
}

/** What the one behind was refused for, each left out alone: the candidates are ranked again without it. */
async function removals(ranking: Compared, last: Explanation, first: Explanation): Promise<readonly RemovalFlip[]> {
  const { outcome } = last;
  if (outcome.kind !== 'refused') return [];
  return Promise.all(outcome.all.map((refusal) => removal(ranking, refusal, last, first)));
}

async function removal(
  ranking: Compared,
  { by: id, kind: refusal }: RefusalTerm,
  last: Explanation,
  first: Explanation,
): Promise<RemovalFlip> {
  if (id === 'combine') return { id, refusal, state: 'not_asked', because: 'no entry refused it alone' };
  try {
    const otherwise = await ranking.whatIf({ without: id });
    const [outcome, other] = [last, first].map(({ index }) => otherwise.explain({ index }).outcome) as [
      CandidateOutcome,
      CandidateOutcome,
    ];
    const { ahead } = decide(outcome, other);
    return { id, refusal, state: ahead === 'a' ? 'flips' : 'none', outcome, other };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { id, refusal, state: 'not_asked', because: error.problems[0]?.message ?? error.message };
  }
}

const sameCandidate = ({ id, sameId }: Explanation): AssizeError =>
  failure([
    {
      code: 'ASZ507',
      message: `${id} is compared with itself`,
      hint: sameId === undefined ? 'name two candidates' : `${sameId} candidates have this id; name them by { index }`,
    },
  ]);
