import { parse } from 'csv-parse/sync';
import { readFileParts } from '../read-candidates.js';
import { CsvColumns } from './csv-columns.js';

/** A file of CSV whose rows are its lines, as far as its first line tells. */
export interface CsvLines {
  /** The keys that each column fills. */
  readonly columns: readonly (readonly string[])[];
  /**
   * The row of a line.
   *
   * @throws Error where it is none, as where a cell in quotes goes on in the next
   */
  row(line: string): object;
}

/** The longest first line that is looked for. */
const MOST_BYTES = 2 ** 20;

/**
 * Reads the first line of a file.
 *
 * @throws Error where it names no columns, or not in one line
 */
export async function readCsvLines(file: string, delimiter: ',' | '\t'): Promise<CsvLines> {
  const [names = []] = parse(await firstLine(file), { delimiter, relax_column_count: true });
  const columns = new CsvColumns(names);
  const [problem] = columns.nameProblems(delimiter);
  if (problem) throw new Error(problem.message);
  return {
    columns: columns.keys,
    row(text) {
      const [cells = [], ...others] = parse(text, { delimiter, relax_column_count: true });
      if (cells.length !== names.length || others.length > 0)
        throw new SyntaxError('a line has other columns than the first');
      return columns.row(cells);
    },
  };
}

/** The first line, which must not be empty: a reader elsewhere skips it only where all see it. */
async function firstLine(file: string): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const part of readFileParts(file)) {
    start = Buffer.concat([start, Buffer.from(part)]);
    const end = text(start).indexOf('\n');
    const line = text(start).slice(0, Math.max(0, end)).replace(/\r$/, '');
    if (line !== '') return line;
    if (end >= 0) break;
    if (start.length > MOST_BYTES) break;
  }
  throw new Error('it has no first line that names columns, and others');
}

const text = (bytes: Buffer): string => bytes.toString().replace(/^\ufeff/, '');
