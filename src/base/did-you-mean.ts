/** Longer names are not typos, and take long to compare. */
const MAX_LENGTH = 64;

/** The maximum number of letter pairs that one search compares: about a hundred names of the same length. */
const MAX_COMPARED = 50_000;

/**
 * The known name that the user most likely meant, if one is close enough: within an edit distance of a third of the
 * letters, ignoring case, or the only name with this prefix.
 */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = name.toLowerCase();
  const maxDistance = Math.max(2, Math.floor(name.length / 3));
  let best: string | undefined;
  let bestDistance = Math.min(maxDistance, name.length - 1) + 1; // replacing every letter is not a typo
  let compared = 0;
  for (const candidate of known) {
    if (candidate.length > 2 * MAX_LENGTH) continue;
    const text = candidate.toLowerCase();
    if (text === wanted) return candidate;
    if (Math.abs(text.length - wanted.length) >= bestDistance) continue;
    compared += wanted.length * text.length;
    if (compared > MAX_COMPARED) continue; // a later name may differ in case only
    const distance = editDistance(wanted, text);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? uniqueCompletion(wanted, known);
}

/** The hint for an unknown name: the name that the user most likely meant, or `otherwise`. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string;
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): string | undefined;
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): string | undefined {
  const near = closestName(name, known);
  return near === undefined ? otherwise : `did you mean ${near}?`;
}

/** The name with a prefix of at least three letters, if there is exactly one. */
function uniqueCompletion(wanted: string, known: Iterable<string>): string | undefined {
  const longer = wanted.length < 3 ? [] : [...known].filter((name) => name.toLowerCase().startsWith(wanted));
  return new Set(longer).size === 1 ? longer[0] : undefined;
}

/** Damerau–Levenshtein distance (optimal string alignment): insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) distance = Math.min(distance, before[j - 2]! + 1);
      row.push(distance);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
