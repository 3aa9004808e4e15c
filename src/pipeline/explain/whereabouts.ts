import type { Left } from '../../contract/index.js';
import { indexIn } from '../../matrix/slab.js';
import type { LeftRow } from '../../stages/select.js';
import type { Plan } from '../compile/plan.js';
import { idOf } from '../ids.js';
import type { Outcome } from '../outcome.js';

/** Finds the candidates of a ranking, and what became of each: its indexes are made when the first is looked for. */
export class Whereabouts {
  #ids: ReadonlyMap<string, readonly number[]> | undefined;
  #selected: ReadonlySet<number> | undefined;
  #left: ReadonlyMap<number, LeftRow> | undefined;
  #unpacked: ReadonlyMap<number, Left> | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly outcome: Outcome,
  ) {}

  /** The positions of the candidates with an id, by id; −1 alone for one that only a fallback made. */
  get ids(): ReadonlyMap<string, readonly number[]> {
    if (this.#ids) return this.#ids;
    const ids = new Map<string, number[]>();
    const add = (candidate: unknown, index: number): void => {
      const id = idOf(this.plan.profile, candidate, index);
      const known = ids.get(id);
      if (known) known.push(index);
      else ids.set(id, [index]);
    };
    for (const [index, candidate] of this.outcome.candidates.entries()) add(candidate, index);
    for (const candidate of this.outcome.fallback?.made ?? []) {
      if (!ids.has(idOf(this.plan.profile, candidate, -1))) add(candidate, -1);
    }
    this.#ids = ids;
    return ids;
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
      this.ids.get(idOf(this.plan.profile, candidate, -1))?.[0] === position;
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
