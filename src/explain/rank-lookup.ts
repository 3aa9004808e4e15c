import type { SelectorLeftOut } from '../contract/index.js';
import { describeValue, didYouMean, toAssizeError } from '../diagnostics/index.js';
import {
  idOf,
  indexIn,
  leftOutOfRow,
  pinnedBefore,
  type Plan,
  type RunResult,
  type UnselectedRow,
} from '../engine/index.js';
import type { LeftOutTerm } from './explanation.js';
import { omitUndefined } from './json-value.js';
import { leftOutText } from './reason-text.js';

/** The candidates by id. */
interface IdIndex {
  /** The position of the first candidate with an id; −1 for one that only a fallback generated. */
  readonly first: ReadonlyMap<string, number>;
  /** How many candidates have an id, where it is more than one. */
  readonly count: ReadonlyMap<string, number>;
}

/** Finds the candidates of a ranking, their rows and their selection. Each index is built when it is first needed. */
export class RankLookup {
  #ids: IdIndex | undefined;
  #selected: ReadonlySet<number> | undefined;
  #leftOutBySelect: ReadonlyMap<number, UnselectedRow> | undefined;
  /** What was not packed, and the pinned of an earlier page. */
  #leftOutAlone: ReadonlyMap<number, SelectorLeftOut> | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
  ) {}

  /**
   * The position of a candidate; −1 for one that only a fallback generated.
   *
   * @param which an id (of several candidates with it the first), or a position
   * @throws AssizeError where there is no such candidate (ASZ504)
   */
  find(which: string | { readonly index: number }): number {
    return typeof which === 'string' ? this.#findById(which) : this.#checkIndex(which);
  }

  #findById(id: string): number {
    const { first } = this.#idIndex;
    const position = first.get(id);
    if (position !== undefined) return position;
    const all =
      first.size === 0
        ? 'there are no candidates'
        : `there are ${first.size.toLocaleString('en-US')} ids in this ranking`;
    const hint = didYouMean(id, first.keys(), all);
    throw toAssizeError([{ code: 'ASZ504', message: `no candidate has the id ${id}`, hint }]);
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

  /** The id of the candidate at a position. */
  idAt(position: number): string {
    const { candidates, fallback } = this.result;
    return idOf(this.plan.profile, position < 0 ? fallback?.made[0] : candidates[position], position);
  }

  /** How many candidates have an id, where it is more than one. */
  countOfId(id: string): number | undefined {
    return this.#idIndex.count.get(id);
  }

  get #idIndex(): IdIndex {
    if (this.#ids) return this.#ids;
    const { profile } = this.plan;
    const first = new Map<string, number>();
    const count = new Map<string, number>();
    const add = (candidate: unknown, index: number): void => {
      const id = idOf(profile, candidate, index);
      if (first.has(id)) count.set(id, (count.get(id) ?? 1) + 1);
      else first.set(id, index);
    };
    for (const [index, candidate] of this.result.candidates.entries()) add(candidate, index);
    for (const candidate of this.result.fallback?.made ?? []) {
      if (!first.has(idOf(profile, candidate, -1))) add(candidate, -1);
    }
    this.#ids = { first, count };
    return this.#ids;
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

  /** Whether a fallback selects a candidate, or one that it generated with the same id. */
  isFallback(position: number): boolean {
    const { positions = [], made = [] } = this.result.fallback ?? {};
    const isSame = (candidate: unknown): boolean =>
      this.#idIndex.first.get(idOf(this.plan.profile, candidate, -1)) === position;
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
    const ids = (left.keptInstead ?? []).map((other) => this.idAt(other));
    return omitUndefined({
      reason: left.reason,
      text: leftOutText(left),
      keptInstead: ids.length > 0 ? ids : undefined,
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
