import { toAssizeError } from 'assize';
import { DATE } from '../data/read-json-text.js';

/**
 * Writes data as text for `readJsonText`, which restores dates.
 *
 * @throws AssizeError (ASZ655) if the text exceeds the maximum length of a string, half a gigabyte in Node
 */
export function jsonText(data: object): string {
  try {
    return JSON.stringify(withDates(data));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'the candidates are too large for the page';
    const hint = 'remove fields that no scorer reads, or show only the best: assize rank --top';
    throw toAssizeError([{ code: 'ASZ655', message, hint }], { cause: error });
  }
}

/** A copy with encoded dates; the value itself if it has no dates. */
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
