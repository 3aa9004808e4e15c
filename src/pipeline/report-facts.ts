import type { RankedRow } from '../contract/index.js';
import type { ReportFacts } from '../stages/report.js';
import type { Plan } from './compile.js';
import { countVetoed } from './fall-back.js';
import { idOf } from './ids.js';
import type { Outcome } from './run.js';

/** What of a run a report is told about. */
type Told = Pick<Outcome, 'candidates' | 'kept' | 'rows' | 'totals' | 'verdicts' | 'pinned' | 'selected' | 'arranged'>;

/** What reports are told. */
export function reportFacts(
  { profile }: Plan,
  { candidates, kept, rows, totals, verdicts, pinned, selected, arranged }: Told,
  ordered: Int32Array,
): ReportFacts {
  const at = (index: number, score: number): RankedRow => {
    const candidate = candidates[index];
    return { id: idOf(profile, candidate, index), index, candidate, score };
  };
  const row = (r: number): RankedRow => at(kept[rows?.[r] ?? r]!, totals[r]!);
  const counts = { given: candidates.length, vetoed: countVetoed(verdicts) };
  return {
    counts,
    ranked: Array.from(ordered, row),
    selected: arranged
      ? arranged.order.map((one) => at(one.index, one.pinned ? Number.NaN : one.score))
      : [...pinned.map((i) => at(i, Number.NaN)), ...Array.from(selected.rows, row)],
  };
}
