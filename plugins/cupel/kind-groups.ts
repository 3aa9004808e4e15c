import type { CostedRow, Score } from '../../src/sdk.js';
import { foldAscii } from './ascii-case.js';

/** A kind as a key, in which ASCII case counts for nothing: text as it is, anything else as JSON. What has none is of a kind of its own. */
export function kindKey(kind: unknown): string {
  if (kind === undefined || kind === null) return '\0'; // no text is that
  return foldAscii(typeof kind === 'string' ? kind : JSON.stringify(kind));
}

/** The rows of one kind, best first. */
export interface KindGroup {
  /** As the first of them writes it. */
  readonly name: string;
  readonly rows: CostedRow[];
}

/** Rows by kind, in the order in which the kinds come. */
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
