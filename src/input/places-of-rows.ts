import { locate, type Place, SourceFile } from '../diagnostics/index.js';
import type { InputFormat } from './codecs.js';
import { scanCsvRecord } from './csv/scan-record.js';
import { parseJsonWithPlaces } from './json/parse-json-with-places.js';
import { isEmptyLine } from './lines/read-lines.js';
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
  const find = FINDERS[format];
  if (!find) return rows.map(() => undefined);
  const placeOf = find(await readSourceFile(file));
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

const records =
  (delimiter: string): PlaceFinder =>
  (source) => {
    const starts: number[] = [];
    for (let at = 0; at < source.text.length; ) {
      const { next } = scanCsvRecord(source.text, at, delimiter);
      if (source.text.slice(at, next).trim() !== '') starts.push(at);
      at = next;
    }
    return (row) => source.placeAt(starts[row + 1] ?? 0); // the first names the columns
  };

const inLines = linesThat((line) => !isEmptyLine(line));

const FINDERS: Readonly<Partial<Record<InputFormat, PlaceFinder>>> = {
  json: (source) => {
    const { data } = parseJsonWithPlaces(source);
    return (row) => locate(data, Array.isArray(data) ? [row] : []);
  },
  jsonl: linesThat((line) => line.trim() !== ''),
  csv: records(','),
  tsv: records('\t'),
  libsvm: inLines,
  trec: inLines,
};
