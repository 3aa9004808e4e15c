/** A value as a key of a case or a table: YAML has only text there, so that `1` and `true` stand for themselves. */
export const keyText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value);
