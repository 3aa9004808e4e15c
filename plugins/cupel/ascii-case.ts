/**
 * A text with its ASCII capitals made small, and nothing else: `toLowerCase` alone folds far more, so that the Kelvin
 * sign would equal `k`. This is how the reference compares kinds, and tags where it ignores case.
 */
export const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** The pairs of keys that fold to the same, each as the later key and the one before it that it repeats. */
export function foldedDuplicates(keys: Iterable<string>): readonly (readonly [key: string, before: string])[] {
  const seen = new Map<string, string>();
  const same: [string, string][] = [];
  for (const key of keys) {
    const before = seen.get(foldAscii(key));
    if (before === undefined) seen.set(foldAscii(key), key);
    else same.push([key, before]);
  }
  return same;
}
