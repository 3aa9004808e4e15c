import type { Context, Signals } from '../contract/index.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { evaluateCandidates } from './evaluate.js';
import { Failures } from './failures.js';
import { NEVER } from './limits.js';
import type { Plan } from './plan.js';
import type { MemoryUpdates, PrepareInput, RunContext } from './run-context.js';
import type { Evaluation, RunResult } from './run-result.js';
import { generate } from './stages/generate/generate.js';
import { report } from './stages/report/report.js';
import { reportFacts } from './stages/report/report-facts.js';
import { arrange } from './stages/select/arrange.js';
import { type Budget, budgetFor, type CallBudget } from './stages/select/budget.js';
import { type Choice, chooseRows } from './stages/select/choose.js';
import { chooseFallback } from './stages/select/fallback.js';
import { readSignals } from './stages/signals/signals.js';
import { startContext } from './start-run.js';
import { chain, type MaybeAsync, type Task } from './task.js';

/** What a run is of. */
export interface RunInput {
  /** Undefined: the profile's strategies make them. */
  readonly candidates: readonly unknown[] | undefined;
  readonly context: Context;
  readonly abort: AbortSignal;
  /** The call's own budget. */
  readonly budget: CallBudget | undefined;
  /** Whether scorers may be asked about some candidates only. */
  readonly prune: boolean;
  /** Signals that need not be computed. */
  readonly known: Signals;
}

/**
 * The way a candidate goes: signals, generate, veto, measure, score, combine, adjust, select, report.
 *
 * @param learnt where the memories of after the run are put
 */
export function run(plan: Plan, input: RunInput, learnt: MemoryUpdates): MaybeAsync<RunResult> {
  const failures = new Failures();
  const budget = budgetOf(plan, input.budget);
  return chain(beginRun(plan, input, learnt, failures), (batch) =>
    chain(evaluateCandidates(plan, batch, failures, input.prune ? plan.secondPhase : undefined), (judged) =>
      finish(plan, judged, budget, batch, failures),
    ),
  );
}

/** What follows once each candidate has been judged: order and cut, pack and place, the fallback, the reports. */
export function finish(
  plan: Plan,
  judged: Evaluation,
  budget: Budget | undefined,
  batch: PrepareInput,
  failures: Failures,
): MaybeAsync<RunResult> {
  const chosen = chooseRows(plan, judged);
  return chain(finishRun(plan, judged, chosen, budget, batch, failures), (ended) =>
    toRunResult(judged, chosen, ended, failures),
  );
}

/** What comes after the cut. */
type Finish = Pick<RunResult, 'arrangement' | 'fallback' | 'reports'>;

const nothingMore: Finish = {
  arrangement: undefined,
  fallback: undefined,
  reports: { values: new Map(), warnings: [] },
};

/** Pack and place, the fallback where nothing is selected, and the reports: most profiles have none of them. */
function finishRun(
  plan: Plan,
  judged: Evaluation,
  chosen: Choice,
  budget: Budget | undefined,
  batch: PrepareInput,
  failures: Failures,
): MaybeAsync<Finish> {
  const falls = plan.fallback.length > 0 && chosen.selected.rows.length + judged.pinned.length === 0;
  if (!plan.pack && !plan.place && plan.reports.length === 0 && !falls) return nothingMore;
  return finishInSteps(plan, judged, chosen, budget, batch, failures);
}

function* finishInSteps(
  plan: Plan,
  judged: Evaluation,
  { ordered, selected }: Choice,
  budget: Budget | undefined,
  batch: PrepareInput,
  failures: Failures,
): Task<Finish> {
  const { abort, context } = batch;
  let { arrangement, fallback, reports } = nothingMore;
  if (plan.pack || plan.place) arrangement = yield* arrange(plan, judged, selected.rows, budget, batch, failures);
  const count = arrangement ? arrangement.order.length : selected.rows.length + judged.pinned.length;
  if (count === 0) fallback = yield* chooseFallback(plan, judged, failures, abort);
  if (plan.reports.length > 0) {
    const facts = reportFacts(plan, { ...judged, selected, arrangement }, ordered());
    reports = yield* report(plan.reports, facts, plan.current, context, abort, failures);
  }
  return { arrangement, fallback, reports };
}

/** Written out: spreading an object that holds new functions makes V8 learn a new shape each time. */
function toRunResult(
  { candidates, context, verdicts, vetoes, pinned, kept, measures, scored, rows, totals }: Evaluation,
  { ordered, selected }: Choice,
  { arrangement, fallback, reports }: Finish,
  failures: Failures,
): RunResult {
  return {
    candidates,
    context,
    verdicts,
    vetoes,
    pinned,
    kept,
    measures,
    scored,
    rows,
    totals,
    ordered,
    selected,
    arrangement,
    fallback,
    reports,
    failures,
  };
}

/** The same as far as each candidate goes alone: nothing of what concerns the ranking as a whole. */
export function evaluateOnly(plan: Plan, input: RunInput, learnt: MemoryUpdates): MaybeAsync<Evaluation> {
  const failures = new Failures();
  return chain(beginRun(plan, input, learnt, failures), (batch) => evaluateCandidates(plan, batch, failures));
}

/** Signals, and the candidates where the caller brings none. */
function beginRun(plan: Plan, input: RunInput, updates: MemoryUpdates, failures: Failures): MaybeAsync<PrepareInput> {
  const { signals, phases } = plan;
  const { abort, candidates } = input;
  const context = startContext(plan.profile, input.context, plan.clock);
  if (abort !== NEVER) abort.throwIfAborted();
  if (candidates && signals.length + phases.length === 0) return { candidates, context, abort, updates };
  return beginWithSignals(plan, input, context, updates, failures);
}

function* beginWithSignals(
  { current, signals, phases, strategies }: Plan,
  { candidates: given, abort, known }: RunInput,
  context: RunContext,
  updates: MemoryUpdates,
  failures: Failures,
): Task<PrepareInput> {
  yield* readSignals(signals, phases, current, context, abort, failures, known);
  const candidates = given ?? (yield* generate(strategies, current, context, abort, failures));
  return { candidates, context, abort, updates };
}

/** What a run may spend, where the profile packs: looked at before anything runs. */
export function budgetOf({ pack, profile }: Plan, own: RunInput['budget']): Budget | undefined {
  if (pack) return budgetFor(pack.entry.budget, own, profile.name, pack.entry.place);
  if (own === undefined) return undefined;
  const message = `profile ${profile.name} has no select.pack, and a budget was given`;
  const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } fills one';
  throw toAssizeError([{ code: 'ASZ513', message, path: 'select', hint }]);
}
