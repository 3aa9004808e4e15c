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
import type { Outcome } from './outcome.js';
import { reportFacts } from './report-facts.js';
import { startState } from './state.js';

/** What a run is of. */
export interface RunInput {
  /** Undefined: the profile's strategies make them. */
  readonly candidates: readonly unknown[] | undefined;
  readonly context: Context;
  readonly abort: AbortSignal;
  /** The call's own budget; `unpacked` leaves packing and placing out. */
  readonly budget: CallBudget | 'unpacked' | undefined;
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
  const { cell } = plan;
  const failures = new Failures();
  const budget = budgetOf(plan, input.budget);
  const state = startState(plan.profile, input.context, plan.clock);
  abort.throwIfAborted();

  yield* readSignals(plan.signals, plan.phases, cell, state, abort, failures, input.known);
  const candidates = input.candidates ?? (yield* generate(plan.strategies, cell, state, abort, failures));
  const batch: Batch = { candidates, state, abort, learnt };
  const judged = yield* judge(plan, batch, failures);
  const { ordered, selected } = choose(plan, judged);
  let arranged: Arranged | undefined;
  if (arranges(plan, input)) arranged = yield* arrange(plan, judged, selected.rows, budget, batch, failures);
  const nothing = (arranged ? arranged.order.length : selected.rows.length + judged.pinned.length) === 0;
  const fallback = nothing ? yield* fallBack(plan, judged, failures, abort) : undefined;
  let reports = noReports;
  if (plan.reports.length > 0) {
    const facts = reportFacts(plan, { ...judged, selected, arranged }, ordered());
    reports = yield* report(plan.reports, facts, cell, state, abort, failures);
  }

  const { verdicts, vetoed, pinned, kept, measured, scored, rows, totals } = judged;
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

const noReports: Outcome['reports'] = { values: new Map(), warnings: [] };

const arranges = ({ pack, place }: Plan, { budget }: RunInput): boolean =>
  budget !== 'unpacked' && (pack !== undefined || place !== undefined);

/** What a run may spend, where the profile packs: looked at before anything runs. */
function budgetOf({ pack, profile }: Plan, own: RunInput['budget']): Budget | undefined {
  if (own === 'unpacked') return undefined;
  if (pack) return budgetFor(pack.entry.budget, own, profile.name, pack.entry.place);
  if (own === undefined) return undefined;
  const message = `profile ${profile.name} has no select.pack, and a budget was given`;
  const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } fills one';
  throw failure([{ code: 'ASZ513', message, path: 'select', hint }]);
}
