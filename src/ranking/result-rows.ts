import type { CostedRow, SelectorNotSelected } from '../sdk/index.js';
import { toAssizeError } from '../base/index.js';
import {
  type CandidateNames,
  idOf,
  type Degraded,
  indexIn,
  refusalOf,
  refuserOf,
  refuses,
  type Plan,
  type Evaluation,
  type RunResult,
  type RunState,
  evaluateCandidates,
  pinnedBefore,
  pinnedOnPage,
  type Arrangement,
  notSelectedOfRow,
  rowOrder,
  chain,
  type MaybeAsync,
} from '../engine/index.js';
import { refusalReason } from './explain/explain-score.js';
import { prunedReason, selectorNoteText } from './explain/reason-text.js';
import type { Profile } from '../profile/index.js';
import type { NotSelected, Placed, Ranked, Refused, Selected } from './rows.js';

/** A row that was not selected, in the form of the engine. */
type LeftRow = ReturnType<RunResult['selected']['left']>[number];

/** Whether rows are already in the order of their ranks, which is so if only one step excluded rows. */
const isInOrder = (left: readonly LeftRow[], rankOf: (row: number) => number): boolean =>
  left.every(({ row }, k) => k === 0 || rankOf(left[k - 1]!.row) <= rankOf(row));

/** Creates the row objects of selected candidates and of those not selected. */
export class SelectedRows<T> {
  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
    private readonly names: CandidateNames,
    /** The rank of a row of the ranking. */
    private readonly rankOf: (row: number) => number,
  ) {}

  /** The selected rows in the order of the selection, then those of the fallback. */
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

  /** The positions of the candidates that are selected for their scores, in their final order. */
  selectedForScore(): readonly number[] {
    const { selected, arrangement } = this.result;
    if (!arrangement) return Array.from(selected.rows, (row) => this.#positionOf(row));
    return arrangement.order.filter(({ pinned }) => !pinned).map(({ index }) => index);
  }

  /** The rows not selected: pinned rows of an earlier page, then by rank, then pruned rows, which have no rank. */
  *notSelected(): Generator<NotSelected<T>, void> {
    const fallback = this.result.fallback?.positions;
    for (const row of this.#unselected()) if (!fallback?.includes(row.index)) yield row;
  }

  *#unselected(): Generator<NotSelected<T>, void> {
    const { selected, arrangement, pinned } = this.result;
    for (const index of pinnedBefore(this.plan, pinned))
      yield this.#notSelected(this.#rowAt(index), { index, reason: 'offset' });
    const left = selected.left();
    const unpacked = arrangement?.left ?? [];
    if (unpacked.length === 0 && isInOrder(left, this.rankOf)) for (const one of left) yield this.#ofRow(one);
    else {
      const rows = [
        ...left.map((one) => this.#ofRow(one)),
        ...unpacked.map((one) => this.#notSelected(this.#rowAt(one.index), one)),
      ];
      yield* rows.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    }
    yield* this.#pruned();
  }

  #ofRow(left: LeftRow): NotSelected<T> {
    const { row, reason } = left;
    const ranked = this.#ranked(row);
    if (left.keptRows)
      return this.#notSelected(
        ranked,
        notSelectedOfRow(left, (other) => this.#positionOf(other)),
      );
    return Object.freeze({ ...ranked, reason, text: selectorNoteText({ index: row, reason }) });
  }

  /** The rows on which some scorers did not run, in descending order of their upper bounds. */
  *#pruned(): Generator<NotSelected<T>, void> {
    const { plan, result } = this;
    const { pruned } = result.scored;
    if (!pruned) return;
    for (const row of pruned.rows()) {
      const index = result.kept[row]!;
      const placed = { ...placedAt<T>(plan, result, index), score: undefined, rank: undefined };
      yield this.#notSelected(placed, prunedReason(pruned, index, row));
    }
  }

  /** A row that a selector or the engine excluded. Its text is computed when read. */
  #notSelected(row: Selected<T>, left: SelectorNotSelected): NotSelected<T> {
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
      get replacedBy() {
        const { replacedBy = [] } = left;
        if (replacedBy.length === 0) return undefined;
        return replacedBy.map((position) => names.nameAt(position));
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

  /** By position in the input: the step of `select` that put a row before one with a better rank. */
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

  /** A row that a class selected, packed or placed. */
  #arranged({ index, pinned }: CostedRow, moved: Selected<T>['moved']): Selected<T> {
    const noted = this.result.arrangement?.notes.get(index);
    const note = noted && {
      reason: noted.reason,
      text: selectorNoteText(noted),
      ...(noted.data && { data: noted.data }),
    };
    const version = this.result.arrangement?.variants.get(index);
    const variant = version && { at: version.at, value: version.value };
    return Object.freeze({
      ...this.#rowAt(index),
      ...(variant && { variant }),
      ...(pinned && { because: 'pinned' as const }),
      ...(note && { note }),
      ...(moved && { moved }),
    });
  }

  /** The row at a position in the input. A pinned row has no score. */
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

/** The candidate at a position of the input, with its id. */
function placedAt<T>({ profile }: Plan, { candidates }: Evaluation, index: number): Placed<T> {
  const candidate = candidates[index];
  return { id: idOf(profile, candidate, index), index, candidate: candidate as T };
}

/** @param row a row of the ranking */
export function rankedRow<T>({ profile }: Plan, evaluation: Evaluation, row: number, rank: number): Ranked<T> {
  const { candidates, rows, kept, scored, totals } = evaluation;
  const scoredRow = rows?.[row] ?? row;
  const index = kept[scoredRow]!;
  const candidate = candidates[index];
  // Two literals instead of a spread, because this runs for every row.
  const id = idOf(profile, candidate, index);
  const score = totals[row]! + 0; // Turns −0 into 0: users would see two different equal scores.
  const present = scored.partial.get(scoredRow);
  if (present === undefined) return Object.freeze({ id, index, candidate: candidate as T, score, rank });
  const partial = { present, of: scored.scoring.active.length };
  return Object.freeze({ id, index, candidate: candidate as T, score, rank, partial });
}

const withReason = lazyField<'reason', string>('reason');

/** One refusal. Its reason is computed when read. */
function refusal(
  plan: Plan,
  evaluation: Evaluation,
  position: number,
  verdict: number,
): Refused<unknown>['all'][number] {
  let reason: string | undefined;
  const by = plan.refusers[refuserOf(verdict)] ?? 'combine';
  return withReason(
    { kind: refusalOf(verdict), by },
    () => (reason ??= refusalReason(plan, evaluation, position, verdict)),
  );
}

/**
 * The row of a candidate that was refused.
 *
 * @param position its position in the evaluation
 * @param placed its position among all candidates, which differs in a stream
 * @param verdicts its verdicts, at least one
 */
export function refusedRow<T>(
  plan: Plan,
  evaluation: Evaluation,
  position: number,
  placed: Placed<T>,
  verdicts: readonly number[],
): Refused<T> {
  const all = verdicts.map((verdict) => refusal(plan, evaluation, position, verdict));
  const first = all[0]!;
  const { id, index, candidate } = placed;
  const { kind, by } = first;
  return Object.freeze(withReason({ id, index, candidate, kind, by, all }, () => first.reason));
}

/** The positions of refused candidates that no fallback selected, in the order of the input. */
function* refusedPositions({ verdicts, fallback }: RunResult): Generator<number, void> {
  for (let position = 0; position < verdicts.length; position++) {
    if (refuses(verdicts[position]!) && !fallback?.positions.includes(position)) yield position;
  }
}

/** The rows of refused candidates that no fallback selected. */
export function* refusedRows<T>(plan: Plan, result: RunResult): Generator<Refused<T>, void> {
  for (const position of refusedPositions(result)) {
    const all = result.vetoes.all?.get(position) ?? [result.verdicts[position]!];
    yield refusedRow(plan, result, position, placedAt<T>(plan, result, position), all);
  }
}

/** The number of `refusedRows`. */
export function refusedCount(result: RunResult): number {
  let count = 0;
  for (const _ of refusedPositions(result)) count += 1;
  return count;
}

/** Evaluates the candidates of a run and returns the row of one of them. */
export const scoreOne =
  <T>(index: number) =>
  (run: RunState): MaybeAsync<Ranked<T> | Refused<T>> =>
    chain(evaluateCandidates(run), (evaluation) => rowOfOne<T>(run.plan, evaluation, index));

/** @throws AssizeError if the candidate is pinned, because pinned candidates are not scored */
function rowOfOne<T>(plan: Plan, evaluation: Evaluation, index: number): Ranked<T> | Refused<T> {
  const { verdicts, vetoes, totals } = evaluation;
  const verdict = verdicts[index]!;
  if (verdict !== 0) {
    const all = vetoes.all?.get(index) ?? [verdict];
    return refusedRow(plan, evaluation, index, placedAt<T>(plan, evaluation, index), all);
  }
  const row = rankedRowOf(evaluation, index);
  if (row < 0) throw toAssizeError([{ code: 'ASZ502', message: 'a pinned candidate is not scored' }]);
  const rank = totals.length === 1 ? 1 : rowOrder(plan, evaluation)().indexOf(row) + 1;
  return rankedRow(plan, evaluation, row, rank);
}

/** The row of a candidate in the ranking, by its position in the input; −1 if it is not ranked. */
export function rankedRowOf({ kept, rows }: Pick<Evaluation, 'kept' | 'rows'>, index: number): number {
  const row = indexIn(kept, index);
  return row < 0 || !rows ? row : indexIn(rows, row);
}

/** Sorts failures by the order of their entries in the profile. The order of occurrence depends on the batch size. */
export function inProfileOrder(profile: Profile, failures: readonly Degraded[]): readonly Degraded[] {
  if (failures.length < 2) return failures;
  const { signals, vetoes, measures, scorers, adjustments } = profile;
  const ids = [signals, vetoes, measures, scorers, adjustments].flatMap((entries) => entries.map(({ id }) => id));
  const positions = new Map(ids.map((id, k) => [id, k]));
  const positionOf = ({ entry }: Degraded): number => positions.get(entry) ?? ids.length;
  return failures.toSorted(
    (a, b) => positionOf(a) - positionOf(b) || compareTexts(a.entry, b.entry) || compareTexts(a.stage, b.stage),
  );
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Shows the values of lazy fields in a console, instead of `[Getter]`. */
const shown = {
  value(this: object): object {
    return { ...this };
  },
};

/**
 * Returns a function that adds a lazy field to an object. All objects share one getter: with its own getter, each
 * object would get its own hidden class, which is slower to create than the rest of the row.
 */
export function lazyField<K extends string, V>(key: K) {
  const make = Symbol(key);
  const field = {
    enumerable: true,
    get(this: Readonly<Record<typeof make, () => V>>): V {
      return this[make]();
    },
  };
  return <T extends object>(object: T, value: () => V): T & Readonly<Record<K, V>> => {
    Object.defineProperty(object, make, { value });
    Object.defineProperty(object, INSPECT, shown);
    return Object.defineProperty(object, key, field) as T & Readonly<Record<K, V>>;
  };
}
