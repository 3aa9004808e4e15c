import type {
  CostedRow,
  Score,
  SelectorFunction,
  SelectorNotSelected,
  SelectorLimits,
  SelectorResult,
} from '../../../sdk/index.js';
import { type BoundExpression, toMillis } from '../../../expression/index.js';
import { idOf } from '../../candidates.js';
import { emptyContext, type RunContext } from '../../entries.js';
import { failRun } from '../../failures.js';
import type { RunState } from '../../run-state.js';
import { isTask, type Task } from '../../tasks.js';
import { statisticsForOthers, takeMeasures } from '../measure.js';
import {
  type Arrangement,
  type CompiledOrder,
  type RowsPerGroup,
  type SelectorFacts,
  type SelectorStage,
  type SelectorWarning,
  type SelectPlan,
  settleNotSelected,
} from './select-plan.js';
import { costedRows, type RowBinder, type UncostedRow } from './costed-rows.js';
import { packRows } from './pack.js';
import { packUnits } from './contracts.js';
import { compareKeys } from './row-order.js';
import { OfferedGroups } from './top-of-groups.js';

/**
 * Runs the selector classes of the profile: diversify chooses the top rows, pack fills the budget, place orders the result.
 *
 * @param per the group limit, if the diversifying class enforces it
 */
export function* arrange(run: RunState, per: RowsPerGroup | undefined): Task<Arrangement> {
  const { plan, context, failures, abort, budget, candidates } = run;
  const { profile, binder } = plan;
  const view = new RowView(run, yield* contextOfPinned(run), (candidate, position) =>
    idOf(profile, candidate, position),
  );
  const factsOf = (rows: readonly CostedRow[]): SelectorFacts => ({
    now: context.now,
    context: context.context,
    signals: context.signals,
    abort,
    expression: (expression) => view.bind(binder.param(expression)),
    rows,
    seed: plan.select.seed,
  });
  const offered = plan.diversify ? view.rows.map((row) => ({ ...row, cost: 1 })) : [];
  const groups = per && plan.current.enter(context, () => new OfferedGroups(per, view.rowOf));
  const diverse =
    plan.diversify && diversify(offered, yield* plan.diversify.prepare(factsOf(offered)), plan.select.top, groups);
  const { rows, unusable, variants } = costedRows(view, diverse?.kept ?? view.rows, plan.pack, failures);
  const nameOf = (position: number): string => idOf(profile, candidates[position], position);
  const units = plan.pack?.packsUnits ? packUnits(run.contracts, rows, nameOf) : undefined;
  const packed =
    plan.pack &&
    budget &&
    packRows(plan.pack.entry, budget, rows, yield* plan.pack.selector.prepare(factsOf(rows)), units);
  const chosen = packed?.kept ?? rows;
  const kept = plan.pack?.order ? packOrder(plan.pack.order, chosen, view) : chosen;
  const placed = plan.place && (yield* plan.place.prepare(factsOf(kept)))(kept, EVERYTHING);
  const steps = { diversify: diverse, pack: packed, place: placed };
  const versions = packed?.variants ?? new Map<number, number>();
  const selected = new Set(kept.map(({ index }) => index));
  const undiverse = (diverse?.left ?? []).map((left) => settleNotSelected(left, (index) => selected.has(index)));
  const unpacked = [...unusable, ...(packed?.left ?? [])];
  const isAt = (index: number) => (left: SelectorNotSelected) => left.index === index;
  return {
    order: placed?.kept ?? kept,
    unplaced: chosen,
    left: [...undiverse, ...unpacked],
    leftBy: (index) => (undiverse.some(isAt(index)) ? 'diversify' : unpacked.some(isAt(index)) ? 'pack' : undefined),
    rowOf: view.rowOf,
    budget: packed?.budget,
    costs: new Map(packed ? [...rows, ...kept].map(({ index, cost }) => [index, cost]) : []),
    variants: new Map(Array.from(versions, ([index, version]) => [index, variants.get(index)![version]!])),
    notes: new Map(Object.values(steps).flatMap((step) => (step?.notes ?? []).map((note) => [note.index, note]))),
    warnings: Object.entries(steps).flatMap(([stage, step]) => warningsOf(stage as SelectorStage, step)),
  };
}

const warningsOf = (stage: SelectorStage, step: Pick<SelectorResult, 'warnings'> | undefined): SelectorWarning[] =>
  (step?.warnings ?? []).map((message) => ({ stage, message }));

/** Chooses the top rows. A row costs 1; pinned rows do not count. */
const diversify = (
  rows: readonly CostedRow[],
  select: SelectorFunction,
  top: number = Number.POSITIVE_INFINITY,
  groups?: OfferedGroups,
): SelectorResult => {
  const chosen = select(rows, { target: top, max: top, groups });
  return groups ? groups.withReasons(chosen) : chosen;
};

