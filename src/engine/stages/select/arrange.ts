import type { CostedRow, RunFacts, SelectorLeftOut } from '../../../contract/index.js';
import { idOf } from '../../candidate-id.js';
import type { Failures } from '../../failures.js';
import type { Plan } from '../../plan.js';
import type { PrepareInput, RunContext } from '../../run-context.js';
import type { Evaluation } from '../../run-result.js';
import { emptyContext } from '../../start-run.js';
import { isTask, type Task } from '../../task.js';
import { takeMeasures } from '../measure/measure.js';
import type { Budget } from './budget.js';
import { costedRows } from './costed-rows.js';
import { type BudgetUse, type Packed, pack } from './pack.js';
import { place } from './place.js';
import { PINNED_SCORE, RowView } from './row-view.js';

/** The selected in their order, and who is not among them for want of room. */
export interface Arrangement {
  readonly order: readonly CostedRow[];
  readonly left: readonly SelectorLeftOut[];
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
  judged: Evaluation,
  selected: Int32Array,
  budget: Budget | undefined,
  batch: PrepareInput,
  failures: Failures,
): Task<Arrangement> {
  const { current, profile, binder } = plan;
  const pinned = { positions: judged.pinned, state: yield* pinnedContext(plan, judged, batch, failures) };
  const view = new RowView(current, judged, selected, pinned, (candidate, position) =>
    idOf(profile, candidate, position),
  );
  const { rows, unusable } = costedRows(view, plan.pack, failures);
  const { now, context, signals } = batch.context;
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
function* pinnedContext(
  plan: Plan,
  { pinned, candidates }: Evaluation,
  batch: PrepareInput,
  failures: Failures,
): Task<RunContext> {
  const { now, context, signals } = batch.context;
  const state = emptyContext(now, context);
  state.signals = signals;
  state.score = PINNED_SCORE;
  if (pinned.length === 0 || !plan.pack?.readsMeasures) return state;
  const alone: PrepareInput = {
    candidates: pinned.map((position) => candidates[position]),
    context: state,
    abort: batch.abort,
    updates: [],
  };
  const measured = takeMeasures(plan.measures, plan.current, alone, failures);
  if (isTask(measured)) yield* measured;
  return state;
}
