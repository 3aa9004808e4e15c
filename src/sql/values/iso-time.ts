import type { Dialect } from '../dialects/dialect.js';

/** Every day but the 29th of February, in four digits of a year: databases disagree, or fail, about days that are none. */
const DATE =
  '[1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))';
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{3})?Z';

const SIZES = [
  [12, 3_600_000],
  [15, 60_000],
  [18, 1000],
] as const;

/**
 * A text such as `2011-01-31`, `2011-01-31T12:00:00Z` or `2011-01-31T12:00:00.123Z` in milliseconds; NULL for any other,
 * which may be a time in another form of ISO 8601. Sums of whole numbers: exact.
 */
export function isoMillis({ matches, days, types }: Dialect, text: string): string {
  const date = `(${days(`substr(${text}, 1, 10)`)} * 86400000)`;
  const number = (start: number, length: number): string =>
    `CAST(substr(${text}, ${start}, ${length}) AS ${types.number})`;
  const parts = SIZES.map(([start, millis]) => `${number(start, 2)} * ${millis}`);
  const fraction = `CASE WHEN substr(${text}, 20, 1) = '.' THEN ${number(21, 3)} ELSE 0 END`;
  return (
    `CASE WHEN ${matches(text, DATE)} THEN ${date} ` +
    `WHEN ${matches(text, `${DATE}T${TIME}`)} THEN ${[date, ...parts, fraction].join(' + ')} END`
  );
}
