/** A number in as many digits as a thousandth of the width in which it is drawn is worth. */
export function roundedIn(value: number, width: number): number {
  const digits = Math.max(0, Math.min(20, 3 - Math.floor(Math.log10(width || 1))));
  return Number(value.toFixed(digits));
}
