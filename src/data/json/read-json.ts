import { isUtf8 } from 'node:buffer';
import { locate, SourceFile } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import {
  concatBlocks,
  type LineBlock,
  lineBlocks,
  notAnObject,
  type RowProblems,
  type TextInput,
  utf8Problem,
} from '../candidate-reader.js';
import { tryParseJson } from '../parsed-document.js';

/** Reads a JSON list of objects, or one object as one candidate. */
export async function* readJson(
  input: TextInput,
  name: string,
  problems: RowProblems,
): AsyncGenerator<readonly object[]> {
  const source = await readWhole(input, name, problems);
  if (!source) return;
  const parsed = tryParseJson(source.text);
  const rows: readonly unknown[] = Array.isArray(parsed?.data) ? parsed.data : [parsed?.data];
  const good = rows.filter(isMap);
  yield good;
  if (good.length < rows.length) await addProblems(source, parsed?.data, problems);
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
