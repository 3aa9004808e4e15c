import { compileTimeFormat, type TimeFormat } from './time-format.js';

/** How dates are written that are not ISO 8601, and the times that follow them. */
const DATES = [
  'yyyy/MM/dd',
  'yyyy.MM.dd',
  'yyyyMMdd',
  'yyyy-M-d',
  'dd.MM.yyyy',
  'd.M.yyyy',
  'MM/dd/yyyy',
  'dd/MM/yyyy',
  'M/d/yyyy',
  'd/M/yyyy',
  'dd-MM-yyyy',
  'd MMM yyyy',
  'd MMMM yyyy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'EEE, dd MMM yyyy',
  'EEE MMM dd yyyy',
];
const CLOCKS = ['', ' HH:mm', ' HH:mm:ss', ' HH:mm:ss XX', " HH:mm:ss 'GMT'", ' hh:mm a', ' h:mm a'];

/** Where the time of day begins. */
const CLOCK = / \d?\d:\d\d/;

/** A way to write dates, alone and with each of the times. */
interface DateFormat {
  readonly alone: TimeFormat;
  readonly withClocks: readonly TimeFormat[];
}

let formats: readonly DateFormat[] | undefined;

/** Longer than any time in one of them. */
const MAX_LENGTH = 40;

/**
 * The formats that a text may be in: one, or two where day and month may change places; none for what is no time. About
 * as fast as the error is made in which it is said.
 */
export function guessTimeFormats(text: string): readonly string[] {
  if (text.length > MAX_LENGTH) return [];
  formats ??= DATES.map((date) => ({
    alone: compileTimeFormat(date),
    withClocks: CLOCKS.map((clock) => compileTimeFormat(date + clock)),
  }));
  const clock = text.search(CLOCK);
  const date = clock < 0 ? text : text.slice(0, clock);
  const found = new Map<number, string>();
  for (const { alone, withClocks } of formats) {
    if (alone.read(date) === undefined) continue;
    for (const { source, read } of withClocks) {
      const millis = read(text);
      if (millis !== undefined && !found.has(millis)) found.set(millis, source);
    }
  }
  return [...found.values()];
}
