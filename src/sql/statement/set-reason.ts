import { entriesNeedingAll, hasMemory, type Profile } from '../../profile/index.js';

/** Why the process must have every row, those that a veto refuses too; undefined where it need not. */
export function obstacleOf({ fallback, reports }: Profile): string | undefined {
  if (fallback.length > 0) return 'a fallback may be any of the candidates';
  return reports.length > 0 ? 'a report sees the ranking as a whole' : undefined;
}

/** Why the process must have every row that the vetoes leave, to rank them as one set; undefined where it need not. */
export function setReason(profile: Profile): string | undefined {
  const [entry] = entriesNeedingAll(profile);
  if (entry) return `${entry.id} ${hasMemory(entry.use) ? 'remembers what it saw' : 'needs all candidates at once'}`;
  return selectionReason(profile);
}

/** The same, where it is what is selected. */
export function selectionReason({ select: { duplicates, per, diversify, top } }: Profile): string | undefined {
  if (duplicates || per || diversify) return 'which candidates are selected depends on the others';
  return top === undefined ? 'all that are scored are selected' : undefined;
}
