/** A value as JSON that a person can read. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Values as JSON Lines. */
export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
