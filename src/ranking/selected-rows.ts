import type { CostedRow, SelectorLeftOut } from '../contract/index.js';
import {
  type Arrangement,
  type CandidateNames,
  idOf,
  leftOutOfRow,
  pinnedBefore,
  pinnedOnPage,
  type Plan,
  type RunResult,
} from '../engine/index.js';
import { selectorNoteText, prunedReason } from '../explain/index.js';
import { placedAt, rankedRow } from './candidate-row.js';
import type { LeftOut, Selected } from './rows.js';

/** A row that the selection left out, before it is an object of the result. */
type LeftRow = ReturnType<RunResult['selected']['left']>[number];

/** Whether rows are by rank already, as they are unless several steps left some out. */
const isInOrder = (left: readonly LeftRow[], rankOf: (row: number) => number): boolean =>
  left.every(({ row }, k) => k === 0 || rankOf(left[k - 1]!.row) <= rankOf(row));

/** The rows that a run selected, and those that it left out, as objects. */
export class SelectedRows<T> {
  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
    private readonly names: CandidateNames,
    /** The rank of a row of the ranking. */
    private readonly rankOf: (row: number) => number,
  ) {}

  /** In the order of the selection; the fallback's, where there is one. */
  selected(): Selected<T>[] {
    const { plan, result } = this;
    const { pinned, selected, fallback, arrangement } = result;
    const unscored = { score: undefined, rank: undefined };
    const because = (reason: 'pinned' | 'fallback') => (position: number) =>
      Object.freeze({ ...placedAt<T>(plan, result, position), ...unscored, because: reason });
    const generated = (fallback?.made ?? []).map((candidate) => {
      const id = idOf(plan.profile, candidate, -1);
      return Object.freeze({ id, index: -1, candidate: candidate as T, ...unscored, because: 'fallback' as const });
    });
    const fallbackRows = [...(fallback?.positions ?? []).map(because('fallback')), ...generated];
    const ranks = selected.ranks();
    if (arrangement) {
      const moved = this.#moved(arrangement);
      return [...arrangement.order.map((row) => this.#arranged(row, moved.get(row.index))), ...fallbackRows];
    }
    return [
      ...pinnedOnPage(plan, pinned).map(because('pinned')),
      ...Array.from(selected.rows, (row, k) => rankedRow<T>(plan, result, row, ranks?.[k] ?? this.rankOf(row))),
      ...fallbackRows,
    ];
  }

  /** The positions of the candidates that are selected for their scores, in the order of the selection. */
  selectedForScore(): readonly number[] {
    const { selected, arrangement } = this.result;
    if (!arrangement) return Array.from(selected.rows, (row) => this.#positionOf(row));
    return arrangement.order.filter(({ pinned }) => !pinned).map(({ index }) => index);
  }

  /** By rank; the pinned of an earlier page first, and pruned rows last, which have none. */
  *leftOut(): Generator<LeftOut<T>, void> {
    const fallback = this.result.fallback?.positions;
    for (const row of this.#unselected()) if (!fallback?.includes(row.index)) yield row;
  }

  *#unselected(): Generator<LeftOut<T>, void> {
    const { selected, arrangement, pinned } = this.result;
    for (const index of pinnedBefore(this.plan, pinned))
      yield this.#leftOut(this.#rowAt(index), { index, reason: 'offset' });
    const left = selected.left();
    const unpacked = arrangement?.left ?? [];
    if (unpacked.length === 0 && isInOrder(left, this.rankOf)) for (const one of left) yield this.#ofRow(one);
    else {
      const rows = [
        ...left.map((one) => this.#ofRow(one)),
        ...unpacked.map((one) => this.#leftOut(this.#rowAt(one.index), one)),
      ];
      yield* rows.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    }
    yield* this.#pruned();
  }

  /** A row that the selection left out. */
  #ofRow(left: LeftRow): LeftOut<T> {
    const { row, reason } = left;
    const ranked = this.#ranked(row);
    if (left.keptRows)
      return this.#leftOut(
        ranked,
        leftOutOfRow(left, (other) => this.#positionOf(other)),
      );
    return Object.freeze({ ...ranked, reason, text: selectorNoteText({ index: row, reason }) });
  }

  /** The rows that some scorers did not score, the highest upper bound first. */
  *#pruned(): Generator<LeftOut<T>, void> {
    const { plan, result } = this;
    const { pruned } = result.scored;
    if (!pruned) return;
    for (const row of pruned.rows()) {
      const index = result.kept[row]!;
      const placed = { ...placedAt<T>(plan, result, index), score: undefined, rank: undefined };
      yield this.#leftOut(placed, prunedReason(pruned, index, row));
    }
  }

  /** A row that a selector or the engine left out. Its text is computed when it is read. */
  #leftOut(row: Selected<T>, left: SelectorLeftOut): LeftOut<T> {
    const { names } = this;
    let text: string | undefined;
    return Object.freeze({
      ...row,
      get reason() {
        return left.reason;
      },
      get text() {
        return (text ??= selectorNoteText(left));
      },
      get data() {
        return left.data;
      },
      get keptInstead() {
        const { keptInstead = [] } = left;
        if (keptInstead.length === 0) return undefined;
        return keptInstead.map((position) => names.nameAt(position));
      },
    });
  }

  #positionOf(row: number): number {
    const { kept, rows } = this.result;
    return kept[rows?.[row] ?? row]!;
  }

  #ranked(row: number) {
    return rankedRow<T>(this.plan, this.result, row, this.rankOf(row));
  }

  /** The step that put a row before one with a better rank, by position in the input. */
  #moved({ order, unplaced, rowOf }: Arrangement): ReadonlyMap<number, 'diversify' | 'place'> {
    const { diversify, place } = this.plan;
    if (!diversify && !place) return new Map();
    const rankAt = (index: number): number => {
      const row = rowOf.get(index);
      return row === undefined ? Number.POSITIVE_INFINITY : this.rankOf(row);
    };
    const early = (rows: readonly CostedRow[]): ReadonlySet<number> => {
      let best = Number.POSITIVE_INFINITY;
      return new Set(
        rows.toReversed().flatMap(({ index }) => {
          const rank = rankAt(index);
          const isEarly = best < rank && rank < Number.POSITIVE_INFINITY;
          best = Math.min(best, rank);
          return isEarly ? [index] : [];
        }),
      );
    };
    const before = early(unplaced);
    return new Map(Array.from(early(order), (index) => [index, before.has(index) ? 'diversify' : 'place']));
  }

  /** A row that was chosen, packed or placed by a class. */
  #arranged({ index, pinned }: CostedRow, moved: Selected<T>['moved']): Selected<T> {
    const said = this.result.arrangement?.notes.get(index);
    const note = said && { reason: said.reason, text: selectorNoteText(said), ...(said.data && { data: said.data }) };
    return Object.freeze({
      ...this.#rowAt(index),
      ...(pinned && { because: 'pinned' as const }),
      ...(note && { note }),
      ...(moved && { moved }),
    });
  }

  /** The row of a position that selectors were given; a pinned one has no score. */
  #rowAt(index: number): Selected<T> {
    const { plan, result } = this;
    const row = result.arrangement?.rowOf.get(index);
    const cost = result.arrangement?.costs.get(index);
    const own =
      row === undefined
        ? { ...placedAt<T>(plan, result, index), score: undefined, rank: undefined }
        : this.#ranked(row);
    return cost === undefined ? own : { ...own, cost };
  }
}
