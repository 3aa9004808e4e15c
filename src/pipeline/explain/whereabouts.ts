import type { Left } from '../../contract/index.js';
import { indexIn } from '../../matrix/slab.js';
import type { LeftRow } from '../../stages/select.js';
import type { Plan } from '../compile/plan.js';
import { idOf } from '../ids.js';
import type { Outcome } from '../outcome.js';

/** Who has which id. */
interface Ids {
  /** The position of the first candidate with an id; −1 for one that only a fallback made. */
  readonly first: ReadonlyMap<string, number>;
  /** How many have it, where it is more than one. */
  readonly count: ReadonlyMap<string, number>;
}

/** Finds the candidates of a ranking, and what became of each: its indexes are made when the first is looked for. */
export class Whereabouts {
  #ids: Ids | undefined;
  #selected: ReadonlySet<number> | undefined;
  #left: ReadonlyMap<number, LeftRow> | undefined;
  #unpacked: ReadonlyMap<number, Left> | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly outcome: Outcome,
  ) {}

  /** Who has which id. */
  get ids(): Ids {
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
    const { arranged, selected } = this.outcome;
    this.#selected ??= new Set(
      arranged ? arranged.order.flatMap(({ index }) => arranged.rowOf.get(index) ?? []) : selected.rows,
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
  unpacked(position: number): Left | undefined {
    this.#unpacked ??= new Map((this.outcome.arranged?.left ?? []).map((left) => [left.index, left]));
    return this.#unpacked.get(position);
  }

  /** The id of the candidate at a position. */
  idAt(position: number): string {
    return idOf(this.plan.profile, this.outcome.candidates[position], position);
  }

  /** Why a row was left out, if it was. */
  leftOut(row: number): LeftRow | undefined {
    this.#left ??= new Map(this.outcome.selected.left().map((left) => [left.row, left]));
    return this.#left.get(row);
  }

  /** The id of the candidate in a row of the ranking. */
  idOfRow(row: number): string {
    const { rows, kept } = this.outcome;
    return this.idAt(kept[rows?.[row] ?? row]!);
  }
}
