/** A number to four significant digits, or whole; what is very large or small in powers of ten. */
export function shown(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0'; // no reader is glad of a −0
  if (size >= 1e9 || size < 1e-4) return value.toExponential(2).replace(/\.?0*e\+?/, 'e');
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  return `${n.toLocaleString('en-US')}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}
