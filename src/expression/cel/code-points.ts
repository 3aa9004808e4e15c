import { spendText } from './step-budget.js';

/** How many UTF-16 units the code point at an offset of a text takes: two for a pair of surrogates. */
const unitsAt = (text: string, at: number): number => {
  const high = (text.charCodeAt(at) & 0xfc00) === 0xd800;
  return high && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
};

/** How many code points a text has. A surrogate without its other half is one. */
export function countCodePoints(text: string): number {
  spendText(text);
  let count = 0;
  for (let at = 0; at < text.length; at += unitsAt(text, at)) count += 1;
  return count;
}

/**
 * The offset in UTF-16 units of the code point at a position; the length of the text for the position after its last
 * one.
 *
 * @param position a whole number of 0 or more
 * @param from     an offset at which a code point starts: the position is counted from there
 * @returns undefined where the text has fewer
 */
export function offsetOf(text: string, position: number, from = 0): number | undefined {
  let at = from;
  let left = position;
  for (; left > 0 && at < text.length; left -= 1) at += unitsAt(text, at);
  return left > 0 ? undefined : at;
}
