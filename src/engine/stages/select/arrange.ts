import type {
  CostedRow,
  Score,
  SelectorFunction,
  SelectorLeftOut,
  SelectorLimits,
  SelectorResult,
} from '../../../contract/index.js';
import { describeValue, toAssizeError } from '../../../diagnostics/index.js';
import { type BoundExpression, ExpressionStepsError } from '../../../expression/index.js';
import type { PackEntry } from '../../../profile/index.js';
import { idOf } from '../../candidates.js';
import { emptyContext, type RunContext } from '../../entries.js';
import { causeOf, type Failures, RunFailed } from '../../failures.js';
import type { RunState } from '../../run-state.js';
import { isTask, type Task } from '../../tasks.js';
import { takeMeasures } from '../measure.js';
import {
  type Arrangement,
  type RowsPerGroup,
  type SelectorFacts,
  type SelectorStage,
  type SelectorWarning,
  type SelectPlan,
  settleLeftOut,
  withSelectReasons,
} from './select-plan.js';
import { packRows } from './pack.js';
import { OfferedGroups } from './top-of-groups.js';

/**
 * Chooses the top by what each adds to the others, packs the chosen into the budget, and places what is in: each if the
 * profile has it.
 *
 * @param per the group limit, if the diversifying class keeps it while it chooses
 */
export function* arrange(run: RunState, per: RowsPerGroup | undefined): Task<Arrangement> {
  const { plan, context, failures, abort, budget } = run;
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
  });
  const offered = plan.diversify ? view.rows.map((row) => ({ ...row, cost: 1 })) : [];
  const groups = per && plan.current.enter(context, () => new OfferedGroups(per, view.rowOf));
  const diverse =
    plan.diversify && diversify(offered, yield* plan.diversify.prepare(factsOf(offered)), plan.select.top, groups);
  const { rows, unusable } = costedRows(view, diverse?.kept ?? view.rows, plan.pack, failures);
  const packed =
    plan.pack && budget && packRows(plan.pack.entry, budget, rows, yield* plan.pack.selector.prepare(factsOf(rows)));
  const kept = packed?.kept ?? rows;
  const placed = plan.place && placeRows(kept, yield* plan.place.prepare(factsOf(kept)));
  const steps = { diversify: diverse, pack: packed, place: placed };
  const selected = new Set(kept.map(({ index }) => index));
  const undiverse = (diverse?.left ?? []).map((left) => settleLeftOut(left, (index) => selected.has(index)));
  const unpacked = [...unusable, ...(packed?.left ?? [])];
  const isAt = (index: number) => (left: SelectorLeftOut) => left.index === index;
  return {
    order: placed?.kept ?? kept,
    unplaced: kept,
    left: [...undiverse, ...unpacked],
    leftBy: (index) => (undiverse.some(isAt(index)) ? 'diversify' : unpacked.some(isAt(index)) ? 'pack' : undefined),
    rowOf: view.rowOf,
    budget: packed?.budget,
    costs: new Map(packed ? rows.map(({ index, cost }) => [index, cost]) : []),
    notes: new Map(Object.values(steps).flatMap((step) => (step?.notes ?? []).map((note) => [note.index, note]))),
    warnings: Object.entries(steps).flatMap(([stage, step]) => warningsOf(stage as SelectorStage, step)),
  };
}

const warningsOf = (stage: SelectorStage, step: Pick<SelectorResult, 'warnings'> | undefined): SelectorWarning[] =>
  (step?.warnings ?? []).map((message) => ({ stage, message }));

/** Chooses the top: a row costs 1, and those of the pinned are not counted. */
const diversify = (
  rows: readonly CostedRow[],
  select: SelectorFunction,
  top: number = Number.POSITIVE_INFINITY,
  groups?: OfferedGroups,
): SelectorResult => {
  const chosen = select(rows, { target: top, max: top, groups });
  return groups ? groups.withReasons(chosen) : chosen;
};

/** Placing has no limits: what was packed is in. */
const EVERYTHING: SelectorLimits = { target: Infinity, max: Infinity };

/** Puts what was selected in its order. */
const placeRows = (rows: readonly CostedRow[], select: SelectorFunction): SelectorResult => select(rows, EVERYTHING);

/**
 * The context for expressions of the pinned. They left before the measures were taken: where the cost reads one, all
 * are taken of them alone, so that they change nothing for the others.
 */
