import { toAssizeError } from '../../base/index.js';

/** The key of a date as JSON: its milliseconds. As text it would be another value, and rank otherwise in the page. */
const DATE = '$assize:date';

/**
 * Data as text, from which `readJsonText` makes the same data: dates stay dates.
 *
 * @throws AssizeError (ASZ655) where that is longer than a string can be: half a gigabyte in Node
 */
export function jsonText(data: object): string {
  try {
    return JSON.stringify(withDates(data));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'these candidates are more than a page can be given';
    const hint = 'leave fields out that no scorer reads, or look at the best of them: assize rank --top';
    throw toAssizeError([{ code: 'ASZ655', message, hint }], { cause: error });
  }
}

/** The data of such a text. */
export const readJsonText = (text: string): unknown =>
  text.includes(`{"${DATE}":`) ? JSON.parse(text, readDate) : JSON.parse(text);

function readDate(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, DATE)) return value;
  const millis: unknown = Reflect.get(value, DATE);
  return typeof millis === 'number' ? new Date(millis) : value;
}

/** A copy whose dates are written as such; the value itself if it has none. */
function withDates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : { [DATE]: value.getTime() };
  if (Array.isArray(value)) {
    const items = value.map(withDates);
    return items.some((item, k) => item !== value[k]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, withDates(item)]);
  return entries.some(([key, item]) => item !== Reflect.get(value, key)) ? Object.fromEntries(entries) : value;
}
