import type { CostedRow, Score } from '../../src/sdk.js';
import { foldAscii } from './ascii-case.js';

/** The key of a kind, without ASCII case: a text as it is, anything else as JSON. Rows without a kind are one kind. */
export function kindKey(kind: unknown): string {
  if (kind === undefined || kind === null) return '\0'; // equal to no kind that a profile would name
  return foldAscii(typeof kind === 'string' ? kind : JSON.stringify(kind));
}

/** The rows of one kind, in their order. */
export interface KindGroup {
  /** The kind as the first row spells it. */
  readonly name: string;
  readonly rows: CostedRow[];
}

/** Groups rows by kind, in the order of the first row of each. */
export function groupByKind(
  rows: readonly CostedRow[],
  kindOf: Score<unknown, unknown>,
): ReadonlyMap<string, KindGroup> {
  const groups = new Map<string, KindGroup>();
  for (const row of rows) {
    const kind = kindOf(row.candidate, row.index);
    const key = kindKey(kind);
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { name: kindName(kind), rows: [row] });
  }
  return groups;
}

const kindName = (kind: unknown): string =>
  kind === undefined || kind === null ? 'none' : typeof kind === 'string' ? kind : JSON.stringify(kind);
