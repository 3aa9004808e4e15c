import { locate, type Place, type SourceFile } from '../diagnostics/index.js';
import type { CandidateReader, Table, TableReader } from './candidate-reader.js';
import { describeReadError, readSourceFile } from './read-source-file.js';

/** Reads a table that comes as a stream: all of it, since its end says what is in it. */
const readerOfTable = async (load: () => Promise<TableReader>): Promise<CandidateReader> =>
  (await import('./table/table.js')).tableReader(await load());

/** A format that candidates come in. Everything that depends on formats reads the table below. */
export interface Codec {
  /** Its name in options. */
  readonly format: string;
  /** Its name in texts. */
  readonly title: string;
  /** How candidates are written in it: the help shows this behind the format. */
  readonly summary: string;
  /** The endings of its files' names, in lower case. */
  readonly extensions: readonly string[];
  /** Matches the start, after white space, of a text that can only be of this format: for input without a file name. */
  readonly start?: RegExp;
  /** Whether an input without candidates is explicit about it, as an empty list is; any other causes a warning. */
  readonly explicitlyEmpty?: boolean;
  /** What to do about that warning. */
  readonly emptyHint?: string;
  /** Loads its reader: that of a format that is not used costs nothing. */
  readonly load: () => Promise<CandidateReader>;
  /** For a format that is kept by column: loads its reader for a file that can be read at any place. */
  readonly loadTable?: () => Promise<TableReader>;
}

const COLUMNS_HINT = 'its first line names the columns, and every other line is a candidate';

const loadParquet = async (): Promise<TableReader> => (await import('./table/read-parquet.js')).openParquet;

const loadArrow = async (): Promise<TableReader> => (await import('./table/read-arrow.js')).openArrow;

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
  {
    format: 'parquet',
    title: 'Parquet',
    summary: 'a row each, by column',
    extensions: ['.parquet', '.pq'],
    start: /^PAR1/,
    explicitlyEmpty: true,
    load: () => readerOfTable(loadParquet),
    loadTable: loadParquet,
  },
  {
    format: 'arrow',
    title: 'Arrow',
    summary: 'the same: a file of Arrow IPC, or a stream',
    extensions: ['.arrow', '.arrows', '.feather'],
    start: /^(?:ARROW1|\ufffd{4})/,
    explicitlyEmpty: true,
    load: () => readerOfTable(loadArrow),
    loadTable: loadArrow,
  },
  {
    format: 'libsvm',
    title: 'LIBSVM',
    summary: 'grade qid:ID 1:VALUE … a line (RankLib, LightGBM)',
    extensions: ['.libsvm', '.svmlight', '.letor'],
    start: /^(?:#.*\n\s*)*-?[\d.]+(?:[\t ]+qid:\S+)?[\t ]+(?:\d+:-?[\d.]|#)/,
    load: async () => (await import('./line-formats.js')).readLibsvm,
  },
  {
    format: 'trec',
    title: 'TREC runs',
    summary: 'query Q0 id rank score tag a line',
    extensions: ['.run', '.trec'],
    start: /^\S+[\t ]+Q0[\t ]+\S+[\t ]+\d+[\t ]/i,
    load: async () => (await import('./line-formats.js')).readTrecRun,
  },
] as const satisfies readonly Codec[];

/**
 * A format that candidates come in.
 *
 * `json`: one list of objects, or one object, which is one candidate; `jsonl`: an object a line; `csv` and `tsv`: a line
 * of names, and then a row a line; `parquet` and `arrow`: rows by column, of which only what a profile reads is read;
 * `libsvm`: `{ grade, qid?, id?, features }`, and `trec`: `{ query, id, rank, score, tag }`, of a line each.
 */
export type InputFormat = (typeof CODECS)[number]['format'];

/** The names of the formats. */
export const INPUT_FORMATS: readonly InputFormat[] = CODECS.map(({ format }) => format);

/** The formats in words: `JSON, JSON Lines or CSV`. */
export const FORMAT_TITLES: string = CODECS.map(({ title }) => title)
  .join(', ')
  .replace(/, ([^,]+)$/, ' or $1');

/** The format of a text that does not look like any other. */
export const DEFAULT_FORMAT = 'jsonl' satisfies InputFormat;

/** The codec of a format. */
export const codecOf = (format: InputFormat): Codec => CODECS.find((codec) => codec.format === format)!;

/** Whether candidates of a format are kept by column. */
export const isByColumn = (format: InputFormat | undefined): format is InputFormat =>
  format !== undefined && codecOf(format).loadTable !== undefined;

