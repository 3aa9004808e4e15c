import { toError } from '../../diagnostics/index.js';
import { ExpressionEvaluationError } from '../errors.js';
import { compileTimeFormat, type TimeFormat } from '../time-format.js';
import type { Builtin } from './builtin.js';
import { throwMismatch } from './values.js';

/** How many formats are kept: a profile has a few, and one that is computed is compiled whenever it is another. */
const MAX_KEPT = 32;

const kept = new Map<string, TimeFormat>();

function formatOf(source: unknown): TimeFormat {
  if (typeof source !== 'string') return throwMismatch('date()', 'a format such as "yyyy/MM/dd"', source);
  const known = kept.get(source);
  if (known) return known;
  const format = compileTimeFormat(source);
  if (kept.size === MAX_KEPT) kept.clear();
  kept.set(source, format);
  return format;
}

function date(text: unknown, source: unknown): number {
  try {
    return formatOf(source).parse(text);
  } catch (error) {
    throw new ExpressionEvaluationError(`date(): ${toError(error).message}`);
  }
}

/** `date("31/01/2026", "dd/MM/yyyy")`: the time that a text is, in milliseconds since 1970. */
export const DATE: Builtin = {
  params: [['string'], ['string']],
  result: 'number',
  constants: [undefined, formatOf],
  call: date,
};
