import type { CandidateReader } from './candidate-reader.js';

/** A format that candidates come in. All that knows formats reads the table below. */
export interface Codec {
  /** What options call it. */
  readonly format: string;
  /** What texts call it. */
  readonly title: string;
  /** How candidates are written in it: what help shows behind the format. */
  readonly summary: string;
  /** How file names end that say this format; in lower case. */
  readonly extensions: readonly string[];
  /** How a text starts that can only be of this format, for what comes without a name; after any white space. */
  readonly start?: RegExp;
  /** Whether an input without candidates says so itself, as an empty list does; of any other there is a warning. */
  readonly explicitlyEmpty?: boolean;
  /** What to do about that warning. */
  readonly emptyHint?: string;
  /** Loads its reader: that of a format that is not used costs nothing. */
  readonly load: () => Promise<CandidateReader>;
}

const COLUMNS_HINT = 'its first line names the columns, and every other line is a candidate';

/** Every format. The first one whose `start` fits is that of a text without a name; JSON Lines where none does. */
const CODECS = [
  {
    format: 'json',
    title: 'JSON',
    summary: 'a list of them, or one',
    extensions: ['.json'],
    // A list; or an object that goes on in the next line.
    start: /^(?:\[|\{[\t ]*\r?\n)/,
    explicitlyEmpty: true,
    load: async () => (await import('./json/read-json.js')).readJson,
  },
  {
    format: 'jsonl',
    title: 'JSON Lines',
    summary: 'an object a line',
    extensions: ['.jsonl', '.ndjson'],
    load: async () => (await import('./json/json-lines.js')).readJsonLines,
  },
  {
    format: 'csv',
    title: 'CSV',
    summary: 'a row a line, after a line that names the columns',
    extensions: ['.csv'],
    emptyHint: COLUMNS_HINT,
    load: async () => (await import('./csv/read-csv.js')).csvReader(','),
  },
  {
    format: 'tsv',
    title: 'TSV',
    summary: 'the same with tabs',
    extensions: ['.tsv'],
    emptyHint: COLUMNS_HINT,
    load: async () => (await import('./csv/read-csv.js')).csvReader('\t'),
  },
] as const satisfies readonly Codec[];

/**
 * A format that candidates come in.
 *
 * `json`: one list of objects, or one object, which is one candidate; `jsonl`: an object a line; `csv` and `tsv`: a line
 * of names, and then a row a line.
 */
export type InputFormat = (typeof CODECS)[number]['format'];

/** The names of the formats. */
export const INPUT_FORMATS: readonly InputFormat[] = CODECS.map(({ format }) => format);

/** The formats in words: `JSON, JSON Lines, CSV or TSV`. */
export const FORMAT_TITLES: string = CODECS.map(({ title }) => title)
  .join(', ')
  .replace(/, ([^,]+)$/, ' or $1');

/** The format of a text that does not look like any other. */
export const DEFAULT_FORMAT = 'jsonl' satisfies InputFormat;

/** What the table says of a format. */
export const codecOf = (format: InputFormat): Codec => CODECS.find((codec) => codec.format === format)!;

/** The format that the ending of a file's name says, if any. */
export const formatByExtension = (extension: string): InputFormat | undefined =>
  CODECS.find(({ extensions }) => extensions.some((known) => known === extension.toLowerCase()))?.format;

/** The format of a text by its start. */
export function formatByStart(text: string): InputFormat {
  const start = text.trimStart(); // a byte order mark is white space
  return INPUT_FORMATS.find((format) => codecOf(format).start?.test(start)) ?? DEFAULT_FORMAT;
}

/** Whether so much of a text tells its format: its first line that is not blank, or enough of a long one. */
export function isEnoughForFormat(text: string): boolean {
  const start = text.trimStart();
  return start.length > 1000 || start.includes('\n');
}
