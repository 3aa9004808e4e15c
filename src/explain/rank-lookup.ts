import type { SelectorLeftOut } from '../contract/index.js';
import { describeValue, didYouMean, toAssizeError } from '../diagnostics/index.js';
import {
  type CandidateNames,
  idOf,
  indexIn,
  leftOutOfRow,
  parseName,
  pinnedBefore,
  type Plan,
  type RunResult,
  type UnselectedRow,
} from '../engine/index.js';
import type { LeftOutTerm, SelectionTerm } from './explanation.js';
import { omitUndefined } from './json-value.js';
import { selectorNoteText } from './reason-text.js';

/** Finds the candidates of a ranking, their rows and their selection. Each index is built when it is first needed. */
export class RankLookup {
  #selected: ReadonlySet<number> | undefined;
  #leftOutBySelect: ReadonlyMap<number, UnselectedRow> | undefined;
  /** What was not packed, and the pinned of an earlier page. */
  #leftOutAlone: ReadonlyMap<number, SelectorLeftOut> | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
    private readonly names: CandidateNames,
  ) {}

  /**
   * The position of a candidate; −1 for one that only a fallback generated.
   *
   * @param which a name: an id (of several candidates with it the first), `#3` or `widget (#3)`; or a position
   * @throws AssizeError where there is no such candidate (ASZ504)
   */
  find(which: string | { readonly index: number }): number {
    return typeof which === 'string' ? this.#findByName(which) : this.#checkIndex(which);
  }

  #findByName(name: string): number {
    const { first } = this.names;
    const position = first.get(name) ?? this.#positionIn(name);
    if (position !== undefined) return position;
    const all =
      first.size === 0
        ? 'there are no candidates'
        : `there are ${first.size.toLocaleString('en-US')} ids in this ranking`;
    const hint = didYouMean(name, first.keys(), all);
    const byPosition = /^\d+$/.test(name) && Number(name) < this.result.candidates.length;
    throw toAssizeError([
      {
        code: 'ASZ504',
        message: `no candidate has the id ${name}`,
        hint: byPosition ? `'#${name}' names the one at position ${name}, counted from 0` : hint,
      },
    ]);
  }

  /** The position in a name such as `#3` or `widget (#3)`, where the candidate there has the id. */
  #positionIn(name: string): number | undefined {
    const parsed = parseName(name);
    if (!parsed) return undefined;
    const { id, index } = parsed;
    const inRange = index < this.result.candidates.length;
    if (id === undefined) return this.#checkIndex({ index });
    return inRange && this.names.idAt(index) === id ? index : undefined;
  }

  #checkIndex(which: { readonly index: number }): number {
    const { candidates, fallback } = this.result;
    if (typeof which !== 'object' || which === null || typeof which.index !== 'number') {
      const message = `a candidate is named by its id or { index }, and not by ${describeValue(which)}`;
      throw toAssizeError([{ code: 'ASZ504', message }]);
    }
    const { index } = which;
    if (Number.isInteger(index) && index >= 0 && index < candidates.length) return index;
    if (index === -1 && fallback && fallback.made.length > 0) return index;
    const hint = candidates.length === 0 ? undefined : `expected 0 to ${candidates.length - 1}`;
    throw toAssizeError([{ code: 'ASZ504', message: `no candidate has the index ${index}`, hint }]);
  }

  /** How many candidates have an id, where it is more than one. */
  countOfId(id: string): number | undefined {
    return this.names.shared.get(id)?.length;
  }

  /** The row of the ranking that a candidate has; −1 where it is not ranked. */
  rowOf(position: number): number {
    const { kept, rows } = this.result;
    const row = indexIn(kept, position);
    return row < 0 || !rows ? row : indexIn(rows, row);
  }

  /** Whether a row of the ranking is selected for its score. */
  isSelected(row: number): boolean {
    const { arrangement, selected } = this.result;
    this.#selected ??= new Set(
      arrangement ? arrangement.order.flatMap(({ index }) => arrangement.rowOf.get(index) ?? []) : selected.rows,
    );
    return this.#selected.has(row);
  }

  /** The reason of the class that chose a candidate. */
  noteOf(position: number): SelectionTerm | undefined {
    const note = this.result.arrangement?.notes.get(position);
    return note && { reason: note.reason, text: selectorNoteText(note) };
  }

  /** Whether a fallback selects a candidate, or one that it generated with the same id. */
  isFallback(position: number): boolean {
    const { positions = [], made = [] } = this.result.fallback ?? {};
    const isSame = (candidate: unknown): boolean =>
      this.names.first.get(idOf(this.plan.profile, candidate, -1)) === position;
    return positions.includes(position) || made.some(isSame);
  }

  /**
   * Why a candidate was not selected for its score, was not packed, or is pinned to another page; undefined where neither is so.
   *
   * @param row its row of the ranking; −1 where it has none
   */
  leftOut(position: number, row: number): LeftOutTerm | undefined {
    const left = this.#leftOutWithoutRow(position) ?? this.#unselected(row);
    if (!left) return undefined;
    const names = (left.keptInstead ?? []).map((other) => this.names.nameAt(other));
    return omitUndefined({
      reason: left.reason,
      text: selectorNoteText(left),
      keptInstead: names.length > 0 ? names : undefined,
    });
  }

  #leftOutWithoutRow(position: number): SelectorLeftOut | undefined {
    this.#leftOutAlone ??= new Map([
      ...(this.result.arrangement?.left ?? []).map((left): [number, SelectorLeftOut] => [left.index, left]),
      ...pinnedBefore(this.plan, this.result.pinned).map((index): [number, SelectorLeftOut] => [
        index,
        { index, reason: 'offset' },
      ]),
    ]);
    return this.#leftOutAlone.get(position);
  }

  #unselected(row: number): SelectorLeftOut | undefined {
    const { selected, rows, kept } = this.result;
    this.#leftOutBySelect ??= new Map(selected.left().map((left) => [left.row, left]));
    const left = this.#leftOutBySelect.get(row);
    return left && leftOutOfRow(left, (other) => kept[rows?.[other] ?? other]!);
  }
}
