import { parse } from 'csv-parse/sync';
import { SourceFile } from '../../../../src/base/index.js';
import { CsvColumns } from '../../../../src/data/csv/csv-columns.js';
import { findJsonMistake, parseJsonWithPlaces } from '../../../../src/data/json/parse-json-with-places.js';
import { tryParseJson } from '../../../../src/data/parsed-document.js';
import type { CandidateFormat, ShownProblem } from '../protocol.js';

export interface CandidatesInText {
  readonly candidates: readonly object[];
  readonly problems: readonly ShownProblem[];
}

/** More problems of one kind do not help. */
const MOST_PROBLEMS = 20;

/** The name of the candidates in problems and in the download. */
const candidatesFile = (format: CandidateFormat): string => `candidates.${format}`;

/** Reads pasted candidates. Unlike the command line, it neither detects formats of messages nor names the cell of wrong CSV. */
export function readCandidates(text: string, format: CandidateFormat): CandidatesInText {
  const plain = text.replace(/^\ufeff/, '');
  if (plain.trim() === '') return { candidates: [], problems: [] };
  if (format === 'csv') return readCsv(plain);
  return format === 'jsonl' ? readLines(plain) : readList(plain);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Found {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly place?: { readonly file: string; readonly line: number; readonly column: number } | undefined;
}

const shown = ({ message, hint, place }: Found, code: string): ShownProblem => ({
  severity: 'error',
  code,
  message: hint === undefined ? message : `${message}\n${hint}`,
  where: place && `${place.file}:${place.line}:${place.column}`,
});

function readList(text: string): CandidatesInText {
  const parsed = tryParseJson(text);
  if (!parsed) {
    const { problems } = parseJsonWithPlaces(new SourceFile(candidatesFile('json'), text));
    return { candidates: [], problems: problems.slice(0, MOST_PROBLEMS).map((one) => shown(one, one.code)) };
  }
  const rows: readonly unknown[] = Array.isArray(parsed.data) ? parsed.data : [parsed.data];
  const wrong = rows.flatMap((row, index) => (isObject(row) ? [] : [index]));
  const problems = wrong
    .slice(0, MOST_PROBLEMS)
    .map((index) =>
      shown({ message: `candidate ${index} is not an object`, hint: 'write a list of objects' }, 'ASZ103'),
    );
  return { candidates: problems.length > 0 ? [] : rows.filter(isObject), problems };
}

function readLines(text: string): CandidatesInText {
  const candidates: object[] = [];
  const problems: ShownProblem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const row = tryParseJson(line)?.data;
    if (isObject(row)) candidates.push(row);
    else if (problems.length < MOST_PROBLEMS) {
      const source = new SourceFile(candidatesFile('jsonl'), line, index + 1);
      const mistake = findJsonMistake(source, 'line') ?? { message: 'the line is not an object' };
      problems.push(shown({ place: source.placeAt(0), ...mistake }, 'ASZ103'));
    }
  }
  return { candidates: problems.length > 0 ? [] : candidates, problems };
}

function readCsv(text: string): CandidatesInText {
  const place = (line: number): Found['place'] => ({ file: candidatesFile('csv'), line, column: 1 });
  let records: readonly (readonly string[])[];
  try {
    records = parse(text, { delimiter: ',', record_delimiter: ['\r\n', '\n'], relax_column_count: true });
  } catch (error) {
    return { candidates: [], problems: [shown({ message: (error as Error).message }, 'ASZ103')] };
  }
  const [names = [], ...rows] = records.filter((cells) => cells.length > 1 || cells[0] !== '');
  const columns = new CsvColumns(names);
  const wrongNames = columns.nameProblems(',').map((one) => shown({ ...one, place: place(1) }, 'ASZ103'));
  if (wrongNames.length > 0) return { candidates: [], problems: wrongNames.slice(0, MOST_PROBLEMS) };
  const wrong = rows.flatMap((cells, index) => (cells.length === names.length ? [] : [index]));
  const problems = wrong.slice(0, MOST_PROBLEMS).map((index) => {
    const message = `row ${index + 1} has ${rows[index]!.length} cells, expected ${names.length} as in the first line`;
    return shown({ message }, 'ASZ103');
  });
  return { candidates: problems.length > 0 ? [] : rows.map((cells) => columns.row(cells)), problems };
}
