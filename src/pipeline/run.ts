import type { Context, Signals } from '../contract/index.js';
import { Failures } from '../stages/failures.js';
import { adjust, type CompiledAmount } from '../stages/adjust.js';
import { generate } from '../stages/generate.js';
import { measure, type MeasureRun } from '../stages/measure.js';
import { type Batch, batchOf, type RunState } from '../stages/plan.js';
import { report } from '../stages/report.js';
import { judgeAndScore } from '../stages/judge-and-score.js';
import { prepareScorers, score, type Scored, type ScoringInput } from '../stages/score.js';
import { order, type RowKey, select, type Selected } from '../stages/select.js';
import { readSignals } from '../stages/signals.js';
import { Slab } from '../matrix/slab.js';
import { veto, type Vetoed } from '../stages/veto.js';
import { type Budget, budgetFor, type CallBudget } from '../stages/budget.js';
import { failure } from '../document/failure.js';
import { type Arranged, arrange } from './arrange.js';
import { failing } from './bind.js';
import type { Plan } from './compile.js';
import { fallBack, type Fallen } from './fall-back.js';
import { reportFacts } from './report-facts.js';
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
  /** The measures that were in the run. */
  readonly measured: readonly MeasureRun[];
  readonly scored: Scored;
  /** The rows of Tier 2 that nothing refused, by row of the ranking; undefined where that is all of them. */
  readonly rows: Int32Array | undefined;
  /** By row of the ranking. */
  readonly totals: Float64Array;
  /** Every row of the ranking, best first: made when it is asked for. */
  ordered(): Int32Array;
  readonly selected: Selected;
  /** The selected once they are packed and placed, where the profile does either. */
  readonly arranged: Arranged | undefined;
  readonly fallback: Fallen | undefined;
  readonly reports: { readonly values: ReadonlyMap<string, unknown>; readonly warnings: readonly string[] };
  readonly failures: Failures;
}

/** What Tiers 1 and 2 and the rules came to: all that is to be known of each candidate alone. */
export type Judgement = Pick<
  Outcome,
  'candidates' | 'state' | 'verdicts' | 'vetoed' | 'pinned' | 'kept' | 'measured' | 'scored' | 'rows' | 'totals'
>;

/**
 * The way a candidate goes: signals, generate, veto, measure, score, combine, adjust, select, report.
 *
 * @param known signals that need not be computed
 */
export async function run(
  plan: Plan,
  given: readonly unknown[] | undefined,
  context: Context,
  abort: AbortSignal,
  learnt: Map<number, unknown>,
  own: CallBudget | 'unpacked' | undefined,
  known: Signals,
): Promise<Outcome> {
  const { cell, profile } = plan;
  const failures = new Failures();
  const packs = own !== 'unpacked';
  const budget = packs ? budgetOf(plan, own) : undefined;
  const state = startState(profile, context, plan.clock);
  abort.throwIfAborted();
  await readSignals(plan.signals, plan.phases, cell, state, abort, failures, known);
  const candidates = given ?? (await generate(plan.strategies, cell, state, abort, failures));
  const slab = new Slab(candidates.length);
  const { verdicts } = slab;
  const batch: Batch = { candidates, state, abort, learnt };
  const input = { candidates, state, cell, slab, failures };
  const { vetoed, pinned, kept, measured, scored } = plan.onePass
    ? inOnePass(plan, plan.onePass, input)
    : await inStages(plan, batch, input);
  const { rows, totals } = adjusted(plan, input, kept, scored.totals);
  const table: Table = { candidates, kept, scored, rows, totals, state };
  const ties = plan.select.ties?.map((key) => keyed(table, 'ties', key));
  const ordered = once(() => {
    cell.state = state;
    return order(totals, ties);
  });
  cell.state = state;
  const duplicates = keyed(table, 'duplicates', plan.select.duplicates);
  const { minScore, top } = plan.select;
  const selected = select({ duplicates, minScore, ties, top }, totals, ordered);
  const arranged =
    packs && (plan.pack || plan.place)
      ? await arrange(plan, { ...table, pinned, failures }, selected.rows, budget, batch)
      : undefined;
  const nothing = (arranged ? arranged.order.length : selected.rows.length + pinned.length) === 0;
  const fallback = nothing ? await fallBack(plan, state, candidates, verdicts, failures, abort) : undefined;
  const reports =
    plan.reports.length === 0
      ? noReports
      : await report(
          plan.reports,
          reportFacts(plan, { ...table, scored, verdicts, pinned, selected, arranged }, ordered()),
          cell,
          state,
          abort,
          failures,
        );
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

/** What becomes of a part of a stream: all that `run` does with candidates that are judged one by one. */
export async function judge(plan: Plan, batch: Batch, failures: Failures): Promise<Judgement> {
  const { candidates, state } = batch;
  const slab = new Slab(candidates.length);
  const input = { candidates, state, cell: plan.cell, slab, failures };
  const { vetoed, pinned, kept, measured, scored } = plan.onePass
    ? inOnePass(plan, plan.onePass, input)
    : await inStages(plan, batch, input);
  const { rows, totals } = adjusted(plan, input, kept, scored.totals);
  return { candidates, state, verdicts: slab.verdicts, vetoed, pinned, kept, measured, scored, rows, totals };
}

/** The scored rows of a run: their candidates and totals. */
type Table = Pick<Outcome, 'candidates' | 'kept' | 'scored' | 'rows' | 'totals' | 'state'>;

/** An expression of scored candidates, by row of the ranking. */
export function keyed(
  { candidates, kept, rows, totals, state }: Omit<Table, 'scored'>,
  what: string,
  key: CompiledAmount | undefined,
): RowKey | undefined {
  if (!key) return undefined;
  return (r) => {
    const row = rows?.[r] ?? r;
    state.score = totals[r]!;
    return failing(what, 'select', () => key(candidates[kept[row]!], row));
  };
}

/** What a run may spend, where the profile packs: looked at before anything runs. */
export function budgetOf({ pack, profile }: Plan, own: CallBudget | undefined): Budget | undefined {
  if (pack) return budgetFor(pack.entry.budget, own, profile.name, pack.entry.place);
  if (own === undefined) return undefined;
  const message = `profile ${profile.name} has no select.pack, and a budget was given`;
  const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } fills one';
  throw failure([{ code: 'ASZ513', message, path: 'select', hint }]);
}

