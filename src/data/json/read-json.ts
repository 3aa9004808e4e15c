import { isUtf8 } from 'node:buffer';
import { locate, SourceFile } from '../../base/index.js';
import { isMap, ownValue } from '../../expression/index.js';
import {
  type CandidateReader,
  concatBlocks,
  type LineBlock,
  lineBlocks,
  notAnObject,
  type RowProblems,
  type TextInput,
  utf8Problem,
} from '../candidate-reader.js';
import { tryParseJson } from '../parsed-document.js';
import { startsWithMessage } from './message-lines.js';

/** Reads a JSON list of objects, or one object as one candidate. Messages of a language model are candidates, too. */
export const readJson: CandidateReader = (input, name, problems, cells) =>
  readDocument(input, name, problems, cells, undefined);

/** Reads the messages of a format: a JSON list, or a request. */
export const messageReader =
  (format: string): CandidateReader =>
  (input, name, problems, cells) =>
    readDocument(input, name, problems, cells, format);

/** Reads a JSON list of objects, or one object, none of which is a message. */
export const readJsonRecords = (
  input: TextInput,
  name: string,
  problems: RowProblems,
): AsyncGenerator<readonly object[], void> => readDocument(input, name, problems, {}, 'none');

/** @param format that of messages, or none; without it, messages are detected */
async function* readDocument(
  ...[input, name, problems, cells, format]: [...Parameters<CandidateReader>, format: string | undefined]
): AsyncGenerator<readonly object[], void> {
  const source = await readWhole(input, name, problems);
  if (!source) return;
  const isNamed = format !== undefined && format !== 'none';
  const json = tryParseJson(source.text)?.data;
  const isLines =
    json === undefined && format !== 'none' && (isNamed ? hasRecordFirst : startsWithMessage)(source.text);
  const before = problems.all.length;
  const data = isLines ? await readLines(source, problems) : format !== 'none' && isOneMessage(json) ? [json] : json;
  if (problems.all.length > before) return;
  if (isNamed ? typeof data === 'object' && data !== null : format === undefined && mayBeMessages(data)) {
    const { readMessages } = await import('./read-messages.js');
    const messages = await readMessages({ source, data, isLines }, isNamed ? format : undefined, problems, cells);
    if (messages !== undefined) {
      yield messages;
      return;
    }
  }
  const rows: readonly unknown[] = Array.isArray(data) ? data : [data];
  const good = rows.filter(isMap);
  yield good;
  if (good.length < rows.length) await addProblems(source, data, problems);
}

/** Reads JSON Lines, such as a conversation with a message per line. */
async function readLines({ name, text }: SourceFile, problems: RowProblems): Promise<readonly object[]> {
  const { readJsonLines } = await import('./json-lines.js');
  const rows: object[] = [];
  for await (const block of readJsonLines([text], name, problems)) for (const row of block) rows.push(row);
  return rows;
}

/** Whether the first line that is not blank is an object by itself. */
const hasRecordFirst = (text: string): boolean => isMap(tryParseJson(/\S.*/.exec(text)?.[0] ?? '')?.data);

const isOneMessage = (data: unknown): boolean => isMap(data) && 'role' in data && 'content' in data;

/** Whether a value may be a conversation, so that the code that knows is loaded. */
function mayBeMessages(data: unknown): boolean {
  const list = Array.isArray(data) ? data : (ownValue(data, 'messages') ?? ownValue(data, 'input'));
  if (!Array.isArray(list)) return false;
  const [first]: readonly unknown[] = list;
  return typeof (ownValue(first, 'role') ?? ownValue(first, 'type')) === 'string';
}

/** Describes why a text is not a list of objects. */
async function addProblems(source: SourceFile, data: unknown, problems: RowProblems): Promise<void> {
  const { parseJsonWithPlaces } = await import('./parse-json-with-places.js');
  const start = Math.max(0, source.text.search(/\S/));
  const parsed = parseJsonWithPlaces(source);
  if (data === undefined) {
    for (const problem of parsed.problems) problems.add(source, start, () => problem);
  } else if (Array.isArray(data)) {
    for (const [index, row] of data.entries()) {
      if (isMap(row)) continue;
      const place = locate(parsed.data, [index]);
      problems.add(source, start, () => ({ ...notAnObject(row), path: `[${index}]`, place }));
    }
  } else {
    problems.add(source, start, () => notAnObject(data, 'a list of objects'));
  }
}

/**
 * Reads an input to its end.
 *
 * @returns undefined if it is not UTF-8 text; the problem is added
 */
async function readWhole(input: TextInput, name: string, problems: RowProblems): Promise<SourceFile | undefined> {
  const parts: LineBlock[] = [];
  for await (const part of lineBlocks(input)) parts.push(part);
  const whole = parts.length > 0 ? concatBlocks(parts) : '';
  const source = new SourceFile(name, whole.toString());
  if (typeof whole === 'string' || isUtf8(whole)) return source;
  problems.add(source, 0, () => utf8Problem(whole, source));
  return undefined;
}
