import { isUtf8 } from 'node:buffer';
import type { Problem } from '../diagnostics/problem.js';
import { SourceFile } from '../diagnostics/source-file.js';
import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { isMap } from '../expression/is-map.js';
import { readCsv } from './csv/read-csv.js';
import type { InputFormat, InputRow } from './input-row.js';
import { parseJsonLine, stripByteOrderMark } from './json/json-lines.js';
import { parseJson, tryParseJson } from './json/parse-json.js';
import { scanJson, skipWhitespace } from './json/scan-json.js';
import { lineBlocks, type TextInput } from './line-blocks.js';
import { RowProblems } from './row-problems.js';
import { splitLines } from './split-lines.js';
import { utf8Problem } from './utf8.js';

/**
 * Reads candidates. Good rows come as they are read, bad ones are collected: at the end they are thrown together, as
 * one `AssizeError` that describes the first of them and counts the rest. Whoever must not work on a part of the rows
 * takes them all at once: `readAllRows`.
 *
 * @param name what problems call the input: its path, or `stdin`
 */
export async function* readRows(input: TextInput, name: string, format: InputFormat): AsyncGenerator<InputRow, void> {
  for await (const batch of readRowBatches(input, name, format)) yield* batch;
}

/** Reads all candidates, or throws with everything that is wrong with them. */
export async function readAllRows(input: TextInput, name: string, format: InputFormat): Promise<InputRow[]> {
  const rows: InputRow[] = [];
  for await (const batch of readRowBatches(input, name, format)) for (const row of batch) rows.push(row);
  return rows;
}

/** The rows of a part of the input at a time: a step of an asynchronous generator costs as much as parsing a row. */
export async function* readRowBatches(
  input: TextInput,
  name: string,
  format: InputFormat,
): AsyncGenerator<InputRow[], void> {
  const problems = new RowProblems();
  if (format === 'json') yield parseJsonRows(await readAll(input, name, problems), problems);
  else if (format === 'jsonl') yield* readJsonLines(input, name, problems);
  else yield* readCsv(input, name, format === 'csv' ? ',' : '\t', problems);
  if (problems.all.length > 0) throw toAssizeError(problems.all);
}

async function* readJsonLines(input: TextInput, name: string, problems: RowProblems): AsyncGenerator<InputRow[], void> {
  let line = 0;
  let anyRead = false;
  for await (const block of lineBlocks(input)) {
    const rows: InputRow[] = [];
    for (const raw of splitLines(block)) {
      line += 1;
      const bytes = typeof raw === 'string' ? undefined : raw;
      const text = stripByteOrderMark(raw.toString(), line === 1);
      const value = bytes ? undefined : parseJsonLine(text);
      if (value) {
        rows.push({ value, line });
      } else if (text.trim() !== '') {
        const source = new SourceFile(name, text, line);
        const describe = () => (bytes ? utf8Problem(bytes, source) : lineProblem(source));
        problems.add(() => source.placeAt(0), describe);
        if (bytes?.includes(0) && !anyRead && rows.length === 0) return; // no file of lines: more of it says no more
      }
    }
    anyRead ||= rows.length > 0;
    yield rows;
  }
}

/** How files begin that are no JSON Lines. */
const OTHER_FORMATS = [
  {
    start: /^\s*(?:\[|\{\s*$)/,
    hint: 'JSON Lines has a whole object a line; a file with one list is JSON: name it .json',
  },
  { start: /^[^{[\t]+,/, hint: 'if it is CSV, name it .csv, or say --input csv' },
  { start: /^[^{[]+\t/, hint: 'if it is TSV, name it .tsv, or say --input tsv' },
];

function lineProblem(source: SourceFile): Omit<Problem, 'code'> {
  const { text } = source;
  const data = tryParseJson(text)?.data;
  const problem = data === undefined ? parseJson(source, { textName: 'line' }).problems[0] : undefined;
  const found = problem ?? notAnObject(source, skipWhitespace(text, 0), data);
  // The first line of a file of another format.
  const hint = source.firstLine === 1 ? OTHER_FORMATS.find(({ start }) => start.test(text))?.hint : undefined;
  return hint === undefined ? found : { ...found, hint };
}

function parseJsonRows(source: SourceFile | undefined, problems: RowProblems): InputRow[] {
  if (!source) return [];
  const parsed = parseJson(source);
  const start = skipWhitespace(source.text, 0);
  for (const problem of parsed.problems)
    problems.add(
      () => source.placeAt(start),
      () => problem,
    );
  if (parsed.problems.length > 0) return [];
  if (isMap(parsed.data)) return [{ value: parsed.data, line: source.lineAt(start) }];
  if (!Array.isArray(parsed.data)) {
    problems.add(
      () => source.placeAt(start),
      () => notAnObject(source, start, parsed.data, 'a list of objects'),
    );
    return [];
  }
  const values: readonly unknown[] = parsed.data;
  const starts = values.length > 0 ? scanJson(source.text).items : [];
  return values.flatMap((value, index) => {
    const at = starts[index]!;
    if (isMap(value)) return [{ value, line: source.lineAt(at) }];
    problems.add(
      () => source.placeAt(at),
      () => ({ ...notAnObject(source, at, value), path: `[${index}]` }),
    );
    return [];
  });
}

async function readAll(input: TextInput, name: string, problems: RowProblems): Promise<SourceFile | undefined> {
  const parts = [];
  for await (const block of lineBlocks(input)) parts.push(block);
  const texts = parts.filter((part) => typeof part === 'string');
  if (texts.length === parts.length) return new SourceFile(name, texts.join(''));
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const source = new SourceFile(name, bytes.toString());
  if (isUtf8(bytes)) return source;
  problems.add(
    () => source.placeAt(0),
    () => utf8Problem(bytes, source),
  );
  return undefined;
}

function notAnObject(
  source: SourceFile,
  offset: number,
  value: unknown,
  expected = 'an object',
): Omit<Problem, 'code'> {
  const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return { message: `found ${kind}, expected ${expected}`, place: source.placeAt(offset) };
}
