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

let formats: readonly TimeFormat[] | undefined;

/** Longer than any time in one of them. */
const MAX_LENGTH = 40;

/** The formats that a text may be in: one, or two where day and month may change places; none for what is no time. */
export function guessTimeFormats(text: string): readonly string[] {
  if (text.length > MAX_LENGTH) return [];
  formats ??= DATES.flatMap((date) => CLOCKS.map((clock) => compileTimeFormat(date + clock)));
  const found = new Map<number, string>();
  for (const { source, parse } of formats) {
    const millis = tryParse(parse, text);
    if (millis !== undefined && !found.has(millis)) found.set(millis, source);
  }
  return [...found.values()];
}

function tryParse(parse: TimeFormat['parse'], text: string): number | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
