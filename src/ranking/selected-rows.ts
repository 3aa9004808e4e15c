import type { CostedRow } from '../contract/index.js';
import { idOf } from '../engine/candidate-id.js';
import type { Plan } from '../engine/plan.js';
import type { RunResult } from '../engine/run-state.js';
import { leftOutRow, leftOutText, prunedReason } from './left-out.js';
import { placedAt, rankedRow } from './candidate-row.js';
import type { LeftOut, Selected } from './rows.js';

/** What was selected of an outcome, and what was left out, as objects. */
export class SelectedRows<T> {
  constructor(
    private readonly plan: Plan,
    private readonly outcome: RunResult,
    /** The rank of a row of the ranking. */
    private readonly rankOf: (row: number) => number,
  ) {}

  /** In its order; a fallback where there would be nothing. */
  selected(): Selected<T>[] {
    const { plan, outcome } = this;
    const { pinned, selected, fallback, arrangement } = outcome;
    const free = { score: undefined, rank: undefined };
    const because = (reason: 'pinned' | 'fallback') => (position: number) =>
      Object.freeze({ ...placedAt<T>(plan, outcome, position), ...free, because: reason });
    const made = (fallback?.made ?? []).map((candidate) => {
      const id = idOf(plan.profile, candidate, -1);
      return Object.freeze({ id, index: -1, candidate: candidate as T, ...free, because: 'fallback' as const });
    });
    const fallen = [...(fallback?.positions ?? []).map(because('fallback')), ...made];
    if (arrangement) return [...arrangement.order.map((row) => this.#arranged(row)), ...fallen];
    return [
      ...pinned.map(because('pinned')),
      ...Array.from(selected.rows, (row, k) =>
        rankedRow<T>(plan, outcome, row, selected.topOnly ? k + 1 : this.rankOf(row)),
      ),
      ...fallen,
    ];
  }

  /** By rank, each with why. */
  leftOut(): LeftOut<T>[] {
    const { plan, outcome } = this;
    const { selected, arrangement, fallback, candidates } = outcome;
    const left = selected.left().map(({ row, reason, keptRow }) => {
      const keptInstead = keptRow === undefined ? undefined : [this.#row(keptRow).id];
      return Object.freeze({
        ...this.#row(row),
        reason,
        text: leftOutText({ index: row, reason }),
        ...(keptInstead && { keptInstead }),
      });
    });
    const idAt = (position: number): string => idOf(plan.profile, candidates[position], position);
    const unpacked = (arrangement?.left ?? []).map((one) => leftOutRow(this.#rowAt(one.index), one, idAt));
    return [...[...left, ...unpacked].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)), ...this.#spared(idAt)].filter(
      ({ index }) => !fallback?.positions.includes(index),
    );
  }

  /** Those that were not asked about by all, the most promising first. */
  #spared(idAt: (position: number) => string): LeftOut<T>[] {
    const { plan, outcome } = this;
    const { pruned } = outcome.scored;
    if (!pruned) return [];
    return Array.from(pruned.rows(), (row) => {
      const index = outcome.kept[row]!;
      const placed = { ...placedAt<T>(plan, outcome, index), score: undefined, rank: undefined };
      return leftOutRow(placed, prunedReason(pruned, index, row), idAt);
    });
  }

  #row(row: number) {
    return rankedRow<T>(this.plan, this.outcome, row, this.rankOf(row));
  }

  /** A row that was packed or placed. */
  #arranged({ index, pinned }: CostedRow): Selected<T> {
    return Object.freeze({ ...this.#rowAt(index), ...(pinned && { because: 'pinned' as const }) });
  }

  /** What is known of a position that selectors saw: nobody scored what was pinned. */
  #rowAt(index: number): Selected<T> {
    const { plan, outcome } = this;
    const row = outcome.arrangement?.rowOf.get(index);
    const cost = outcome.arrangement?.costs.get(index);
    const own =
      row === undefined ? { ...placedAt<T>(plan, outcome, index), score: undefined, rank: undefined } : this.#row(row);
    return cost === undefined ? own : { ...own, cost };
  }
}
