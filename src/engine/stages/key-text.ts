/** A value as a key of a case or a table: YAML has only text there, so that `1` and `true` stand for themselves. */
export const keyText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  // No key is a list or a map: what an expression makes of one may be too long to be written.
  return typeof value === 'object' && value !== null ? typeof value : (JSON.stringify(value) ?? typeof value);
};
