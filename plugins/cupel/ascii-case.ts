/**
 * Lower-cases the ASCII capitals of a text and nothing else, as the reference compares kinds, and tags where it ignores
 * case: `toLowerCase` folds far more, so that the Kelvin sign would equal `k`.
 */
export const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** The keys that fold to an earlier key, each with that key. */
export function foldedDuplicates(keys: Iterable<string>): readonly (readonly [key: string, before: string])[] {
  const seen = new Map<string, string>();
  const duplicates: [string, string][] = [];
  for (const key of keys) {
    const before = seen.get(foldAscii(key));
    if (before === undefined) seen.set(foldAscii(key), key);
    else duplicates.push([key, before]);
  }
  return duplicates;
}
