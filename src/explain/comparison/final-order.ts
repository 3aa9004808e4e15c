import { indexIn, pinnedOnPage, type Plan, type RunResult } from '../../engine/index.js';
import type { CandidateOutcome, Explanation } from '../explanation.js';
import type { Comparison, Decision } from './comparison.js';

/** Which of two candidates comes first, and what decided. */
export type Order = Pick<Comparison, 'ahead' | 'decidedBy'>;

type Ranked = Extract<CandidateOutcome, { kind: 'ranked' }>;

/** Candidates that are not selected: pinned ones come first, then ranked ones, then pruned ones, then refused ones. */
const OUTCOME_ORDER: Readonly<Record<CandidateOutcome['kind'], number>> = {
  pinned: 0,
  ranked: 1,
  not_asked: 2,
  refused: 3,
  made: 4,
};

/**
 * The final order of a ranking: the selected as they are listed, then the others by rank. A score alone does not tell it
 * where a class chooses or places, a group is full, or a budget leaves one out.
 */
export class FinalOrder {
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

  /** The place of a candidate among the selected, from 0; undefined if it is not selected. */
  positionOf({ index }: Pick<Explanation, 'index'>): number | undefined {
    const { arrangement, pinned, selected, fallback } = this.result;
    const order = arrangement?.order.map((row) => row.index) ?? pinnedOnPage(this.plan, pinned);
    const place = order.indexOf(index);
    if (place >= 0) return place;
    const row = arrangement ? -1 : this.#rowOf(index);
    const ranked = row < 0 ? -1 : selected.rows.indexOf(row);
    if (ranked >= 0) return order.length + ranked;
    return fallback?.positions.includes(index) ? order.length : undefined;
  }

  #rowOf(index: number): number {
    const { kept, rows } = this.result;
    const row = indexIn(kept, index);
    return row < 0 || !rows ? row : indexIn(rows, row);
  }

  /** The stage that reversed two of the selected: placing, if they were in another order before it. */
  #stageThatMoved(a: number, b: number): 'diversify' | 'place' | undefined {
    const { arrangement } = this.result;
    if (!arrangement) return undefined;
    const comesFirst = (rows: typeof arrangement.order): number | undefined =>
      rows.find(({ index }) => index === a || index === b)?.index;
    if (comesFirst(arrangement.order) !== comesFirst(arrangement.unplaced)) return 'place';
    return this.plan.diversify && arrangement.rowOf.has(a) && arrangement.rowOf.has(b) ? 'diversify' : undefined;
  }

  /** The stage that left out a candidate in spite of its rank; undefined for one that is on an earlier page. */
  #stageThatLeft(index: number, { leftOut }: Ranked): Decision | undefined {
    if (leftOut?.reason === 'duplicate') return 'duplicates';
    if (leftOut?.reason === 'per' || leftOut?.reason === 'per_before') return 'per';
    return this.result.arrangement?.leftBy(index);
  }
}

/** Whether a pruned candidate may still score as much as a ranked one, so that their order is not known. */
const mayComeFirst = (a: CandidateOutcome, b: CandidateOutcome): boolean =>
  a.kind === 'ranked' &&
  b.kind === 'not_asked' &&
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
    decidedBy: kinds.includes('pinned') ? 'pinned' : kinds.includes('refused') ? 'refusal' : 'not_asked',
  };
}
