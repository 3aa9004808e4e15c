import type { ReportResult, ReportRun } from '../../../contract/index.js';
import type { ReportEntry } from '../../../profile/index.js';
import type { Binder } from '../../units/binder.js';
import { type Instantiate, runUnit } from '../../units/run-unit.js';
import type { CompiledReport } from './types.js';

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
