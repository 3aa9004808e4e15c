import { compileTimeFormat, guessTimeFormats } from '../../expression/index.js';

/** How many texts suggest formats. The others only have to agree. */
const MAX_GUESSED = 20;
/** The share of the texts that are dates in one format. */
const LEAST_SHARE = 0.9;

/** The format of dates that are not in ISO 8601, and their range in milliseconds. */
export interface DateFormat {
  /** Several if the texts do not tell the day from the month. */
  readonly formats: readonly string[];
  readonly least: number;
  readonly most: number;
}

/** Finds the format of the texts of a column; undefined if they are not dates. */
export function dateFormatOf(texts: readonly string[]): DateFormat | undefined {
  const guessed = new Set(texts.slice(0, MAX_GUESSED).flatMap(guessTimeFormats));
  const readings = Array.from(guessed, (format) => {
    const { read } = compileTimeFormat(format);
    const times = texts.map((text) => read(text.trim()));
    return { format, times, count: times.filter((time) => time !== undefined).length };
  });
  const best = Math.max(0, ...readings.map(({ count }) => count));
  if (best < LEAST_SHARE * texts.length || best === 0) return undefined;
  // Formats that read all texts as the same times are one: d.M.yyyy and dd.MM.yyyy.
  const different = new Map(
    readings.filter(({ count }) => count === best).map((reading) => [reading.times.join(' '), reading]),
  );
  const found = [...different.values()];
  const times = (found[0]?.times ?? []).filter((time) => time !== undefined);
  return { formats: found.map(({ format }) => format), least: Math.min(...times), most: Math.max(...times) };
}
