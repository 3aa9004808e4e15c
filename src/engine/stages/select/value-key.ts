/** The most lists, maps and values in a key: a small expression can make a list that holds itself many times. */
const MAX_PARTS = 100_000;

/**
 * A key by value: lists and maps are equal when their parts are, and never equal to a text.
 *
 * @throws RangeError where it contains itself, or has too many parts
 */
export function valueKey(key: unknown): unknown {
  if (typeof key !== 'object' || key === null) return typeof key === 'string' ? `"${key}` : key;
  if (key instanceof Date) return key.getTime();
  try {
    return structuralKey(key);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError('the key contains itself, or is too large') : error;
  }
}

function structuralKey(key: object): string {
  let parts = 0;
  return JSON.stringify(key, (_, part: unknown) => {
    parts += 1;
    if (parts > MAX_PARTS) throw new RangeError();
    if (typeof part === 'string') return `"${part}`;
    if (typeof part === 'number' && !Number.isFinite(part)) return String(part); // each would be written as null
    return typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}
