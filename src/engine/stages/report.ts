import type { RankedRow, ReportResult, ReportRun } from '../../sdk/index.js';
import { describeValue } from '../../base/index.js';
import type { ReportEntry } from '../../profile/index.js';
import { idOf } from '../candidates.js';
import { readCell } from '../columns/score-columns.js';
import { callEntry } from '../entries.js';
import { indexIn } from '../kernel/run-buffers.js';
import type { CompiledReport, ReportFacts } from '../plan.js';
import type { RunState } from '../run-state.js';
import type { Task } from '../tasks.js';
import { type Binder, type Instantiate, runUnit } from '../units/unit-compiler.js';
import { countVetoed } from './select/select.js';
import { pinnedOnPage } from './select/arrange.js';

/** Computes the values of the whole ranking, with warnings. A report that fails is missing. */
export function* report(run: RunState): Task<void> {
  const { abort, failures } = run;
  const facts = reportFacts(run);
  const values = new Map<string, unknown>();
  const warnings: string[] = [];
  for (const one of run.plan.reports) {
    if (!one.when()) continue;
    try {
      const { value, warnings: own = [] } = yield* computeReport(one, facts, run);
      values.set(one.id, value);
      for (const warning of own) warnings.push(`${one.id}: ${warning}`);
      if (one.warnBelow !== undefined && typeof value === 'number' && value < one.warnBelow) {
        warnings.push(`${one.id} is ${value}, below ${one.warnBelow}`);
      }
    } catch (error) {
      abort.throwIfAborted();
      failures.add(one.id, 'report', error);
    }
  }
  run.reports = { values, warnings };
}

function* computeReport(
  { id, timeout, compute: unit }: CompiledReport,
  facts: ReportFacts,
  { context, abort }: RunState,
) {
  const caller = { entry: id, stage: 'report' };
  const result = yield* callEntry(caller, context, abort, timeout, (limited) => unit(facts, context, limited));
  if (typeof result === 'object' && result !== null && 'value' in result) return result;
  throw new TypeError(`expected { value } from the report, found ${describeValue(result)}`);
}

function reportFacts(run: RunState): ReportFacts {
  const { plan, candidates, kept, rows, totals, verdicts, pinned, selected, arrangement } = run;
  const { profile } = plan;
  const at = (index: number, score: number): RankedRow => {
    const candidate = candidates[index];
    return { id: idOf(profile, candidate, index), index, candidate, score };
  };
  const row = (r: number): RankedRow => at(kept[rows?.[r] ?? r]!, totals[r]!);
  const entries = new Set([...profile.measures, ...profile.scorers].map(({ id }) => id));
  return {
    counts: { given: candidates.length, vetoed: countVetoed(verdicts) },
    value({ index }, entry) {
      if (entries.has(entry)) return readCell(plan, run, entry, indexIn(kept, index)).value;
      throw new Error(`there is no scorer or measure ${entry}; there are: ${[...entries].join(', ')}`);
    },
    ranked: Array.from(run.ordered(), row),
    selected: arrangement
      ? arrangement.order.map((one) => at(one.index, one.pinned ? Number.NaN : one.score))
      : [...pinnedOnPage(plan, pinned).map((i) => at(i, Number.NaN)), ...Array.from(selected.rows, row)],
  };
}

export function compileReport(entry: ReportEntry, binder: Binder, instantiate: Instantiate): CompiledReport {
  const { id, use, when, timeout, warnBelow } = entry;
  const compute = runUnit<ReportRun, ReportResult>(id, use, instantiate);
  return {
    id,
    timeout,
    warnBelow,
    when: binder.condition(when, id, 'report'),
    compute: (facts, context, abort) => compute(Object.assign(binder.runFacts(context, abort), facts)),
  };
}
