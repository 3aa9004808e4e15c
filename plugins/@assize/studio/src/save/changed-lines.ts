import { diffLines } from 'diff';

/** A line that differs between two texts. */
export interface ChangedLine {
  /** `-`: a line of the old text; `+`: a line of the new text. */
  readonly sign: '-' | '+';
  /** The number of the line in its text, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines that differ between two texts, in the order of a unified diff. */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  const changed: ChangedLine[] = [];
  const next = { '-': 1, '+': 1 };
  for (const { added, removed, value } of diffLines(before, after)) {
    const lines = value.replace(/\n$/, '').split('\n');
    const signs = added ? (['+'] as const) : removed ? (['-'] as const) : (['-', '+'] as const);
    for (const sign of signs) {
      if (signs.length === 1) lines.forEach((text, k) => changed.push({ sign, line: next[sign] + k, text }));
      next[sign] += lines.length;
    }
  }
  return changed;
}
