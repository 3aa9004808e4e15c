import type { CostedRow, RunFacts, SelectorFunction, SelectorLimits } from '../../../contract/index.js';
import { idOf } from '../../candidate-id.js';
import { emptyContext, type RunContext } from '../../run-context.js';
import type { RunState } from '../../run-state.js';
import { isTask, type Task } from '../../task.js';
import { takeMeasures } from '../measure/measure.js';
import { costedRows } from './costed-rows.js';
import { pack } from './pack.js';
import { PINNED_SCORE, RowView } from './row-view.js';
import type { Arrangement } from './types.js';

/** Packs the selected into the budget, and places what is in: each where the profile says how. */
export function* arrange(run: RunState): Task<Arrangement> {
  const { plan, context, failures, abort, budget } = run;
  const { profile, binder } = plan;
  const view = new RowView(run, yield* pinnedContext(run), (candidate, position) => idOf(profile, candidate, position));
  const { rows, unusable } = costedRows(view, plan.pack, failures);
  const facts: RunFacts = {
    now: context.now,
    context: context.context,
    signals: context.signals,
    abort,
    expression: (expression) => view.bind(binder.param(expression)),
  };
  const packed = plan.pack && budget && pack(plan.pack.entry, budget, rows, yield* plan.pack.selector.prepare(facts));
  const kept = packed?.kept ?? rows;
  return {
    order: plan.place ? place(kept, yield* plan.place.prepare(facts)) : kept,
    left: [...unusable, ...(packed?.left ?? [])],
    rowOf: view.rowOf,
    budget: packed?.budget,
    costs: new Map(packed ? rows.map(({ index, cost }) => [index, cost]) : []),
    warnings: packed?.warnings ?? [],
  };
}

/** Placing has no limits: what was packed is in. */
const EVERYTHING: SelectorLimits = { target: Infinity, max: Infinity };

/** Puts what was selected in its order. */
const place = (rows: readonly CostedRow[], select: SelectorFunction): readonly CostedRow[] =>
  select(rows, EVERYTHING).kept;

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
