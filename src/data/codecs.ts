import { locate, type SourceFile, type Place } from '../base/index.js';
import { isMap, ownValue } from '../expression/index.js';
import type { CandidateReader, Table, TableReader } from './candidate-reader.js';
import { startsWithMessage } from './json/message-lines.js';
import { describeReadError, readSourceFile } from './read-source-file.js';

/** Reads a columnar format from a stream. It needs the whole stream, because the metadata is at the end. */
const readerOfTable = async (load: () => Promise<TableReader>): Promise<CandidateReader> =>
  (await import('./table/table.js')).tableReader(await load());

/** A format of candidates. */
export interface Codec {
  /** Its name in options. */
  readonly format: string;
  /** Its name in messages. */
  readonly title: string;
  /** How candidates are written in it, for the help. */
  readonly summary: string;
  /** File extensions, in lower case. */
  readonly extensions: readonly string[];
  /** Matches the start, after white space, of a text that can only have this format: for input without an extension. */
  readonly start?: RegExp;
  /** Whether candidates are cells without types, as in CSV. The option `absent` then applies. */
  readonly hasCells?: boolean;
  /** Whether an input without candidates is valid, such as `[]`. In other formats it causes a warning. */
  readonly explicitlyEmpty?: boolean;
  /** The hint of that warning. */
  readonly emptyHint?: string;
  /** Loads the reader, so that unused formats cost nothing. */
  readonly load: () => Promise<CandidateReader>;
  /** For a columnar format: loads the reader for files with random access. */
  readonly loadTable?: () => Promise<TableReader>;
}

const COLUMNS_HINT = 'the first line names the columns, every other line is a candidate';

const loadParquet = async (): Promise<TableReader> => (await import('./table/read-parquet.js')).openParquet;

/** A format of logs of agents, which makes a candidate of each trace. Its extension is that of JSON or JSON Lines. */
const traces = <F extends 'otlp' | 'openai-log' | 'anthropic-log' | 'claude-code'>(
  format: F,
  title: string,
  summary: string,
) => ({
  format,
  title,
  summary,
  extensions: [],
  load: async (): Promise<CandidateReader> => (await import('./json/read-traces.js')).traceReader(format),
});

const loadArrow = async (): Promise<TableReader> => (await import('./table/read-arrow.js')).openArrow;

/** A format of messages, which makes a candidate of each. Its extension is that of JSON. */
const messages = <F extends string>(format: F, summary: string) => ({
  format,
  title: 'messages',
  summary,
  extensions: [],
  explicitlyEmpty: true,
  load: async (): Promise<CandidateReader> => (await import('./json/read-json.js')).messageReader(format),
});

