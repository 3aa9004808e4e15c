/** A key by value: lists and maps are equal when their parts are, and never equal to a text. */
export function valueKey(key: unknown): unknown {
  if (typeof key !== 'object' || key === null) return typeof key === 'string' ? `"${key}` : key;
  if (key instanceof Date) return key.getTime();
  return JSON.stringify(key, (_, part: unknown) => {
    if (typeof part === 'string') return `"${part}`;
    if (typeof part === 'number' && !Number.isFinite(part)) return String(part); // each would be written as null
    return typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}
