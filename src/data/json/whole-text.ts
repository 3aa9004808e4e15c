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

/** Describes why a text is not a list of objects. */
export async function addProblems(source: SourceFile, data: unknown, problems: RowProblems): Promise<void> {
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
export async function readWhole(
  input: TextInput,
  name: string,
  problems: RowProblems,
): Promise<SourceFile | undefined> {
  const parts: LineBlock[] = [];
  for await (const part of lineBlocks(input)) parts.push(part);
  const whole = parts.length > 0 ? concatBlocks(parts) : '';
  const source = new SourceFile(name, whole.toString());
  if (typeof whole === 'string' || isUtf8(whole)) return source;
  problems.add(source, 0, () => utf8Problem(whole, source));
  return undefined;
}
