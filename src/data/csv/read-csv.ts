import { isUtf8 } from 'node:buffer';
import { CsvError, type Options, parse } from 'csv-parse/sync';
import { type Place, SourceFile } from '../../base/index.js';
import {
  type CandidateReader,
  type CellOptions,
  concatBlocks,
  type LineBlock,
  lineBlocks,
  type RowProblem,
  type RowProblems,
  type TextInput,
  utf8Problem,
} from '../candidate-reader.js';
import { CsvColumns } from './csv-columns.js';

const MAX_COLUMNS = 10_000;

/** Makes a reader of CSV (RFC 4180) with a header line. */
export const csvReader = (delimiter: ',' | '\t'): CandidateReader =>
  async function* readCsv(input, name, problems, cells) {
    const parser = new CsvParser(name, delimiter, problems, cells);
    for await (const block of wholeRecords(input)) {
      yield parser.parse(block);
      if (parser.hasNoColumns) return; // without columns, no row can be read
    }
    parser.warn();
  };

/** The offsets at which records start. Blank lines are not records. */
export function csvRecordStarts(text: string, delimiter: ',' | '\t'): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    const { next } = scanCsvRecord(text, at, delimiter);
    if (text.slice(at, next).trim() !== '') starts.push(at);
    at = next;
  }
  return starts;
}

/** Bytes that are searched for a closing quote. Without a limit, a stray quote would load the rest into memory. */
const MAX_OPEN_BYTES = 2 ** 24;

/**
 * Joins blocks until no quote is open at their end, because a quoted cell may contain line ends. If a quote is not closed
 * within `MAX_OPEN_BYTES`, the parser reports its line and parses the lines after it as separate records.
 */
async function* wholeRecords(input: TextInput): AsyncGenerator<LineBlock> {
  let parts: LineBlock[] = [];
  let open = false;
  let bytes = 0;
  for await (const block of lineBlocks(input)) {
    parts.push(block);
    if (countQuotes(block) % 2 === 1) open = !open;
    bytes = open ? bytes + block.length : 0;
    if (open && bytes <= MAX_OPEN_BYTES) continue;
    open = false;
    bytes = 0;
    yield concatBlocks(parts);
    parts = [];
  }
  if (parts.length > 0) yield concatBlocks(parts);
}

function countQuotes(block: LineBlock): number {
  let count = 0;
  for (let at = block.indexOf('"'); at >= 0; at = block.indexOf('"', at + 1)) count += 1;
  return count;
}

const countLines = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 1);

class CsvParser {
  /** Whether the header line is invalid, so that no row can be read. */
  hasNoColumns = false;
  #line = 1;
  #columns: CsvColumns | undefined;
  /** The place of the header line. */
  #header: Place | undefined;
  /** The row whose cells are being read. One object for all rows: this is the innermost loop. */
  readonly #row: { source: SourceFile; line: number };
  readonly #options: Options;

  constructor(
    private readonly name: string,
    private readonly delimiter: string,
    private readonly problems: RowProblems,
    private readonly cells: CellOptions,
  ) {
    this.#row = { source: new SourceFile(name, ''), line: 1 };
    this.#options = { delimiter, record_delimiter: ['\r\n', '\n'], relax_column_count: true };
  }

