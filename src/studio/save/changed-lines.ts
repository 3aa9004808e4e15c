/** A line that differs between two texts, as a diff shows it. */
export interface ChangedLine {
  /** `-`: of the old text; `+`: of the new one. */
  readonly sign: '-' | '+';
  /** Its number in that text, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The lines that differ between a text and the same with values spliced in. Lines are matched from the start: a splice
 * replaces lines or adds some, and leaves the others in their order. Linear, but for lines that are looked for.
 */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const changed: ChangedLine[] = [];
  let [i, k] = [0, 0];
  while (i < old.length || k < now.length) {
    if (i < old.length && old[i] === now[k]) {
      i += 1;
      k += 1;
      continue;
    }
    const [nextOld, nextNow] = nextCommon(old, now, i, k);
    for (; i < nextOld; i++) changed.push({ sign: '-', line: i + 1, text: old[i]! });
    for (; k < nextNow; k++) changed.push({ sign: '+', line: k + 1, text: now[k]! });
  }
  return changed;
}

/** How far apart two equal lines may be to be taken for the same. */
const WINDOW = 60;

/** The nearest positions from which on both texts go on with the same line. */
function nextCommon(old: readonly string[], now: readonly string[], i: number, k: number): readonly [number, number] {
  for (let apart = 1; apart <= WINDOW; apart++) {
    for (let ahead = 0; ahead <= apart; ahead++) {
      const [a, b] = [i + ahead, k + apart - ahead];
      if (a < old.length && b < now.length && old[a] === now[b]) return [a, b];
    }
  }
  return [old.length, now.length];
}
