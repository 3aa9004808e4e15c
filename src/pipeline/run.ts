import type { Context } from '../contract/index.js';
import { Failures } from '../stages/failures.js';
import { adjust } from '../stages/adjust.js';
import { generate, generateFor } from '../stages/generate.js';
import { measure } from '../stages/measure.js';
import type { Batch, RunState } from '../stages/plan.js';
import { report } from '../stages/report.js';
import { prepareScorers, score, type Scored } from '../stages/score.js';
import { order, select, type Selected } from '../stages/select.js';
import { readSignals } from '../stages/signals.js';
import { veto, type Vetoed } from '../stages/veto.js';
import { refusalOf } from '../matrix/verdict.js';
import type { Plan } from './compile.js';
import { idOf } from './ids.js';
import { startState } from './state.js';

/** What one run came to, as numbers and positions: a ranking reads it when somebody looks. */
export interface Outcome {
  readonly candidates: readonly unknown[];
  readonly state: RunState;
  /** By position in the input: 0, or the verdict that refused the candidate. */
  readonly verdicts: Uint16Array;
  readonly vetoed: Vetoed;
  /** The positions that were pinned, in order. */
  readonly pinned: readonly number[];
  /** The positions of the candidates that were scored, by row of Tier 2. */
  readonly kept: Int32Array;
  readonly scored: Scored;
  /** The rows of Tier 2 that nothing refused; a row of the ranking is a position in here. */
  readonly rows: Int32Array;
  readonly totals: Float64Array;
  /** Every row of the ranking, best first: made when it is asked for. */
  ordered(): Int32Array;
  readonly selected: Selected;
  /** What was selected because nothing else was. */
  readonly fallback:
    | { readonly use: string; readonly positions: readonly number[]; readonly made: readonly unknown[] }
    | undefined;
  readonly reports: { readonly values: ReadonlyMap<string, unknown>; readonly warnings: readonly string[] };
  readonly failures: Failures;
}

/** The way a candidate goes: signals, generate, veto, measure, score, combine, adjust, select, report. */
export async function run(
  plan: Plan,
  given: readonly unknown[] | undefined,
  context: Context,
  abort: AbortSignal,
  learnt: Map<number, unknown>,
): Promise<Outcome> {
  const { cell, profile } = plan;
  const failures = new Failures();
  const state = startState(profile, context, plan.clock);
  abort.throwIfAborted();
  await readSignals(plan.signals, plan.phases, cell, state, abort, failures);
  const candidates = given ?? (await generate(plan.strategies, cell, state, abort, failures));
  const verdicts = new Uint16Array(candidates.length);
  const batch: Batch = { candidates, state, abort, learnt };
  const vetoed = await veto(plan.vetoes, plan.vetoInRun, cell, batch, verdicts, failures);
  const { pinned, kept } = partition(plan, state, candidates, vetoed.kept);
  const keptBatch: Batch = { ...batch, candidates: needsList(plan) ? pick(candidates, kept) : candidates };
  await measure(plan.measures, cell, keptBatch, failures);
  const scoring = await prepareScorers(plan.score, plan.scorerInRun, cell, keptBatch, failures);
  abort.throwIfAborted();
  const scored = score(plan.score, scoring, state, cell, candidates, kept, verdicts, failures);
  adjust(plan.rules, plan.firstRuleJudge, state, cell, candidates, kept, scored.totals, verdicts, failures);
  const { rows, totals } = compact(kept, scored.totals, verdicts);
  const keyed = (key: ((candidate: unknown, row: number) => unknown) | undefined) =>
    key &&
    ((r: number): unknown => {
      state.score = totals[r]!;
      return key(candidates[kept[rows[r]!]!], rows[r]!);
    });
  cell.state = state;
  const ties = plan.select.ties?.map(keyed);
  const selected = select({ ...plan.select, duplicates: keyed(plan.select.duplicates), ties }, totals);
  const fallback =
    selected.rows.length + pinned.length === 0
      ? await fallBack(plan, state, candidates, verdicts, failures, abort)
      : undefined;
  const ordered = once(() => {
    cell.state = state;
    return order(totals, ties);
  });
  const row = (r: number) => {
    const index = kept[rows[r]!]!;
    const candidate = candidates[index];
    return { id: idOf(profile, candidate, index), index, candidate, score: totals[r]! };
  };
  const facts = {
    now: state.now,
    context: state.context,
    signals: state.signals,
    get ranked() {
      return Array.from(ordered(), row);
    },
    get selected() {
      return Array.from(selected.rows, row);
    },
    counts: { given: candidates.length, vetoed: countVetoed(verdicts) },
  };
  const reports = await report(plan.reports, facts, cell, state, abort, failures);
  return {
    candidates,
    state,
    verdicts,
    vetoed,
    pinned,
    kept,
    scored,
    rows,
    totals,
    ordered,
    selected,
    fallback,
    reports,
    failures,
  };
}