/** The format of an ending of file names; undefined where it is not known. */
export const formatByExtension = (extension: string): InputFormat | undefined =>
  CODECS.find(({ extensions }) => extensions.some((known) => known === extension.toLowerCase()))?.format;

/** The format of a text by its start. */
export function formatByStart(text: string): InputFormat {
  const start = text.trimStart(); // a byte order mark is white space
  return INPUT_FORMATS.find((format) => codecOf(format).start?.test(start)) ?? DEFAULT_FORMAT;
}

/** Whether the format can be detected by so much of a text: its first line that is not blank, or 1,000 characters. */
export function isEnoughForFormat(text: string): boolean {
  const start = text.trimStart();
  return start.length > 1000 || start.includes('\n');
}

/**
 * Where rows of a file start: it is read again, since rows do not remember their lines, and only what is wrong with them
 * asks.
 *
 * @param rows their positions among the rows of the file, from 0
 * @returns by row; undefined of standard input, and in formats that have no lines
 */
export async function placesOfRows(
  file: string,
  format: InputFormat | undefined,
  rows: readonly number[],
): Promise<readonly (Place | undefined)[]> {
  if (file === '-' || format === undefined) return rows.map(() => undefined);
  const load = FINDERS[format];
  if (!load) return rows.map(() => undefined);
  const [find, source] = [await load(), await readSourceFile(file)];
  const placeOf = find(source);
  return rows.map(placeOf);
}

/** Makes of a file what gives the place of a row. */
type PlaceFinder = (source: SourceFile) => (row: number) => Place | undefined;

const linesThat =
  (isRow: (line: string) => boolean): PlaceFinder =>
  (source) => {
    const starts: number[] = [];
    let offset = 0;
    for (const line of source.text.split('\n')) {
      if (isRow(line)) starts.push(offset);
      offset += line.length + 1;
    }
    return (row) => source.placeAt(starts[row] ?? 0);
  };

const recordsOf = (delimiter: ',' | '\t') => async (): Promise<PlaceFinder> => {
  const { csvRecordStarts } = await import('./csv/read-csv.js');
  return (source) => {
    const [, ...starts] = csvRecordStarts(source.text, delimiter); // the first names the columns
    return (row) => source.placeAt(starts[row] ?? 0);
  };
};

const linesOf = async (): Promise<PlaceFinder> => {
  const { isEmptyLine } = await import('./line-formats.js');
  return linesThat((line) => !isEmptyLine(line));
};

/** By format: loads what finds its rows, as what reads them is loaded. */
const FINDERS: Readonly<Partial<Record<InputFormat, () => Promise<PlaceFinder>>>> = {
  json: async () => {
    const { parseJsonWithPlaces } = await import('./json/parse-json-with-places.js');
    return (source) => {
      const { data } = parseJsonWithPlaces(source);
      return (row) => locate(data, Array.isArray(data) ? [row] : []);
    };
  },
  jsonl: async () => linesThat((line) => line.trim() !== ''),
  csv: recordsOf(','),
  tsv: recordsOf('\t'),
  libsvm: linesOf,
  trec: linesOf,
};

/** A table whose file is open. */
export interface OpenTable extends Omit<Table, 'close'> {
  close(): Promise<void>;
}

/** How a file is opened. */
interface OpenTableOptions {
  /** How many threads may read, where more than one can: one when not given. */
  readonly threads?: number;
  /** What problems call it; as it is named when not given. */
  readonly name?: string;
}

/**
 * Opens a file that is kept by column.
 *
 * @param format one that `isByColumn`
 * @throws AssizeError where it cannot be read (ASZ101), or is not of the format (ASZ120)
 */
export async function openTable(
  file: string,
  format: InputFormat,
  { threads = 1, name = file }: OpenTableOptions = {},
): Promise<OpenTable> {
  const { openFile } = await import('./table/table.js');
  const open = await codecOf(format).loadTable!();
  try {
    const bytes = await openFile(file, name);
    try {
      const table = await open(bytes, name, threads);
      const close = (): Promise<void> => {
        table.close?.();
        return bytes.close();
      };
      return {
        groups: table.groups,
        batches: (fields, range) => table.batches(fields, range),
        rows: (at) => table.rows(at),
        close,
      };
    } catch (error) {
      await bytes.close();
      throw error;
    }
  } catch (error) {
    throw await describeReadError(name, error);
  }
}
