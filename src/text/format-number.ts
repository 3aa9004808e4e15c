/** A number to four significant digits, or whole; what is very large or small in powers of ten. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0'; // no reader is glad of a −0
  if (size >= 1e9 || size < 1e-4) return value.toExponential(2).replace(/\.?0*e\+?/, 'e');
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** `1st`, `2nd`, `3rd`, `11th`. */
export function formatOrdinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  return `${n.toLocaleString('en-US')}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}

/** A number with its sign, or a dash where there is none. */
export const formatSigned = (value: number | undefined): string =>
  value === undefined ? '–' : value > 0 ? `+${formatNumber(value)}` : value < 0 ? `−${formatNumber(-value)}` : '0';

/**
 * A number as `shown` shows it, but never rounded back: what is read is the number itself, or further in a direction.
 */
export function formatBeyond(value: number, direction: number): string {
  const text = formatNumber(value);
  const back = (Number(text) - value) * direction;
  if (!(back < 0)) return text;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - (text.includes('e') ? 2 : 3));
  const whole = Math.abs(value) >= 1000 && !text.includes('e');
  return formatNumber(Number(text) + Math.sign(direction) * (whole ? 1 : unit));
}
