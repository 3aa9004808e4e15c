import { locate, type Place, type SourceFile } from '../diagnostics/index.js';
import type { InputFormat } from './codecs.js';
import { readSourceFile } from './read-source-file.js';

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
  const { isEmptyLine } = await import('./lines/read-lines.js');
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