function* contextOfPinned({ plan, pinned, candidates, context, abort, failures }: RunState): Task<RunContext> {
  const own = emptyContext(context.now, context.context, context.signals, context.trace);
  own.score = PINNED_SCORE;
  if (pinned.length === 0 || !plan.pack?.readsMeasures) return own;
  const input = { candidates: pinned.map((position) => candidates[position]), context: own, abort, updates: [] };
  const pending = plan.current.run(own, () => takeMeasures(plan.measures, input, pinned, failures));
  if (isTask(pending)) yield* pending;
  return own;
}

type Page = Pick<SelectPlan, 'select'>;

const NONE: readonly number[] = [];

/** Whether the selection begins with the best. What is selected whatever its score is on the first page alone. */
export const isFirstPage = ({ select }: Page): boolean => select.offset === 0;

/** The pinned that are selected. */
export const pinnedOnPage = (plan: Page, pinned: readonly number[]): readonly number[] =>
  isFirstPage(plan) ? pinned : NONE;

/** The pinned that are left out, because they are on the first page. */
export const pinnedBefore = (plan: Page, pinned: readonly number[]): readonly number[] =>
  isFirstPage(plan) ? NONE : pinned;

/** The rows to pack, the pinned first; and those that cannot be packed, because their cost is not known. */
interface PackCandidates {
  readonly rows: readonly CostedRow[];
  readonly unusable: readonly SelectorLeftOut[];
}

/** The cost of a row, or why it is not known. */
type Cost = { readonly cost: number } | { readonly why: string; readonly error?: unknown };

/** The offered rows with their costs: 0 where nothing is packed. */
function costedRows(
  view: RowView,
  offered: readonly UncostedRow[],
  pack: { readonly entry: PackEntry; readonly cost: BoundExpression } | undefined,
  failures: Failures,
): PackCandidates {
  const rows: CostedRow[] = [];
  const unusable: SelectorLeftOut[] = [];
  const costOf = pack && view.bind(pack.cost);
  for (const row of offered) {
    const { index, candidate, pinned } = row;
    const cost = costOf ? evaluateCost(() => costOf(candidate, index), pack.entry.cost.source) : { cost: 0 };
    if ('cost' in cost) {
      if (cost.cost < 0)
        unusable.push(withSelectReasons({ index, reason: 'negative_cost', data: { cost: cost.cost } }));
      else rows.push({ ...row, cost: cost.cost });
      continue;
    }
    if (pinned && pack) throw unknownCost(pack.entry, row.id, cost.why);
    if ('error' in cost) failures.add('cost', 'pack', cost.error);
    unusable.push(withSelectReasons({ index, reason: 'no_cost', data: { why: cost.why } }));
  }
  return { rows, unusable };
}

function evaluateCost(evaluate: () => unknown, source: string): Cost {
  try {
    const cost = evaluate();
    if (cost === undefined) return { why: `${source} is absent` };
    if (typeof cost === 'number' && Number.isFinite(cost)) return { cost };
    const error = new RangeError(`${source} is ${describeValue(cost)}; expected a number of at least 0`);
    return { why: error.message, error };
  } catch (error) {
    if (error instanceof ExpressionStepsError) throw new RunFailed('cost', 'pack', error);
    return { why: causeOf(error), error };
  }
}

/** A pinned candidate has to be in, and without its cost the budget would say nothing. */
function unknownCost({ place }: PackEntry, id: string, why: string): Error {
  const message = `the cost of the pinned candidate ${id} is not known: ${why}`;
  return toAssizeError([
    { code: 'ASZ510', message, path: 'select.pack.cost', place, hint: 'what is pinned has to be in: give it its cost' },
  ]);
}

/** A row before its cost is known. */
type UncostedRow = Omit<CostedRow, 'cost'>;

/** The score of a pinned candidate beside the others, which are scored. */
const PINNED_SCORE = 1;

/** The selected as selectors see them, the pinned first; and the values of expressions for each. */
class RowView {
  readonly rows: readonly UncostedRow[];
  /** The row of the ranking by position in the input; none for a pinned candidate. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly #pinnedAt: ReadonlyMap<number, number>;

  constructor(
    private readonly run: RunState,
    /** What expressions of the pinned read. */
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
      if (r === undefined) throw new RangeError(`there is no row ${index}: an expression is asked by a row's index`);
      run.context.score = run.totals[r]!;
      return ofScored(candidate, run.rows?.[r] ?? r);
    };
  }

  #positionOf(r: number): number {
    const { kept, rows } = this.run;
    return kept[rows?.[r] ?? r]!;
  }
}
