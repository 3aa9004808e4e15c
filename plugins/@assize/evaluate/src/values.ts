/** Whether a value is a map as in YAML and JSON: an object that is not a list. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own value under a key of a map; undefined if it is null or missing. */
export const ownValue = (from: unknown, key: string): unknown =>
  isMap(from) && Object.hasOwn(from, key) ? (from[key] ?? undefined) : undefined;