/** All formats. Without an extension, the first one whose `start` matches is used, and by default JSON Lines. */
const CODECS = [
  {
    format: 'json',
    title: 'JSON',
    summary: 'a list of objects, or one object',
    extensions: ['.json'],
    // A list, or an object that continues on the next line.
    start: /^(?:\[|\{[\t ]*\r?\n)/,
    explicitlyEmpty: true,
    load: async (): Promise<CandidateReader> => (await import('./json/read-json.js')).readJson,
  },
  {
    format: 'jsonl',
    title: 'JSON Lines',
    summary: 'one object per line',
    extensions: ['.jsonl', '.ndjson'],
    load: async () => {
      const { readJsonLines } = await import('./json/json-lines.js');
      return (input, name, problems) => readJsonLines(input, name, problems);
    },
  },
  {
    format: 'csv',
    title: 'CSV',
    summary: 'a header line, then one row per line',
    extensions: ['.csv'],
    hasCells: true,
    emptyHint: COLUMNS_HINT,
    load: async () => (await import('./csv/read-csv.js')).csvReader(','),
  },
  {
    format: 'tsv',
    title: 'TSV',
    summary: 'like CSV, with tabs',
    extensions: ['.tsv'],
    hasCells: true,
    emptyHint: COLUMNS_HINT,
    load: async () => (await import('./csv/read-csv.js')).csvReader('\t'),
  },
  {
    format: 'parquet',
    title: 'Parquet',
    summary: 'one candidate per row',
    extensions: ['.parquet', '.pq'],
    start: /^PAR1/,
    explicitlyEmpty: true,
    load: () => readerOfTable(loadParquet),
    loadTable: loadParquet,
  },
  {
    format: 'arrow',
    title: 'Arrow',
    summary: 'one candidate per row: an Arrow IPC file or stream',
    extensions: ['.arrow', '.arrows', '.feather'],
    start: /^(?:ARROW1|\ufffd{4})/,
    explicitlyEmpty: true,
    load: async (): Promise<CandidateReader> => (await import('./table/read-arrow.js')).readArrow,
    loadTable: loadArrow,
  },
  {
    format: 'libsvm',
    title: 'LIBSVM',
    summary: 'grade qid:ID 1:VALUE … per line (RankLib, LightGBM)',
    extensions: ['.libsvm', '.svmlight', '.letor'],
    start: /^(?:#.*\n\s*)*-?[\d.]+(?:[\t ]+qid:\S+)?[\t ]+(?:\d+:-?[\d.]|#)/,
    load: async () => (await import('./line-formats.js')).readLibsvm,
  },
  {
    format: 'trec',
    title: 'TREC runs',
    summary: 'query Q0 id rank score tag per line',
    extensions: ['.run', '.trec'],
    start: /^\S+[\t ]+Q0[\t ]+\S+[\t ]+\d+[\t ]/i,
    load: async () => (await import('./line-formats.js')).readTrecRun,
  },
  traces('otlp', 'OTLP', 'spans of OpenTelemetry as JSON: a trace per candidate'),
  traces('openai-log', 'logs of OpenAI', 'requests with responses: a trace per candidate'),
  traces('anthropic-log', 'logs of Anthropic', 'requests with responses: a trace per candidate'),
  traces('claude-code', 'sessions of Claude Code', 'lines of sessions: a trace per candidate'),
  messages('openai-chat', 'messages of OpenAI chat, or a request with them'),
  messages('openai-responses', 'input items of OpenAI Responses, or a request'),
  messages('anthropic', 'messages of Anthropic, or a request with system'),
  messages('ai-sdk', 'a ModelMessage[] of the AI SDK'),
] as const satisfies readonly Codec[];

/**
 * A format of candidates.
 *
 * - `json`: a list of objects, or one object as one candidate
 * - `jsonl`: one object per line
 * - `csv`, `tsv`: a header line, then one row per line
 * - `parquet`, `arrow`: columnar; only the columns that a profile uses are read
 * - `libsvm`: each line becomes `{ grade, qid?, id?, features }`
 * - `trec`: each line becomes `{ query, id, rank, score, tag }`
 * - `otlp`, `openai-log`, `anthropic-log`, `claude-code`: each trace of a log of agents
 * - `openai-chat`, `openai-responses`, `anthropic`, `ai-sdk`: each message becomes `{ id, index, role, content, tokens,
 *   group?, pinned, format, field?, message }`
 */
export type InputFormat = (typeof CODECS)[number]['format'];

export const INPUT_FORMATS: readonly InputFormat[] = CODECS.map(({ format }) => format);

/** The titles as a list in a sentence: `JSON, JSON Lines or CSV`. */
export const FORMAT_TITLES: string = [...new Set(CODECS.map(({ title }) => title))]
  .join(', ')
  .replace(/, ([^,]+)$/, ' or $1');

/** The format of a text that no `start` matches. */
export const DEFAULT_FORMAT = 'jsonl' satisfies InputFormat;

export const codecOf = (format: InputFormat): Codec => CODECS.find((codec) => codec.format === format)!;

/** Whether a format is columnar. */
export const isByColumn = (format: InputFormat | undefined): format is InputFormat =>
  format !== undefined && codecOf(format).loadTable !== undefined;

/** The format of a file extension; undefined if unknown. */
export const formatByExtension = (extension: string): InputFormat | undefined =>
  CODECS.find(({ extensions }) => extensions.some((known) => known === extension.toLowerCase()))?.format;

/** Formats whose extension is also that of logs of agents and of messages, so that the text decides. */
export const mayBeLog = (format: InputFormat): boolean => format === 'json' || format === 'jsonl';

/**
 * The format of a log of agents by the start of its text, or JSON for lines of messages, which its reader can read.
 *
 * @returns undefined if it is not certain to be one of them
 */
export function logFormatByStart(text: string): InputFormat | undefined {
  const start = text.trimStart();
  if (startsWithMessage(start)) return 'json';
  if (/^(?:\[\s*)?\{\s*"resource(?:Spans|Logs)"\s*:\s*\[/.test(start)) return 'otlp';
  if (CLAUDE_CODE_START.test(start)) return 'claude-code';
  const lines = start.split('\n', MOST_LINES_READ);
  return lines.some((line) => isClaudeCodeLine(line)) ? 'claude-code' : undefined;
}

/** The first keys of a session of Claude Code, whose first line may be longer than what is read of it. */
const CLAUDE_CODE_START =
  /^(?:\[\s*)?\{\s*(?:"parentUuid"\s*:\s*(?:null|"[^"]*"),\s*"isSidechain"\s*:\s*(?:true|false),|"type"\s*:\s*"file-history-snapshot",\s*"messageId"\s*:\s*")/;

/** A session of Claude Code may begin with lines of other kinds. */
const MOST_LINES_READ = 20;

/** A text in JSON has no unescaped quote, so these are keys. They may belong to an inner object, except in a whole line. */
function isClaudeCodeLine(line: string): boolean {
  if (!['sessionId', 'uuid', 'parentUuid'].every((key) => line.includes(`"${key}":`))) return false;
  try {
    const data: unknown = JSON.parse(line);
    return (
      ['sessionId', 'uuid'].every((key) => typeof ownValue(data, key) === 'string') &&
      isMap(data) &&
      'parentUuid' in data
    );
  } catch {
    return false;
  }
}

/** The format of a text by its start. */
export function formatByStart(text: string): InputFormat {
  const start = text.trimStart(); // a byte order mark is white space
  const log = logFormatByStart(start);
  return log ?? INPUT_FORMATS.find((format) => codecOf(format).start?.test(start)) ?? DEFAULT_FORMAT;
}

/** Whether the start of a text suffices to detect its format: its first non-blank line, or 1,000 characters. */
export function isEnoughForFormat(text: string): boolean {
  const start = text.trimStart();
  // The first key of pretty JSON is on its second line.
  return start.length > 1000 || /^(?:\{[\t \r]*\n.*\n|(?!\{[\t \r]*\n).*\n)/.test(start);
}

/**
 * Finds the places where rows of a file start. It reads the file again, because candidates do not record their lines and
 * only error messages need them.
 *
 * @param rows their positions among the rows of the file, from 0
 * @returns by row; undefined for standard input and for columnar formats
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

/** Indexes a file; the returned function gives the place of a row. */
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

const lines = linesThat((line) => line.trim() !== '');

const recordsOf = (delimiter: ',' | '\t') => async (): Promise<PlaceFinder> => {
  const { csvRecordStarts } = await import('./csv/read-csv.js');
  return (source) => {
    const [, ...starts] = csvRecordStarts(source.text, delimiter); // the first record is the header
    return (row) => source.placeAt(starts[row] ?? 0);
  };
};

const linesOf = async (): Promise<PlaceFinder> => {
  const { isEmptyLine } = await import('./line-formats.js');
  return linesThat((line) => !isEmptyLine(line));
};

/** By format: loads the finder of its rows. */
const FINDERS: Readonly<Partial<Record<InputFormat, () => Promise<PlaceFinder>>>> = {
  json: async () => {
    const { parseJsonWithPlaces } = await import('./json/parse-json-with-places.js');
    return (source) => {
      if (startsWithMessage(source.text)) return lines(source);
      const { data } = parseJsonWithPlaces(source);
      return (row) => locate(data, Array.isArray(data) ? [row] : []);
    };
  },
  jsonl: async () => lines,
  csv: recordsOf(','),
  tsv: recordsOf('\t'),
  libsvm: linesOf,
  trec: linesOf,
};

/** A columnar file that is open. */
export interface OpenTable extends Omit<Table, 'close'> {
  close(): Promise<void>;
}

interface OpenTableOptions {
  /** The most threads that may read, if the format supports it. Default: 1. */
  readonly threads?: number;
  /** The name of the file in problems. Default: its path. */
  readonly name?: string;
}

/**
 * Opens a columnar file.
 *
 * @param format a columnar format (`isByColumn`)
 * @throws AssizeError if the file cannot be read (ASZ101) or does not have the format (ASZ120)
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
