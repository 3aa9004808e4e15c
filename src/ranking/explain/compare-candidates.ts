import { type AssizeError, randomAt, toAssizeError } from '../../base/index.js';
import {
  positionName,
  indexIn,
  type Plan,
  type RuleStep,
  type Evaluation,
  type RunResult,
  applyRule,
  combineResolved,
  normalizedWeights,
  ownWeight,
  pinnedOnPage,
  compareTied,
} from '../../engine/index.js';
import { readsScores } from '../../profile/index.js';
import { type FieldChange, fieldChanges, messageOf, type TrialRanking } from './ways-to-win.js';
import { RunLimit } from './search-values.js';
import {
  candidateName,
  type ComparedCandidate,
  compareTerms,
  type Comparison,
  type Decision,
  type Flips,
  isSelectDecision,
  type NumberFlip,
  type RemovalFlip,
  type Side,
} from './comparison.js';
import { type ExplainContext, explainContext, withRun } from './explain-entries.js';
import { type Explanation, type ExplanationParts, explanationParts } from './explanation.js';
import type { CandidateOutcome, RefusalTerm } from './outcome.js';
import {
  type Domain,
  type FlipCandidate,
  type FlipQuery,
  type NumberChange,
  type Rescored,
  valueFlips,
  weightFlips,
} from './flips.js';
import { rankedRowOf } from '../result-rows.js';
import { deepFreeze, omitUndefined } from './json-value.js';

/**
 * Compares two candidates of one ranking.
 *
 * @throws AssizeError if both are the same candidate (ASZ507)
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
  const reversed = (other: TrialRanking): boolean =>
    new FinalOrder(other.plan, other.result).decide(other.explain(last), other.explain(first)).ahead === 'a';
  // A pruned candidate has no expensive scores. Trying its fields would call the expensive scorers in every run.
  const canWin =
    behind !== undefined && last.index >= 0 && last.outcome.kind !== 'not_evaluated' && first.outcome.kind === 'ranked';
  const kept = limit.take(Math.min(2 * explanationParts(last).scorers.length, Math.ceil(limit.left / 2))); // for the weights
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
  const { profile } = a;
  const named = omitUndefined({ profile, labels: ranking.plan.profile.labels });
  return deepFreeze({ ...named, a: comparedCandidate(a), b: comparedCandidate(b), ...scored, flips });
}

const comparedCandidate = ({ id, index, sameId, outcome }: Explanation): ComparedCandidate =>
  omitUndefined({ id, index, sameId, outcome });

/** Why no weight or value is tried: one candidate is not ranked, or the score does not decide. */
function whyNoNumberFlips(last: Explanation, first: Explanation, { ahead, decidedBy }: Order): string {
  if (ahead === undefined) return 'neither comes first';
  if (isSelectDecision(decidedBy)) return `${decidedBy} decides, not the score`;
  if (last.outcome.kind === 'not_evaluated') return `${candidateName(last)} was excluded before all scorers ran`;
  if (last.outcome.kind === 'refused') return `${candidateName(last)} was refused and not ranked`;
  return `${candidateName(first)} is pinned, so its score has no effect`;
}

/** The fraction of the run limit of `waysToWin` that a comparison may use. */
const COMPARED_SHARE = 0.25;

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
    if (fields.some(({ readBy, state }) => state !== 'not_evaluated' && readBy.includes(id)))
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

/** Checks by ranking again that a weight which flips the scores also flips the final order. */
async function verifiedWeight(
  ranking: TrialRanking,
  flip: NumberFlip,
  reversed: (other: TrialRanking) => boolean,
  limit: RunLimit,
): Promise<NumberFlip> {
  // No weight reverses the scores. If select uses more than scores, that does not prove it for the final order.
  if (flip.state === 'none' && !selectsByScore(ranking.plan)) return { ...flip, how: 'search' };
  if (flip.state !== 'flips') return flip;
  const { id, to, rounded, ...known } = flip;
  const skipped = (because: string): NumberFlip => ({ id, state: 'not_evaluated', because });
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
    return skipped(messageOf(error));
  }
}

/** Whether the candidate behind comes first if both have the same score. */
function winsTie(
  plan: Plan,
  { kept }: RunResult,
  [behind, ahead]: readonly [Rescorer, Rescorer],
  change: NumberChange,
  score: number,
): boolean {
  const own = indexIn(kept, behind.index);
  const other = indexIn(kept, ahead.index);
  const { ties = [], seed } = plan.select;
  const keys = ties.map((key) => {
    if (!key) return undefined;
    // A sparse column: compareTied reads only these two cells.
    const column: unknown[] = [];
    column[own] = behind.read(change, score, key);
    column[other] = ahead.read(change.number === 'value' ? undefined : change, score, key);
    return column;
  });
  const random: unknown[] = [];
  if (seed !== undefined) for (const { index } of [behind, ahead]) random[indexIn(kept, index)] = randomAt(seed, index);
  return compareTied([...keys, random], own, other) < 0;
}

