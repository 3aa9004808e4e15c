/**
 * The known name that was most likely meant, if one is near enough: a letter or two off, only the case, or its
 * beginning.
 */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  const most = Math.max(2, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = Math.min(most, name.length - 1) + 1; // replacing every letter is not a typo
  for (const candidate of known) {
    const text = candidate.toLowerCase();
    if (text === wanted) return candidate;
    if (Math.abs(text.length - wanted.length) >= least) continue;
    const far = editDistance(wanted, text);
    if (far < least) {
      best = candidate;
      least = far;
    }
  }
  return best ?? uniqueCompletion(wanted, known);
}

/** What to do about an unknown name, as a hint: to take the one that was most likely meant, or something else. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string;
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): string | undefined;
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): string | undefined {
  const near = closestName(name, known);
  return near === undefined ? otherwise : `did you mean ${near}?`;
}

/** The one name that goes on after what was written; fewer than three letters begin too much. */
function uniqueCompletion(wanted: string, known: Iterable<string>): string | undefined {
  const longer = wanted.length < 3 ? [] : [...known].filter((name) => name.toLowerCase().startsWith(wanted));
  return new Set(longer).size === 1 ? longer[0] : undefined;
}

/** Damerau–Levenshtein (optimal string alignment): insertions, deletions, replacements, swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let far = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) far = Math.min(far, before[j - 2]! + 1);
      row.push(far);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
