/** Colours that can be told apart, also by those who see few; of Okabe and Ito (2008), and in their order. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#f0e442', '#999999'];

/** Of each colour that is used again, what is left of it beside the colour of the text. */
const STRENGTHS = [100, 62, 40, 80];

/** The colour of the scorer at a position: where there are more scorers than colours, these grow duller. */
export function colourOf(position: number): string {
  const colour = COLOURS[position % COLOURS.length]!;
  const strength = STRENGTHS[Math.floor(position / COLOURS.length) % STRENGTHS.length]!;
  return strength === 100 ? colour : `color-mix(in oklab, ${colour} ${strength}%, var(--soft))`;
}

const EXACT = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** A number with all its digits: `8,778`, `0.30000000000000004`. */
export const formatExact = (value: number): string => EXACT.format(value);

/** A number in few digits: `0.875`, `12.5`, `8,778`, `2.41e-7`. */
export const formatNumber = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e7)
    ? value.toExponential(2)
    : formatExact(Number(value.toPrecision(4)));

/** The same, always in four digits, so that scores one below another can be compared: `0.8750`. */
export const formatScore = (score: number): string =>
  Math.abs(score) >= 1e-3 && Math.abs(score) < 1e3 ? score.toPrecision(4) : formatNumber(score);

/** Names of fields whose whole numbers are not amounts. */
const NOT_AMOUNT = /year|(^|[^a-z])(id|zip|code|isbn|ean|sku)$/i;

/** A value of a candidate on one line: whole numbers with all digits, others in few. Without a name it may be a year. */
export function formatValue(value: unknown, name?: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return formatNumber(value);
    return name === undefined || NOT_AMOUNT.test(name) ? String(value) : formatExact(value);
  }
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A difference in thousandths, with its sign: `+0.013`. */
export const formatGain = (gain: number): string =>
  `${gain > 0 ? '+' : gain < 0 ? '−' : ''}${Math.abs(gain).toFixed(3)}`;
