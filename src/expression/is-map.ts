/** Whether a value is a map as YAML and JSON have them: an object that is no list. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