export const noReports: Outcome['reports'] = { values: new Map(), warnings: [] };

/** What Tiers 1 and 2 came to. */
type Judged = Pick<Outcome, 'vetoed' | 'pinned' | 'kept' | 'measured' | 'scored'>;

/** Veto, measure, score, one after the other: each may have to prepare what it asks on what is left. */
async function inStages(plan: Plan, batch: Batch, input: ScoringInput): Promise<Judged> {
  const { cell } = plan;
  const { candidates, failures } = input;
  const vetoed = await veto(plan.vetoes, plan.vetoInRun, cell, batch, input.slab, failures);
  const { pinned, kept } = partition(plan, input, vetoed.kept);
  const keptBatch = batchOf(batch, needsList(plan) ? pick(candidates, kept) : candidates);
  const measured = await measure(plan.measures, cell, keptBatch, failures);
  const scoring = await prepareScorers(plan.score, plan.scorerInRun, cell, keptBatch, failures);
  batch.abort.throwIfAborted();
  return { vetoed, pinned, kept, measured, scored: score(plan.score, scoring, input, kept) };
}

/** Both tiers at once, where no stage stands between them. */
function inOnePass(plan: Plan, { vetoes, scoring }: NonNullable<Plan['onePass']>, input: ScoringInput): Judged {
  const { vetoed, scored } = judgeAndScore(vetoes, plan.score, scoring, input);
  return { vetoed, pinned: [], kept: vetoed.kept, measured: [], scored };
}

/** Only units that are prepared, and columns by row, need the kept candidates as a list of their own. */
const needsList = (plan: Plan): boolean =>
  plan.measures.length > 0 || plan.score.scorers.some((scorer) => scorer.unit.batch);

const pick = (candidates: readonly unknown[], positions: Int32Array): readonly unknown[] =>
  positions.length === candidates.length ? candidates : Array.from(positions, (i) => candidates[i]);

/** Pinned candidates leave after the vetoes: selected whatever they would have scored, and so not scored. */
function partition(
  plan: Plan,
  { candidates, state, failures }: ScoringInput,
  kept: Int32Array,
): Pick<Judged, 'pinned' | 'kept'> {
  const pinned: number[] = [];
  const { pinned: isPinned, cell } = plan;
  if (!isPinned) return { pinned, kept };
  cell.state = state;
  const rest = kept.filter((i) => {
    try {
      if (isPinned(candidates[i], i) !== true) return true;
    } catch (error) {
      failures.add('pinned', 'select', error);
      return true;
    }
    pinned.push(i);
    return false;
  });
  return { pinned, kept: rest };
}

/** The rules, in order, and the rows that they and the scorers left. */
function adjusted(
  plan: Plan,
  { candidates, state, cell, slab, failures }: ScoringInput,
  kept: Int32Array,
  totals: Float64Array,
): Pick<Outcome, 'rows' | 'totals'> {
  adjust(plan.rules, plan.firstRuleJudge, state, cell, candidates, kept, totals, slab, failures);
  return compact(kept, totals, slab);
}

/** Leaves out the rows that scoring and the rules refused. */
function compact(
  kept: Int32Array,
  totals: Float64Array,
  { verdicts, dropped }: Slab,
): Pick<Outcome, 'rows' | 'totals'> {
  if (dropped === 0) return { rows: undefined, totals };
  const rows = new Int32Array(kept.length - dropped);
  for (let row = 0, r = 0; row < kept.length; row++) if (verdicts[kept[row]!] === 0) rows[r++] = row;
  return { rows, totals: Float64Array.from(rows, (row) => totals[row]!) };
}

/** What is made when it is first asked for. */
export function once<V>(make: () => V): () => V {
  let made: { readonly value: V } | undefined;
  return () => (made ??= { value: make() }).value;
}
