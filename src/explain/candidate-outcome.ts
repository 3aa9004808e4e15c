import type { SelectorLeftOut } from '../contract/index.js';
import { idOf } from '../engine/candidate-id.js';
import { indexIn } from '../engine/kernel/run-buffers.js';
import type { Plan } from '../engine/plan.js';
import type { RunResult } from '../engine/run-state.js';
import type { UnselectedRow } from '../engine/stages/select/types.js';

/** Who has which id. */
interface IdIndex {
  /** The position of the first candidate with an id; −1 for one that only a fallback made. */
  readonly first: ReadonlyMap<string, number>;
  /** How many have it, where it is more than one. */
  readonly count: ReadonlyMap<string, number>;
}

/** Finds the candidates of a ranking, and what became of each: its indexes are made when the first is looked for. */
export class RankLookup {
  #ids: IdIndex | undefined;
  #selected: ReadonlySet<number> | undefined;
  #left: ReadonlyMap<number, UnselectedRow> | undefined;
  #leftOutByPack: ReadonlyMap<number, SelectorLeftOut> | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly outcome: RunResult,
  ) {}

  /** Who has which id. */
  get ids(): IdIndex {
    if (this.#ids) return this.#ids;
    const first = new Map<string, number>();
    const count = new Map<string, number>();
    const add = (candidate: unknown, index: number): void => {
      const id = idOf(this.plan.profile, candidate, index);
      if (first.has(id)) count.set(id, (count.get(id) ?? 1) + 1);
      else first.set(id, index);
    };
    for (const [index, candidate] of this.outcome.candidates.entries()) add(candidate, index);
    for (const candidate of this.outcome.fallback?.made ?? []) {
      if (!first.has(idOf(this.plan.profile, candidate, -1))) add(candidate, -1);
    }
    this.#ids = { first, count };
    return this.#ids;
  }

  /** The row of the ranking that a candidate has; −1 where it is not ranked. */
  rowOf(position: number): number {
    const { kept, rows } = this.outcome;
    const row = indexIn(kept, position);
    return row < 0 || !rows ? row : indexIn(rows, row);
  }

  isSelected(row: number): boolean {
    const { arrangement, selected } = this.outcome;
    this.#selected ??= new Set(
      arrangement ? arrangement.order.flatMap(({ index }) => arrangement.rowOf.get(index) ?? []) : selected.rows,
    );
    return this.#selected.has(row);
  }

  /** Whether a fallback selected a candidate, or made it once more and selected that. */
  isFallback(position: number): boolean {
    const { positions = [], made = [] } = this.outcome.fallback ?? {};
    const isSame = (candidate: unknown): boolean =>
      this.ids.first.get(idOf(this.plan.profile, candidate, -1)) === position;
    return positions.includes(position) || made.some(isSame);
  }

  /** Why a candidate was selected and not packed, if so. */
  leftOutByPack(position: number): SelectorLeftOut | undefined {
    this.#leftOutByPack ??= new Map((this.outcome.arrangement?.left ?? []).map((left) => [left.index, left]));
    return this.#leftOutByPack.get(position);
  }

  /** The id of the candidate at a position. */
  idAt(position: number): string {
    return idOf(this.plan.profile, this.outcome.candidates[position], position);
  }

  /** Why a row was left out, if it was. */
  leftOutBySelect(row: number): UnselectedRow | undefined {
    this.#left ??= new Map(this.outcome.selected.left().map((left) => [left.row, left]));
    return this.#left.get(row);
  }

  /** The id of the candidate in a row of the ranking. */
  idOfRow(row: number): string {
    const { rows, kept } = this.outcome;
    return this.idAt(kept[rows?.[row] ?? row]!);
  }
}
