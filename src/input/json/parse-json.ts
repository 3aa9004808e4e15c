import type { Problem } from '../../diagnostics/problem.js';
import type { SourceFile } from '../../diagnostics/source-file.js';
import type { ParsedDocument } from '../../profile/source/parse-yaml.js';
import { MAX_DEPTH } from '../limits.js';
import { JsonParser } from './json-parser.js';
import { scanJson } from './scan-json.js';
import { JsonSyntaxError } from './syntax-error.js';

export interface JsonParseOptions {
  /** Whether the data remembers its lines, as a profile must; else reading is as fast as `JSON.parse`. */
  readonly places?: boolean;
  /** What the text is called where it ends too early; `file` when not said. */
  readonly textName?: 'file' | 'line';
}

/**
 * Reads JSON into plain data. With places, a key that is written twice is a problem; without, the last one counts, as
 * `JSON.parse` has it.
 */
export function parseJson(source: SourceFile, options: JsonParseOptions = {}): ParsedDocument {
  if (!options.places) {
    const quick = tryParseJson(source.text);
    if (quick) return { data: quick.data, problems: [] };
  }
  return parseWithPlaces(source, options.textName);
}

/** The data of a text that is JSON and no deeper than it may be. */
export function tryParseJson(text: string): { readonly data: unknown } | undefined {
  try {
    const data: unknown = JSON.parse(text);
    // A text has a bracket at both ends of each level, so a short one can't be deep.
    return text.length > 2 * MAX_DEPTH && scanJson(text).depth > MAX_DEPTH ? undefined : { data };
  } catch {
    return undefined;
  }
}

function parseWithPlaces(source: SourceFile, whole: JsonParseOptions['textName']): ParsedDocument {
  const reader = new JsonParser(source, whole);
  const problem = ({ message, offset, hint }: JsonSyntaxError): Problem => {
    return { code: 'ASZ102', message, place: source.placeAt(offset), hint };
  };
  try {
    const data = reader.parse();
    return { data, problems: reader.duplicateKeys.map(problem) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { data: undefined, problems: [...reader.duplicateKeys, error].map(problem) };
  }
}
