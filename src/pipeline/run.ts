import type { Context, Signals } from '../contract/index.js';
import { failure } from '../document/failure.js';
import { type Budget, budgetFor, type CallBudget } from '../stages/budget.js';
import { Failures } from '../stages/failures.js';
import { generate } from '../stages/generate.js';
import type { Batch } from '../stages/plan.js';
import { report } from '../stages/report.js';
import { readSignals } from '../stages/signals.js';
import type { Steps } from '../stages/wait.js';
import { type Arranged, arrange } from './arrange.js';
import { choose } from './choose.js';
import type { Plan } from './compile/plan.js';
import { fallBack } from './fall-back.js';
import { judge } from './judge.js';
import type { Judgement, Outcome } from './outcome.js';
import { reportFacts } from './report-facts.js';
import { startState } from './state.js';

/** What a run is of. */
export interface RunInput {
  /** Undefined: the profile's strategies make them. */
  readonly candidates: readonly unknown[] | undefined;
  readonly context: Context;
  readonly abort: AbortSignal;
  /** The call's own budget. */
  readonly budget: CallBudget | undefined;
  /** Whether scorers may be asked about some candidates only. */
  readonly spare: boolean;
  /** Signals that need not be computed. */
  readonly known: Signals;
}

/**
 * The way a candidate goes: signals, generate, veto, measure, score, combine, adjust, select, report.
 *
 * @param learnt where the memories of after the run are put, by slot
 */
export function* run(plan: Plan, input: RunInput, learnt: Map<number, unknown>): Steps<Outcome> {
  const { abort } = input;
  const failures = new Failures();
  const budget = budgetOf(plan, input.budget);

  const batch = yield* begin(plan, input, learnt, failures);
  const judged = yield* judge(plan, batch, failures, input.spare ? plan.late : undefined);
  const { ordered, selected } = choose(plan, judged);
  let arranged: Arranged | undefined;
  if (plan.pack || plan.place) arranged = yield* arrange(plan, judged, selected.rows, budget, batch, failures);
  const nothing = (arranged ? arranged.order.length : selected.rows.length + judged.pinned.length) === 0;
  const fallback = nothing ? yield* fallBack(plan, judged, failures, abort) : undefined;
  let reports = noReports;
  if (plan.reports.length > 0) {
    const facts = reportFacts(plan, { ...judged, selected, arranged }, ordered());
    reports = yield* report(plan.reports, facts, plan.cell, batch.state, abort, failures);
  }

  const { candidates, state, verdicts, vetoed, pinned, kept, measured, scored, rows, totals } = judged;
  // Written out: spreading an object that holds new functions makes V8 learn a new shape each time.
  return {
    candidates,
    state,
    verdicts,
    vetoed,
    pinned,
    kept,
    measured,
    scored,
    rows,
    totals,
    ordered,
    selected,
    arranged,
    fallback,
    reports,
    failures,
  };
}

/** Of a run without reports. */
export const noReports: Outcome['reports'] = { values: new Map(), warnings: [] };

/** The same as far as each candidate goes alone: nothing of what concerns the ranking as a whole. */
export function* judgeOnly(plan: Plan, input: RunInput, learnt: Map<number, unknown>): Steps<Judgement> {
  const failures = new Failures();
  return yield* judge(plan, yield* begin(plan, input, learnt, failures), failures);
}

/** Signals, and the candidates where the caller brings none. */
function* begin(plan: Plan, input: RunInput, learnt: Map<number, unknown>, failures: Failures): Steps<Batch> {
  const { cell, signals, phases, strategies } = plan;
  const { abort, known } = input;
  const state = startState(plan.profile, input.context, plan.clock);
  abort.throwIfAborted();
  yield* readSignals(signals, phases, cell, state, abort, failures, known);
  const candidates = input.candidates ?? (yield* generate(strategies, cell, state, abort, failures));
  return { candidates, state, abort, learnt };
}

/** What a run may spend, where the profile packs: looked at before anything runs. */
export function budgetOf({ pack, profile }: Plan, own: RunInput['budget']): Budget | undefined {
  if (pack) return budgetFor(pack.entry.budget, own, profile.name, pack.entry.place);
  if (own === undefined) return undefined;
  const message = `profile ${profile.name} has no select.pack, and a budget was given`;
  const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } fills one';
  throw failure([{ code: 'ASZ513', message, path: 'select', hint }]);
}