/** Ranks again without each entry that refused the candidate behind. */
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
  if (id === 'combine') return { id, refusal, state: 'not_evaluated', because: 'no entry refused it alone' };
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
    return { id, refusal, state: 'not_evaluated', because: messageOf(error) };
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
          : `${sameId} candidates have this id; name one by its position: '${positionName(index)}'`,
    },
  ]);

/** Which of two candidates comes first, and why. */
type Order = Pick<Comparison, 'ahead' | 'decidedBy'>;

type Ranked = Extract<CandidateOutcome, { kind: 'ranked' }>;

/** Candidates that are not selected: pinned ones come first, then ranked ones, then pruned ones, then refused ones. */
const OUTCOME_ORDER: Readonly<Record<CandidateOutcome['kind'], number>> = {
  pinned: 0,
  ranked: 1,
  not_evaluated: 2,
  refused: 3,
  made: 4,
};

/**
 * The final order of a ranking: the selected candidates in their order, then the others by rank. It differs from the
 * order of the scores if a step of `select` diversifies, places, or excludes candidates.
 */
class FinalOrder {
  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
  ) {}

  /** Which of two candidates comes first, and which stage decided. */
  decide(a: Explanation, b: Explanation): Order {
    const [atA, atB] = [this.positionOf(a), this.positionOf(b)];
    const byOutcome = decideByOutcome(a.outcome, b.outcome);
    if (atA !== undefined && atB !== undefined) {
      const ahead = atA < atB ? 'a' : 'b';
      if (byOutcome.ahead === ahead) return byOutcome;
      const stage = this.#stageThatMoved(a.index, b.index);
      return stage ? { ahead, decidedBy: stage } : byOutcome;
    }
    if (atA === undefined && atB === undefined) return byOutcome;
    const [ahead, first, last] = atA === undefined ? (['b', b, a] as const) : (['a', a, b] as const);
    if (byOutcome.ahead === ahead) return byOutcome;
    if (first.outcome.selected === 'fallback') return { ahead, decidedBy: 'fallback' };
    if (last.outcome.kind !== 'ranked') return byOutcome;
    const stage = this.#stageThatLeft(last.index, last.outcome);
    return stage ? { ahead, decidedBy: stage } : byOutcome;
  }

  /** The position of a candidate in the selection, from 0; undefined if it is not selected. */
  positionOf({ index }: Pick<Explanation, 'index'>): number | undefined {
    const { arrangement, pinned, selected, fallback } = this.result;
    const order = arrangement?.order.map((row) => row.index) ?? pinnedOnPage(this.plan, pinned);
    const place = order.indexOf(index);
    if (place >= 0) return place;
    const row = arrangement ? -1 : rankedRowOf(this.result, index);
    const ranked = row < 0 ? -1 : selected.rows.indexOf(row);
    if (ranked >= 0) return order.length + ranked;
    return fallback?.positions.includes(index) ? order.length : undefined;
  }

  /** The stage that reversed two selected candidates: `place` if their order was different before it. */
  #stageThatMoved(a: number, b: number): 'diversify' | 'place' | undefined {
    const { arrangement } = this.result;
    if (!arrangement) return undefined;
    const firstOfPair = (rows: typeof arrangement.order): number | undefined =>
      rows.find(({ index }) => index === a || index === b)?.index;
    if (firstOfPair(arrangement.order) !== firstOfPair(arrangement.unplaced)) return 'place';
    return this.plan.diversify && arrangement.rowOf.has(a) && arrangement.rowOf.has(b) ? 'diversify' : undefined;
  }

  /** The stage that did not select a candidate despite its rank; undefined for a candidate on an earlier page. */
  #stageThatLeft(index: number, { notSelected }: Ranked): Decision | undefined {
    if (notSelected?.reason === 'duplicate') return 'duplicates';
    if (notSelected?.reason === 'per' || notSelected?.reason === 'per_before') return 'per';
    return this.result.arrangement?.leftBy(index);
  }
}

/** Whether a pruned candidate may still score as much as a ranked one, so that their order is not known. */
const mayComeFirst = (a: CandidateOutcome, b: CandidateOutcome): boolean =>
  a.kind === 'ranked' &&
  b.kind === 'not_evaluated' &&
  b.atMost !== undefined &&
  a.selected !== 'score' &&
  b.atMost >= a.score;

