const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const ZERO = /^-?[0.]+(?:[eE]|$)/;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map(
  [true, false].flatMap((value) => {
    const lower = String(value);
    const capital = lower.charAt(0).toUpperCase() + lower.slice(1);
    return [lower, capital, lower.toUpperCase()].map((text): [string, boolean] => [text, value]);
  }),
);

/**
 * Parses a cell. CSV has no types, so types are found by a rule, and one that loses nothing:
 *
 * - an empty or blank cell is absent;
 * - a number as JSON writes it is a number, unless a double can't hold it: `12345678901234567890`, `1e400` and `1e-400`
 *   stay texts, as do `007`, `+5`, `1,5` and `0x1f`, which are no JSON;
 * - `true` and `false` are booleans, also as `True` and `TRUE`;
 * - all else is text, with the spaces around it.
 *
 * Quotes make no difference: many programs put them around every cell.
 */
export function parseCell(cell: string): string | number | boolean | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  return (NUMBER.test(text) ? parseExactNumber(text) : BOOLEANS.get(text)) ?? cell;
}

function parseExactNumber(text: string): number | undefined {
  const value = Number(text);
  if (INTEGER.test(text)) return Number.isSafeInteger(value) ? value : undefined;
  const fits = Number.isFinite(value) && (value !== 0 || ZERO.test(text));
  return fits ? value : undefined;
}
