import type { CostedRow, PackUnit, SelectorNote, SelectorNotSelected } from '../../../sdk/index.js';
import { missingText } from './contracts.js';
import type { PackContracts } from './select-plan.js';
import { withSelectReasons } from './select-plan.js';

/** The rows to pack, as units that must not be split. */
export interface UnitsToPack {
  /** The rows that pinned rows need. They are packed whole, like pinned rows. */
  readonly required: ReadonlySet<number>;
  readonly units: readonly PackUnit[];
  /** The rows that cannot be packed, because a candidate that belongs to them is missing. */
  readonly left: readonly SelectorNotSelected[];
  readonly notes: readonly SelectorNote[];
  readonly warnings: readonly string[];
}

/** Splits rows into units. Without contracts, each row is a unit of its own. */
export function packUnits(
  contracts: PackContracts | undefined,
  rows: readonly CostedRow[],
  nameOf: (position: number) => string,
): UnitsToPack {
  if (!contracts) {
    const units = rows.filter(({ pinned }) => !pinned).map((row) => ({ rows: [row], needs: [] }));
    return { required: new Set(), units, left: [], notes: [], warnings: [] };
  }
  const { required, missing, units, warnings } = contracts.split(rows, nameOf);
  const left = rows.flatMap(({ index, pinned }): SelectorNotSelected[] => {
    const gap = pinned ? undefined : missing.get(index);
    return gap ? [withSelectReasons({ index, reason: 'incomplete', data: { needs: missingText(gap, nameOf) } })] : [];
  });
  const notes = Array.from(required, (index) => withSelectReasons({ index, reason: 'required' }));
  return { required, units, left, notes, warnings };
}
