import type { RankedRow } from '../contract/index.js';
import { indexIn } from '../matrix/slab.js';
import type { ReportFacts } from '../stages/report.js';
import { askCell } from './ask-cell.js';
import type { Plan } from './compile/plan.js';
import { countVetoed } from './fall-back.js';
import { idOf } from './ids.js';
import type { Outcome } from './outcome.js';

/** What of a run a report is told about. */
type Told = Pick<
  Outcome,
  'candidates' | 'kept' | 'rows' | 'totals' | 'scored' | 'state' | 'verdicts' | 'pinned' | 'selected' | 'arranged'
>;

/** What reports are told. */
export function reportFacts(plan: Plan, told: Told, ordered: Int32Array): ReportFacts {
  const { profile } = plan;
  const { candidates, kept, rows, totals, verdicts, pinned, selected, arranged } = told;
  const at = (index: number, score: number): RankedRow => {
    const candidate = candidates[index];
    return { id: idOf(profile, candidate, index), index, candidate, score };
  };
  const row = (r: number): RankedRow => at(kept[rows?.[r] ?? r]!, totals[r]!);
  const counts = { given: candidates.length, vetoed: countVetoed(verdicts) };
  const entries = new Set([...profile.measures, ...profile.scorers].map(({ id }) => id));
  const value = ({ index }: RankedRow, entry: string): number | undefined => {
    if (entries.has(entry)) return askCell(plan, told, entry, indexIn(kept, index)).value;
    throw new Error(`there is no scorer or measure ${entry}; there is ${[...entries].join(', ')}`);
  };
  return {
    counts,
    value,
    ranked: Array.from(ordered, row),
    selected: arranged
      ? arranged.order.map((one) => at(one.index, one.pinned ? Number.NaN : one.score))
      : [...pinned.map((i) => at(i, Number.NaN)), ...Array.from(selected.rows, row)],
  };
}
