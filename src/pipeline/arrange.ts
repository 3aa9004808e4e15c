import type { CostedRow, Left, RunFacts } from '../contract/index.js';
import type { Budget } from '../stages/budget.js';
import type { Failures } from '../stages/failures.js';
import { measure } from '../stages/measure.js';
import { type BudgetUse, type Packed, pack } from '../stages/pack.js';
import { place } from '../stages/place.js';
import type { Batch, RunState } from '../stages/plan.js';
import { isSteps, type Steps } from '../stages/wait.js';
import type { Plan } from './compile/plan.js';
import { costedRows } from './costed-rows.js';
import { idOf } from './ids.js';
import type { Judgement } from './outcome.js';
import { PINNED_SCORE, RowView } from './row-view.js';
import { emptyState } from './state.js';

/** The selected in their order, and who is not among them for want of room. */
export interface Arranged {
  readonly order: readonly CostedRow[];
  readonly left: readonly Left[];
  /** The row of the ranking by position in the input; nothing for what is pinned. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly budget: BudgetUse | undefined;
  /** What each costs, by position in the input, of those whose cost is known. */
  readonly costs: ReadonlyMap<number, number>;
  readonly warnings: readonly string[];
}

/** Packs the selected into the budget, and places what is in: each where the profile says how. */
export function* arrange(
  plan: Plan,
  judged: Judgement,
  selected: Int32Array,
  budget: Budget | undefined,
  batch: Batch,
  failures: Failures,
): Steps<Arranged> {
  const { cell, profile, binder } = plan;
  const pinned = { positions: judged.pinned, state: yield* pinnedState(plan, judged, batch, failures) };
  const view = new RowView(cell, judged, selected, pinned, (candidate, position) => idOf(profile, candidate, position));
  const { rows, unusable } = costedRows(view, plan.pack, failures);
  const { now, context, signals } = batch.state;
  const facts: RunFacts = {
    now,
    context,
    signals,
    abort: batch.abort,
    expression: (expression) => view.ask(binder.param(expression)),
  };
  const packed: Packed | undefined =
    plan.pack && budget && pack(plan.pack.entry, budget, rows, yield* plan.pack.selector.prepare(facts));
  const kept = packed?.kept ?? rows;
  const order = plan.place ? place(kept, yield* plan.place.prepare(facts)) : kept;
  const left = [...unusable, ...(packed?.left ?? [])];
  const costs = new Map(packed ? rows.map(({ index, cost }) => [index, cost]) : []);
  return { order, left, rowOf: view.rowOf, budget: packed?.budget, costs, warnings: packed?.warnings ?? [] };
}

/**
 * The state in which expressions about the pinned are asked. They left before the measures were taken: where the cost
 * reads one, all are taken of them alone, so that they change nothing for the others.
 */
function* pinnedState(
  plan: Plan,
  { pinned, candidates }: Judgement,
  batch: Batch,
  failures: Failures,
): Steps<RunState> {
  const { now, context, signals } = batch.state;
  const state = emptyState(now, context);
  state.signals = signals;
  state.score = PINNED_SCORE;
  if (pinned.length === 0 || !plan.pack?.readsMeasures) return state;
  const alone: Batch = {
    candidates: pinned.map((position) => candidates[position]),
    state,
    abort: batch.abort,
    learnt: [],
  };
  const measured = measure(plan.measures, plan.cell, alone, failures);
  if (isSteps(measured)) yield* measured;
  return state;
}
