import type { AbsentFields } from '../statement/absent-fields.js';
import type { Relation } from '../rows/relation.js';
import type { SieveResult } from '../statement/sieve-rows.js';

/** What a statement has left for this process. */
export interface Sieved {
  readonly relation: Relation;
  readonly result: SieveResult;
  /** Is to be given every candidate that is judged. */
  readonly absent: AbsentFields;
  /** What of the profile has no translation, and why: the notices of the ranking. */
  readonly notices: readonly string[];
}

/** The candidates of the rows that the statement gave, in order. */
export function decodeChosen({ relation, result, absent }: Sieved): readonly object[] {
  const candidates = result.chosen.map(({ cells }) => relation.decode(cells));
  absent.add(candidates);
  return candidates;
}
