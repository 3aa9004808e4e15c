/** A name that is longer is no typo, and would take long to compare. */
const MAX_LENGTH = 64;

/** How many pairs of letters one search compares: some hundred names of the same length. */
const MAX_COMPARED = 50_000;

/**
 * The known name that was most likely meant, if one is near enough: by edit distance (up to a third of the letters),
 * without regard to case, or as the only one that begins so.
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
    if (compared > MAX_COMPARED) continue; // one that differs in case alone may still come
    const distance = editDistance(wanted, text);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? uniqueCompletion(wanted, known);
}

/** The hint of a problem about an unknown name: the one that was most likely meant, else another hint. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string;
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): string | undefined;
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): string | undefined {
  const near = closestName(name, known);
  return near === undefined ? otherwise : `did you mean ${near}?`;
}

/** The only name that begins with a text of at least three letters. */
function uniqueCompletion(wanted: string, known: Iterable<string>): string | undefined {
  const longer = wanted.length < 3 ? [] : [...known].filter((name) => name.toLowerCase().startsWith(wanted));
  return new Set(longer).size === 1 ? longer[0] : undefined;
}

/**
 * Damerau–Levenshtein distance (optimal string alignment): insertions, deletions, replacements, swaps of neighbours.
 */
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