  parse(block: LineBlock): readonly object[] {
    const isText = typeof block === 'string' || isUtf8(block);
    const source = new SourceFile(this.name, block.toString(), this.#line);
    const records = isText ? this.#tryParse(source.text) : undefined;
    const rows: object[] = [];
    if (records === undefined) {
      this.#parseByRecord(source, typeof block === 'string' ? Buffer.from(block) : block, isText, rows);
      return rows;
    }
    for (const cells of records) {
      this.#add(cells, this.#line, source, rows);
      if (this.hasNoColumns) break;
      this.#line += countLines(cells);
    }
    return rows;
  }

  /** Reports warnings about the cells of all rows. */
  warn(): void {
    const { warn } = this.cells;
    if (!warn || !this.#columns) return;
    const warnings = [
      ...this.#columns.headerWarnings(this.cells, this.#header),
      ...this.#columns.noValueWarnings(this.cells),
    ];
    for (const warning of warnings) warn(warning);
  }

  /** All records of a text; undefined if one of them cannot be parsed. */
  #tryParse(text: string): string[][] | undefined {
    try {
      return parse(text, this.#options);
    } catch (error) {
      if (error instanceof CsvError) return undefined;
      throw error;
    }
  }

  /** Parses each record separately, so that an invalid one does not affect the others. */
  #parseByRecord(source: SourceFile, bytes: Uint8Array, isText: boolean, rows: object[]): void {
    const { text } = source;
    let good = 0; // the start of valid records that are parsed together later: a parser per record is slow
    const parseGood = (end: number): void => {
      let line = source.lineAt(good);
      for (const cells of good < end ? parse(text.slice(good, end), this.#options) : []) {
        if (!this.hasNoColumns) this.#add(cells, line, source, rows);
        line += countLines(cells);
      }
    };
    for (let at = 0; at < text.length && !this.hasNoColumns; ) {
      const { problem, next } = scanCsvRecord(text, at, this.delimiter);
      const isBroken = !isText && text.slice(at, next).includes('\ufffd');
      if (!isBroken && !problem && this.#columns) {
        at = next;
        continue;
      }
      parseGood(at);
      good = next;
      if (this.hasNoColumns) break;
      const line = source.lineAt(at);
      const record = text.slice(at, next);
      if (isBroken) {
        this.#report(source, at, () => utf8Problem(bytes, new SourceFile(this.name, record, line)));
      } else if (problem) {
        const { offset, message } = problem;
        const isJson = !this.#columns && /^\s*[{[]/.test(record);
        const hint = isJson ? 'if it is JSON, name it .json or .jsonl' : problem.hint;
        this.#report(source, offset, () => ({ message, hint }));
      } else {
        for (const cells of parse(record, this.#options)) this.#add(cells, line, source, rows);
      }
      at = next;
    }
    if (!this.hasNoColumns) parseGood(text.length);
    this.#line = source.lineAt(text.length);
  }

  /** Adds a record. The first one names the columns, and every other must have as many cells. */
  #add(cells: readonly string[], line: number, source: SourceFile, rows: object[]): void {
    if (cells.length === 1 && cells[0] === '') return; // a blank line
    if (!this.#columns) {
      this.#setColumns(cells, line, source);
      return;
    }
    const { names } = this.#columns;
    if (cells.length === names.length) {
      this.#row.source = source;
      this.#row.line = line;
      rows.push(this.#columns.row(cells, this.cells.warn && this.#placeOfCell));
      return;
    }
    const start = source.lineStart(line);
    this.#report(source, start, () => {
      const scanned = scanCsvRecord(source.text, start, this.delimiter);
      const message = `found ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, expected ${names.length} as in the first line`;
      const hint =
        cells.length > names.length
          ? 'if a cell contains a separator, put it in quotes'
          : 'write an empty cell for an absent value';
      return { message, place: source.placeAt(scanned.cells[names.length] ?? scanned.end), hint };
    });
  }

  readonly #placeOfCell = (column: number): Place => {
    const { source, line } = this.#row;
    const start = source.lineStart(line);
    return source.placeAt(scanCsvRecord(source.text, start, this.delimiter).cells[column] ?? start);
  };

  #setColumns(names: readonly string[], line: number, source: SourceFile): void {
    if (names.length > MAX_COLUMNS) {
      const message = `the first line has ${names.length} columns, expected at most ${MAX_COLUMNS}`;
      this.#report(source, source.lineStart(line), () => ({ message }));
      return;
    }
    const columns = new CsvColumns(names, this.cells.absent);
    const wrong = columns.nameProblems(this.delimiter);
    const starts = scanCsvRecord(source.text, source.lineStart(line), this.delimiter).cells;
    for (const { column, message, hint } of wrong) {
      this.#report(source, starts[column] ?? 0, () => ({ message, hint }));
    }
    if (wrong.length > 0) return;
    this.#columns = columns;
    this.#header = source.placeAt(source.lineStart(line));
  }

  #report(source: SourceFile, offset: number, describe: () => RowProblem): void {
    this.problems.add(source, offset, describe);
    this.hasNoColumns ||= this.#columns === undefined;
  }
}

/** A syntax error in a record. */
interface CsvSyntaxProblem {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Offsets of the parts of a record. */
interface ScannedRecord {
  /** The start of each cell, up to the first invalid one. */
  readonly cells: readonly number[];
  /** The end of its line. */
  readonly end: number;
  /** The start of the next record; after a problem, the line after the start of the invalid cell. */
  readonly next: number;
  readonly problem?: CsvSyntaxProblem;
}

const QUOTE_HINT = 'inside quotes, write a quote twice: ""';

/** Finds the cells of one record, because `csv-parse` does not report their offsets. */
function scanCsvRecord(text: string, start: number, delimiter: string): ScannedRecord {
  const cells: number[] = [];
  for (let at = start; ; ) {
    cells.push(at);
    const end = text[at] === '"' ? quotedEnd(text, at, delimiter) : plainEnd(text, at, delimiter);
    if (typeof end !== 'number') return { cells, end: at, next: lineAfter(text, at), problem: end };
    if (text[end] !== delimiter) return { cells, end, next: lineAfter(text, end) };
    at = end + 1;
  }
}

const lineAfter = (text: string, offset: number): number => text.indexOf('\n', offset) + 1 || text.length;

/** Whether a line ends at an offset. The end of a CRLF line is before the CR. */
const isLineEnd = (text: string, at: number): boolean =>
  at >= text.length || text[at] === '\n' || (text[at] === '\r' && (at + 1 === text.length || text[at + 1] === '\n'));

function plainEnd(text: string, start: number, delimiter: string): number | CsvSyntaxProblem {
  for (let at = start; ; at++) {
    if (text[at] === delimiter || isLineEnd(text, at)) return at;
    if (text[at] !== '"') continue;
    const message = 'found a quote in a cell that does not start with a quote';
    return { offset: at, message, hint: `put the whole cell in quotes; ${QUOTE_HINT}` };
  }
}

function quotedEnd(text: string, start: number, delimiter: string): number | CsvSyntaxProblem {
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) {
    const isCut = text.length - start > MAX_OPEN_BYTES / 2;
    const message = `a cell is opened with " and ${isCut ? 'not closed within 16 MB' : 'never closed'}`;
    return { offset: start, message, hint: `close it; ${QUOTE_HINT}` };
  }
  const end = close + 1;
  if (text[end] === delimiter || isLineEnd(text, end)) return end;
  const expected = delimiter === '\t' ? 'a tab' : 'a comma';
  const message = `found text after a closing quote, expected ${expected} or the end of the line`;
  return { offset: end, message, hint: QUOTE_HINT };
}
