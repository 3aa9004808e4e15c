import type { RankedRow } from '../../../contract/index.js';
import { idOf } from '../../candidate-id.js';
import { indexIn } from '../../kernel/run-buffers.js';
import type { Plan } from '../../plan.js';
import { readCell } from '../../read-cell.js';
import type { RunResult } from '../../run-result.js';
import { countVetoed } from '../select/fallback.js';
import type { ReportFacts } from './report.js';

/** What of a run a report is told about. */
type ReportInput = Pick<
  RunResult,
  'candidates' | 'kept' | 'rows' | 'totals' | 'scored' | 'context' | 'verdicts' | 'pinned' | 'selected' | 'arrangement'
>;

/** What reports are told. */
export function reportFacts(plan: Plan, told: ReportInput, ordered: Int32Array): ReportFacts {
  const { profile } = plan;
  const { candidates, kept, rows, totals, verdicts, pinned, selected, arrangement } = told;
  const at = (index: number, score: number): RankedRow => {
    const candidate = candidates[index];
    return { id: idOf(profile, candidate, index), index, candidate, score };
  };
  const row = (r: number): RankedRow => at(kept[rows?.[r] ?? r]!, totals[r]!);
  const counts = { given: candidates.length, vetoed: countVetoed(verdicts) };
  const entries = new Set([...profile.measures, ...profile.scorers].map(({ id }) => id));
  const value = ({ index }: RankedRow, entry: string): number | undefined => {
    if (entries.has(entry)) return readCell(plan, told, entry, indexIn(kept, index)).value;
    throw new Error(`there is no scorer or measure ${entry}; there is ${[...entries].join(', ')}`);
  };
  return {
    counts,
    value,
    ranked: Array.from(ordered, row),
    selected: arrangement
      ? arrangement.order.map((one) => at(one.index, one.pinned ? Number.NaN : one.score))
      : [...pinned.map((i) => at(i, Number.NaN)), ...Array.from(selected.rows, row)],
  };
}