/** Placing has no limits: the rows are already chosen. */
const EVERYTHING: SelectorLimits = { target: Infinity, max: Infinity };

/**
 * The context for expressions on pinned rows. Pinned candidates are removed before the measure stage. If the cost reads a
 * measure, all measures are computed for them separately, so that they do not affect the other candidates.
 */
function* contextOfPinned({ plan, pinned, candidates, context, abort, failures }: RunState): Task<RunContext> {
  const own = emptyContext(context.now, context.context, context.signals, context.trace);
  own.score = PINNED_SCORE;
  if (pinned.length === 0 || !plan.pack?.readsMeasures) return own;
  const input = { candidates: pinned.map((position) => candidates[position]), context: own, abort, updates: [] };
  const pending = plan.current.run(own, () => takeMeasures(plan.measures, input, pinned, failures));
  if (isTask(pending)) yield* pending;
  // They are not counted, but may read the statistics of the kept candidates.
  own.stats = plan.current.enter(own, () => statisticsForOthers(plan.stats, context.stats, input.candidates));
  return own;
}

type Page = Pick<SelectPlan, 'select'>;

const NONE: readonly number[] = [];

/** Whether the selection starts with the best row. Pinned candidates and the fallback are only on the first page. */
export const isFirstPage = ({ select }: Page): boolean => select.offset === 0;

/** The pinned candidates on this page. */
export const pinnedOnPage = (plan: Page, pinned: readonly number[]): readonly number[] =>
  isFirstPage(plan) ? pinned : NONE;

/** The pinned candidates that are not on this page, because they are on the first one. */
export const pinnedBefore = (plan: Page, pinned: readonly number[]): readonly number[] =>
  isFirstPage(plan) ? NONE : pinned;

/** The score of a pinned candidate, next to rows that are scored. */
const PINNED_SCORE = 1;

/** The selected rows in the form that selectors receive, pinned rows first, and the values of expressions for them. */
class RowView implements RowBinder {
  readonly rows: readonly UncostedRow[];
  /** The row of the ranking by position in the input. Pinned candidates are missing. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly #pinnedAt: ReadonlyMap<number, number>;

  constructor(
    private readonly run: RunState,
    /** The context that expressions on pinned rows read. */
    private readonly pinnedContext: RunContext,
    idAt: (candidate: unknown, position: number) => string,
  ) {
    const { candidates, totals, pinned, selected } = run;
    const row = (index: number, score: number, isPinned: boolean): UncostedRow => {
      const candidate = candidates[index];
      return { id: idAt(candidate, index), index, candidate, score, pinned: isPinned };
    };
    this.#pinnedAt = new Map(pinned.map((index, k) => [index, k]));
    this.rowOf = new Map(Array.from(selected.rows, (r) => [this.#positionOf(r), r]));
    this.rows = [
      ...pinned.map((index) => row(index, PINNED_SCORE, true)),
      ...Array.from(this.rowOf, ([index, r]) => row(index, totals[r]!, false)),
    ];
  }

  /** An expression of rows, as a function of a row's candidate and `index`. */
  bind(evaluate: BoundExpression): Score<unknown, unknown> {
    const { run, pinnedContext } = this;
    const ofPinned = run.plan.current.bind(pinnedContext, evaluate);
    const ofScored = run.plan.current.bind(run.context, evaluate);
    return (candidate, index) => {
      const pinnedRow = this.#pinnedAt.get(index);
      if (pinnedRow !== undefined) return ofPinned(candidate, pinnedRow);
      const r = this.rowOf.get(index);
      if (r === undefined)
        throw new RangeError(`there is no row ${index}: expressions are evaluated by the index of a row`);
      run.context.score = run.totals[r]!;
      return ofScored(candidate, run.rows?.[r] ?? r);
    };
  }

  #positionOf(r: number): number {
    const { kept, rows } = this.run;
    return kept[rows?.[r] ?? r]!;
  }
}

/** The packed rows in the order of `select.pack.order`. Rows with equal keys are in the order of the input. */
function packOrder(order: CompiledOrder, rows: readonly CostedRow[], view: RowBinder): readonly CostedRow[] {
  if (order === 'score') return rows;
  const evaluate = order === 'input' ? undefined : view.bind(order.evaluate);
  const isTime = order !== 'input' && order.isTime;
  const keyed = rows.map((row) => {
    try {
      const value = evaluate?.(row.candidate, row.index) ?? undefined;
      return { row, key: isTime && value !== undefined ? toMillis(value) : value };
    } catch (error) {
      return failRun('order', 'pack', error, row.index);
    }
  });
  return keyed.sort((a, b) => compareKeys(a.key, b.key) || a.row.index - b.row.index).map(({ row }) => row);
}
