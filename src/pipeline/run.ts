import type { Context, Signals } from '../contract/index.js';
import { failure } from '../document/failure.js';
import { type Budget, budgetFor, type CallBudget } from '../stages/budget.js';
import { Failures } from '../stages/failures.js';
import { generate } from '../stages/generate.js';
import { NEVER } from '../stages/limits.js';
import type { Batch, Learnt, RunState } from '../stages/plan.js';
import { report } from '../stages/report.js';
import { readSignals } from '../stages/signals.js';
import { andThen, type Soon, type Steps } from '../stages/wait.js';
import { arrange } from './arrange.js';
import { type Chosen, choose } from './choose.js';
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
 * @param learnt where the memories of after the run are put
 */
export function run(plan: Plan, input: RunInput, learnt: Learnt): Soon<Outcome> {
  const failures = new Failures();
  const budget = budgetOf(plan, input.budget);
  return andThen(begin(plan, input, learnt, failures), (batch) =>
    andThen(judge(plan, batch, failures, input.spare ? plan.late : undefined), (judged) =>
      conclude(plan, judged, budget, batch, failures),
    ),
  );
}

/** What follows once each candidate has been judged: order and cut, pack and place, the fallback, the reports. */
export function conclude(
  plan: Plan,
  judged: Judgement,
  budget: Budget | undefined,
  batch: Batch,
  failures: Failures,
): Soon<Outcome> {
  const chosen = choose(plan, judged);
  return andThen(end(plan, judged, chosen, budget, batch, failures), (ended) =>
    outcomeOf(judged, chosen, ended, failures),
  );
}

/** What comes after the cut. */
type Ended = Pick<Outcome, 'arranged' | 'fallback' | 'reports'>;

const nothingMore: Ended = { arranged: undefined, fallback: undefined, reports: { values: new Map(), warnings: [] } };

/** Pack and place, the fallback where nothing is selected, and the reports: most profiles have none of them. */
function end(
  plan: Plan,
  judged: Judgement,
  chosen: Chosen,
  budget: Budget | undefined,
  batch: Batch,
  failures: Failures,
): Soon<Ended> {
  const falls = plan.fallback.length > 0 && chosen.selected.rows.length + judged.pinned.length === 0;
  if (!plan.pack && !plan.place && plan.reports.length === 0 && !falls) return nothingMore;
  return endInSteps(plan, judged, chosen, budget, batch, failures);
}

function* endInSteps(
  plan: Plan,
  judged: Judgement,
  { ordered, selected }: Chosen,
  budget: Budget | undefined,
  batch: Batch,
  failures: Failures,
): Steps<Ended> {
  const { abort, state } = batch;
  let { arranged, fallback, reports } = nothingMore;
  if (plan.pack || plan.place) arranged = yield* arrange(plan, judged, selected.rows, budget, batch, failures);
  const count = arranged ? arranged.order.length : selected.rows.length + judged.pinned.length;
  if (count === 0) fallback = yield* fallBack(plan, judged, failures, abort);
  if (plan.reports.length > 0) {
    const facts = reportFacts(plan, { ...judged, selected, arranged }, ordered());
    reports = yield* report(plan.reports, facts, plan.cell, state, abort, failures);
  }
  return { arranged, fallback, reports };
}

/** Written out: spreading an object that holds new functions makes V8 learn a new shape each time. */
function outcomeOf(
  { candidates, state, verdicts, vetoed, pinned, kept, measured, scored, rows, totals }: Judgement,
  { ordered, selected }: Chosen,
  { arranged, fallback, reports }: Ended,
  failures: Failures,
): Outcome {
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

/** The same as far as each candidate goes alone: nothing of what concerns the ranking as a whole. */
export function judgeOnly(plan: Plan, input: RunInput, learnt: Learnt): Soon<Judgement> {
  const failures = new Failures();
  return andThen(begin(plan, input, learnt, failures), (batch) => judge(plan, batch, failures));
}

/** Signals, and the candidates where the caller brings none. */
function begin(plan: Plan, input: RunInput, learnt: Learnt, failures: Failures): Soon<Batch> {
  const { signals, phases } = plan;
  const { abort, candidates } = input;
  const state = startState(plan.profile, input.context, plan.clock);
  if (abort !== NEVER) abort.throwIfAborted();
  if (candidates && signals.length + phases.length === 0) return { candidates, state, abort, learnt };
  return beginInSteps(plan, input, state, learnt, failures);
}

function* beginInSteps(
  { cell, signals, phases, strategies }: Plan,
  { candidates: given, abort, known }: RunInput,
  state: RunState,
  learnt: Learnt,
  failures: Failures,
): Steps<Batch> {
  yield* readSignals(signals, phases, cell, state, abort, failures, known);
  const candidates = given ?? (yield* generate(strategies, cell, state, abort, failures));
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
