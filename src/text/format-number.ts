/** Formats a number to four significant digits; from 1,000 as an integer, from 1e9 and below 1e-4 in powers of ten. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0'; // and never −0
  if (size >= 1e9 || size < 1e-4) return value.toExponential(2).replace(/\.?0*e\+?/, 'e');
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** Formats a rank: `1st`, `2nd`, `3rd`, `11th`. */
export function formatOrdinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  return `${n.toLocaleString('en-US')}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}

/** Formats a number with its sign; a dash where there is none. */
export const formatSigned = (value: number | undefined): string =>
  value === undefined ? '–' : value > 0 ? `+${formatNumber(value)}` : value < 0 ? `−${formatNumber(-value)}` : '0';

/**
 * Formats a bound: as `formatNumber`, but rounded in a direction, so that the number that is read lies on the same
 * side.
 *
 * @param direction above 0 to round up, below 0 to round down
 */
export function formatBeyond(value: number, direction: number): string {
  const text = formatNumber(value);
  const back = (Number(text) - value) * direction;
  if (!(back < 0)) return text;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - (text.includes('e') ? 2 : 3));
  const whole = Math.abs(value) >= 1000 && !text.includes('e');
  return formatNumber(Number(text) + Math.sign(direction) * (whole ? 1 : unit));
}