/** The order of two candidates by their scores and outcomes alone. */
function decideByOutcome(a: CandidateOutcome, b: CandidateOutcome): Order {
  if (a.kind === 'made' || b.kind === 'made') return { decidedBy: 'nothing' };
  if (a.kind === 'ranked' && b.kind === 'ranked') {
    const decidedBy = a.score === b.score ? 'ties' : 'score';
    return { ahead: a.rank < b.rank ? 'a' : 'b', decidedBy };
  }
  const unfit = [a, b].some(({ kind, selected }) => kind === 'pinned' && selected === undefined);
  if (a.kind === b.kind || unfit || mayComeFirst(a, b) || mayComeFirst(b, a)) return { decidedBy: 'nothing' };
  const ahead = OUTCOME_ORDER[a.kind] < OUTCOME_ORDER[b.kind] ? 'a' : 'b';
  const kinds = [a.kind, b.kind];
  return {
    ahead,
    decidedBy: kinds.includes('pinned') ? 'pinned' : kinds.includes('refused') ? 'refusal' : 'not_evaluated',
  };
}

/** Scores one candidate of a run again with one number changed, with the arithmetic and the rules of the run. */
class Rescorer implements FlipCandidate {
  readonly index: number;
  readonly parts: ExplanationParts;
  readonly ranked: number | undefined;
  readonly weights: readonly number[];
  readonly #context: ExplainContext;
  readonly #values: readonly (number | undefined)[];

  /** @param explanation the explanation of a ranked candidate */
  constructor(
    private readonly plan: Plan,
    private readonly evaluation: Evaluation,
    { index, outcome, ...explanation }: Explanation,
  ) {
    this.index = index;
    this.ranked = outcome.kind === 'ranked' ? outcome.score : undefined;
    this.parts = explanationParts(explanation);
    this.#context = explainContext(plan, evaluation, index);
    const evaluated = this.parts.scorers.filter(({ state }) => state !== 'not_evaluated');
    this.#values = evaluated.map(({ value }) => value);
    this.weights = withRun(plan, evaluation, () =>
      evaluation.scored.scoring.active.map(({ entry }, k) => {
        const written = evaluated[k]?.written;
        return typeof written === 'number' ? written : ownWeight(entry, plan.score.weightOf);
      }),
    );
  }

  score(change: NumberChange): Rescored | undefined {
    return this.#withChange(change, (values) => this.#rescore(values, change));
  }

  /** Reads a value of the candidate that may depend on its scores, with a change applied. */
  read<V>(change: NumberChange | undefined, score: number, read: (candidate: unknown, row: number) => V): V {
    return this.#withChange(change, () => {
      this.evaluation.context.score = score;
      return read(this.#context.candidate, this.#context.row);
    });
  }

  /** Runs `work` in the context of the run. The scorers return this candidate's values, with the change applied. */
  #withChange<V>(change: NumberChange | undefined, work: (values: readonly (number | undefined)[]) => V): V {
    const { context, scored } = this.evaluation;
    const values = change?.number === 'value' ? this.#values.with(change.k, change.to) : this.#values;
    const { scores } = context;
    const changed = scores.slice();
    for (const [k, { refuser }] of scored.scoring.active.entries()) {
      const value = values[k];
      changed[refuser - this.plan.score.firstRefuser] = () => value;
    }
    context.scores = changed;
    try {
      return withRun(this.plan, this.evaluation, () => work(values));
    } finally {
      context.scores = scores;
    }
  }

  #rescore(values: readonly (number | undefined)[], { number, k, to }: NumberChange): Rescored | undefined {
    const { plan, evaluation } = this;
    const { candidate, row } = this.#context;
    const steps: RuleStep[] = [];
    try {
      const scoring = number === 'weight' ? this.#reweighed(this.weights.with(k, to)) : evaluation.scored.scoring;
      const combined = combineResolved(plan.score, scoring, values, candidate, row);
      if (combined === undefined) return undefined;
      let score = combined;
      for (const rule of plan.rules)
        score = applyRule(rule, score, candidate, row, evaluation.context, (step) => void steps.push(step));
      return { combined, steps, score };
    } catch {
      return undefined; // The candidate would be refused.
    }
  }

  #reweighed(weights: readonly number[]): Evaluation['scored']['scoring'] {
    const { scoring } = this.evaluation.scored;
    const ids = scoring.active.map(({ entry }) => entry.id);
    const vector = normalizedWeights(this.plan.profile.combine, ids, weights);
    return { ...scoring, weightsOf: () => vector };
  }
}
