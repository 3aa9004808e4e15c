import type { AbsentFields } from './absent-fields.js';
import type { Relation } from './relation.js';
import type { SieveResult } from './sieve-rows.js';

/** What a statement has left for this process. */
export interface Sieved {
  readonly relation: Relation;
  readonly result: SieveResult;
  /** Is to be given every candidate that is judged. */
  readonly absent: AbsentFields;
}

/** The candidates of the rows that the statement gave, in order. */
export function decodeChosen({ relation, result, absent }: Sieved): readonly object[] {
  const candidates = result.chosen.map(({ cells }) => relation.decode(cells));
  absent.add(candidates);
  return candidates;
}