/** Only units that are prepared, and columns by row, need the kept candidates as a list of their own. */
const needsList = (plan: Plan): boolean =>
  plan.measures.length > 0 || plan.score.scorers.some((scorer) => scorer.unit.batch);

const pick = (candidates: readonly unknown[], positions: Int32Array): readonly unknown[] =>
  positions.length === candidates.length ? candidates : Array.from(positions, (i) => candidates[i]);

/** Pinned candidates leave after the vetoes: selected whatever they would have scored, and so not scored. */
function partition(
  plan: Plan,
  state: RunState,
  candidates: readonly unknown[],
  kept: Int32Array,
): { pinned: number[]; kept: Int32Array } {
  const pinned: number[] = [];
  const { pinned: isPinned, cell } = plan;
  if (!isPinned) return { pinned, kept };
  cell.state = state;
  const rest = kept.filter((i) => {
    if (isPinned(candidates[i], i) !== true) return true;
    pinned.push(i);
    return false;
  });
  return { pinned, kept: rest };
}

/** Drops the rows that scoring refused. */
function compact(
  kept: Int32Array,
  totals: Float64Array,
  verdicts: Uint16Array,
): { rows: Int32Array; totals: Float64Array } {
  const rows = new Int32Array(kept.length);
  let count = 0;
  for (let row = 0; row < kept.length; row++) if (verdicts[kept[row]!] === 0) rows[count++] = row;
  if (count === kept.length) return { rows, totals };
  const compacted = new Float64Array(count);
  for (let r = 0; r < count; r++) compacted[r] = totals[rows[r]!]!;
  return { rows: rows.slice(0, count), totals: compacted };
}

const countVetoed = (verdicts: Uint16Array): number =>
  verdicts.reduce((n, v) => n + Number(v !== 0 && refusalOf(v) === 'veto'), 0);

/** What is selected when nothing was: the first that holds of the profile's list. Reported as such. */
async function fallBack(
  plan: Plan,
  state: RunState,
  candidates: readonly unknown[],
  verdicts: Uint16Array,
  failures: Failures,
  abort: AbortSignal,
): Promise<Outcome['fallback']> {
  const failed = verdicts.reduce((n, v) => n + Number(v !== 0 && refusalOf(v) === 'error'), 0);
  const strategies = plan.strategies.map((strategy) => strategy.id);
  state.tally = { generated: candidates.length, vetoed: countVetoed(verdicts), failed, strategies };
  for (const { when, use } of plan.fallback) {
    plan.cell.state = state;
    if (!when()) continue;
    const strategy = plan.strategies.find((one) => one.id === use);
    if (strategy) {
      try {
        const made = await generateFor(strategy, state, abort);
        if (made.length > 0) return { use, positions: [], made: made.slice(0, 1) };
      } catch (error) {
        abort.throwIfAborted();
        failures.add(use, 'fallback', error);
      }
      continue;
    }
    const position = candidates.findIndex((candidate, i) => idOf(plan.profile, candidate, i) === use);
    if (position >= 0) return { use, positions: [position], made: [] };
  }
  return undefined;
}

function once<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
}
