import type { Problem } from '../contract/index.js';
import { JsonFailure } from './json-failure.js';
import { JsonReader } from './json-reader.js';
import { scanJson } from './json-scan.js';
import { MAX_DEPTH } from './limits.js';
import type { SourceFile } from './source.js';
import type { Parsed } from './yaml.js';

export interface JsonOptions {
  /** Whether the data remembers its lines, as a profile must; else reading is as fast as `JSON.parse`. */
  readonly places?: boolean;
  /** What the text is called where it ends too early; `file` when not said. */
  readonly whole?: 'file' | 'line';
}

/**
 * Reads JSON into plain data. With places, a key that is written twice is a problem; without, the last one counts, as
 * `JSON.parse` has it.
 */
export function parseJson(source: SourceFile, options: JsonOptions = {}): Parsed {
  if (!options.places) {
    const quick = parseQuickly(source.text);
    if (quick) return { data: quick.data, problems: [] };
  }
  return readSlowly(source, options.whole);
}

/** The data of a text that is JSON and no deeper than it may be. */
export function parseQuickly(text: string): { readonly data: unknown } | undefined {
  try {
    const data: unknown = JSON.parse(text);
    // A text has a bracket at both ends of each level, so a short one can't be deep.
    return text.length > 2 * MAX_DEPTH && scanJson(text).depth > MAX_DEPTH ? undefined : { data };
  } catch {
    return undefined;
  }
}

function readSlowly(source: SourceFile, whole: JsonOptions['whole']): Parsed {
  const reader = new JsonReader(source, whole);
  const problem = ({ message, offset, hint }: JsonFailure): Problem => {
    return { code: 'ASZ102', message, place: source.place(offset), hint };
  };
  try {
    const data = reader.read();
    return { data, problems: reader.mistakes.map(problem) };
  } catch (error) {
    if (!(error instanceof JsonFailure)) throw error;
    return { data: undefined, problems: [...reader.mistakes, error].map(problem) };
  }
}
