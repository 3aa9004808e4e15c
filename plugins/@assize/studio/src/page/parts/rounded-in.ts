/** A number in as many digits as a thousandth of the width in which it is drawn is worth: `89200000` of 300 millions. */
export function roundedIn(value: number, width: number): number {
  const digits = Math.min(20, 3 - Math.floor(Math.log10(width || 1)));
  if (digits >= 0) return Number(value.toFixed(digits));
  const unit = 10 ** -digits;
  return Math.round(value / unit) * unit;
}
