import { isUtf8 } from 'node:buffer';
import type { Options } from 'csv-parse/sync';
import type { Problem } from '../../diagnostics/problem.js';
import { SourceFile } from '../../diagnostics/source-file.js';
import { toAssizeError } from '../../diagnostics/to-assize-error.js';
import type { InputRow } from '../input-row.js';
import { type LineBlock, lineBlocks, type TextInput } from '../line-blocks.js';
import type { RowProblems } from '../row-problems.js';
import { utf8Problem } from '../utf8.js';
import { CsvColumns } from './columns.js';
import { scanCsvRecord } from './scan-record.js';

type CsvParse = (text: string, options: Options) => string[][];

/**
 * Reads CSV (RFC 4180) whose first line names the columns, a part of the input at a time.
 *
 * @param delimiter what stands between cells: a comma, or a tab
 */
export async function* readCsv(
  input: TextInput,
  name: string,
  delimiter: ',' | '\t',
  problems: RowProblems,
): AsyncGenerator<InputRow[], void> {
  const { parse } = await import('csv-parse/sync'); // for those alone who read CSV
  const reader = new CsvReader(name, delimiter, problems, parse);
  for await (const block of wholeRecords(input)) yield reader.read(block);
}

/** Puts blocks together until no quote is open at their end: a cell in quotes may hold line ends. */
async function* wholeRecords(input: TextInput): AsyncGenerator<LineBlock> {
  let parts: LineBlock[] = [];
  let open = false;
  for await (const block of lineBlocks(input)) {
    parts.push(block);
    if (countQuotes(block) % 2 === 1) open = !open;
    if (open) continue;
    yield concatRecordBlocks(parts);
    parts = [];
  }
  if (parts.length > 0) yield concatRecordBlocks(parts);
}

function countQuotes(block: LineBlock): number {
  let count = 0;
  for (let at = block.indexOf('"'); at >= 0; at = block.indexOf('"', at + 1)) count += 1;
  return count;
}

function concatRecordBlocks(parts: readonly LineBlock[]): LineBlock {
  if (parts.length === 1) return parts[0]!;
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

const countLines = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 1);

class CsvReader {
  #line = 1;
  #columns: CsvColumns | undefined;
  readonly #options: Options;

  constructor(
    private readonly name: string,
    private readonly delimiter: string,
    private readonly problems: RowProblems,
    private readonly parse: CsvParse,
  ) {
    this.#options = { delimiter, record_delimiter: ['\r\n', '\n'], relax_column_count: true };
  }

  read(block: LineBlock): InputRow[] {
    const whole = typeof block === 'string' || isUtf8(block);
    const text = block.toString();
    const source = new SourceFile(this.name, text, this.#line);
    const records = whole ? this.#quickly(source) : undefined;
    const rows: InputRow[] = [];
    if (records === undefined) {
      this.#slowly(source, typeof block === 'string' ? Buffer.from(block) : block, whole, rows);
      return rows;
    }
    for (const cells of records) {
      this.#add(cells, this.#line, source, rows);
      this.#line += countLines(cells);
    }
    return rows;
  }

  /** All records of a text, or nothing where one of them cannot be read. */
  #quickly({ text }: SourceFile): string[][] | undefined {
    try {
      return this.parse(text, this.#options);
    } catch {
      return undefined;
    }
  }

  /** Record by record, so that what is wrong with one is no loss to the others. */
  #slowly(source: SourceFile, bytes: Uint8Array, whole: boolean, rows: InputRow[]): void {
    const { text } = source;
    for (let at = 0; at < text.length; ) {
      const { problem, next } = scanCsvRecord(text, at, this.delimiter);
      const line = source.lineAt(at);
      const record = text.slice(at, next);
      if (!whole && record.includes('\ufffd')) {
        this.#report(source, at, () => utf8Problem(bytes, new SourceFile(this.name, record, line)));
      } else if (problem) {
        const { offset, message } = problem;
        const hint =
          this.#columns || !/^\s*[{[]/.test(record) ? problem.hint : 'if it is JSON, name it .json or .jsonl';
        this.#report(source, offset, () => ({ message, place: source.placeAt(offset), hint }));
      } else {
        for (const cells of this.parse(record, this.#options)) this.#add(cells, line, source, rows);
      }
      at = next;
    }
    this.#line = source.lineAt(text.length);
  }

  /** A record that can be read: the first one names the columns, and every other has as many cells. */
  #add(cells: readonly string[], line: number, source: SourceFile, rows: InputRow[]): void {
    if (cells.length === 1 && cells[0] === '') return; // a blank line
    if (!this.#columns) {
      this.#columns = this.#named(cells, line, source);
      return;
    }
    const { names } = this.#columns;
    if (cells.length === names.length) {
      rows.push({ value: this.#columns.row(cells), line });
      return;
    }
    const start = source.lineStart(line);
    this.#report(source, start, () => {
      const scanned = scanCsvRecord(source.text, start, this.delimiter);
      const message = `found ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, expected ${names.length} as in the first line`;
      const hint =
        cells.length > names.length
          ? 'put a cell that holds a separator in quotes'
          : 'leave a cell empty where there is nothing to say';
      return { message, place: source.placeAt(scanned.cells[names.length] ?? scanned.end), hint };
    });
  }

  /** What is wrong with the columns is wrong with every row, and so nothing else is said. */
  #named(cells: readonly string[], line: number, source: SourceFile): CsvColumns {
    const columns = new CsvColumns(cells);
    const mistakes = columns.nameProblems(this.delimiter);
    if (mistakes.length === 0) return columns;
    const starts = scanCsvRecord(source.text, source.lineStart(line), this.delimiter).cells;
    throw toAssizeError(
      mistakes.map(({ column, message, hint }): Problem => {
        return { code: 'ASZ103', message, place: source.placeAt(starts[column] ?? 0), hint };
      }),
    );
  }

  /** A file whose first line cannot be read has no columns, and so no rows. */
  #report(source: SourceFile, offset: number, describe: () => Omit<Problem, 'code'>): void {
    this.problems.add(() => source.placeAt(offset), describe);
    if (!this.#columns) throw toAssizeError(this.problems.all);
  }
}
