import type {
  CostedRow,
  SelectorFunction,
  SelectorLeftOut,
  SelectorLimits,
  SelectorResult,
} from '../../../contract/index.js';
import { idOf } from '../../candidates/id.js';
import { emptyContext, type RunContext } from '../../entries/run-context.js';
import type { RunState } from '../../run-state.js';
import { isTask, type Task } from '../../tasks/task.js';
import { takeMeasures } from '../measure/measure.js';
import { costedRows } from './costed-rows.js';
import { settleLeftOut } from './left-out-reasons.js';
import { pack } from './pack.js';
import { PINNED_SCORE, RowView } from './row-view.js';
import { OfferedGroups } from './top-of-groups.js';
import type { Arrangement, RowsPerGroup, SelectorFacts, SelectorStage, SelectorWarning } from './types.js';

/**
 * Chooses the top by what each adds to the others, packs the chosen into the budget, and places what is in: each if the
 * profile has it.
 *
 * @param per the group limit, if the diversifying class keeps it while it chooses
 */
export function* arrange(run: RunState, per: RowsPerGroup | undefined): Task<Arrangement> {
  const { plan, context, failures, abort, budget } = run;
  const { profile, binder } = plan;
  const view = new RowView(run, yield* pinnedContext(run), (candidate, position) => idOf(profile, candidate, position));
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
    plan.pack && budget && pack(plan.pack.entry, budget, rows, yield* plan.pack.selector.prepare(factsOf(rows)));
  const kept = packed?.kept ?? rows;
  const placed = plan.place && place(kept, yield* plan.place.prepare(factsOf(kept)));
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
const place = (rows: readonly CostedRow[], select: SelectorFunction): SelectorResult => select(rows, EVERYTHING);

/**
 * The context for expressions of the pinned. They left before the measures were taken: where the cost reads one, all
 * are taken of them alone, so that they change nothing for the others.
 */
function* pinnedContext({ plan, pinned, candidates, context, abort, failures }: RunState): Task<RunContext> {
  const own = emptyContext(context.now, context.context, context.signals, context.trace);
  own.score = PINNED_SCORE;
  if (pinned.length === 0 || !plan.pack?.readsMeasures) return own;
  const input = { candidates: pinned.map((position) => candidates[position]), context: own, abort, updates: [] };
  const pending = plan.current.run(own, () => takeMeasures(plan.measures, input, pinned, failures));
  if (isTask(pending)) yield* pending;
  return own;
}
