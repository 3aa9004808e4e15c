/** Why a record cannot be parsed, and where. */
export interface CsvSyntaxProblem {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Offsets of the parts of a record. */
export interface ScannedRecord {
  /** The start of each cell; of a record with a problem, up to the cell that has it. */
  readonly cells: readonly number[];
  /** The end of its line. */
  readonly end: number;
  /** Where the next record starts; after a problem, in the line after the one that the cell with it starts in. */
  readonly next: number;
  readonly problem?: CsvSyntaxProblem;
}

const QUOTE_HINT = 'inside quotes, a quote is written twice: ""';

/** Finds the cells of one record: `csv-parse` gives their texts, and not where they are. */
export function scanCsvRecord(text: string, start: number, delimiter: string): ScannedRecord {
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

/** Whether a line ends at an offset; before the carriage return, where it has one. */
const isLineEnd = (text: string, at: number): boolean =>
  at >= text.length || text[at] === '\n' || (text[at] === '\r' && (at + 1 === text.length || text[at + 1] === '\n'));

function plainEnd(text: string, start: number, delimiter: string): number | CsvSyntaxProblem {
  for (let at = start; ; at++) {
    if (text[at] === delimiter || isLineEnd(text, at)) return at;
    if (text[at] !== '"') continue;
    const message = 'found a quote inside a cell that does not start with one';
    return { offset: at, message, hint: `put the whole cell in quotes; ${QUOTE_HINT}` };
  }
}

function quotedEnd(text: string, start: number, delimiter: string): number | CsvSyntaxProblem {
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) {
    return { offset: start, message: 'a cell is opened with " and never closed', hint: `close it; ${QUOTE_HINT}` };
  }
  const end = close + 1;
  if (text[end] === delimiter || isLineEnd(text, end)) return end;
  const expected = delimiter === '\t' ? 'a tab' : 'a comma';
  const message = `found text after a closing quote, expected ${expected} or the end of the line`;
  return { offset: end, message, hint: QUOTE_HINT };
}
