import { locate, type SourceFile } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import { notAnObject, type RowProblems } from '../candidate-reader.js';
import type { TextInput } from '../line-blocks.js';
import { readWhole } from '../read-whole.js';
import { tryParseJson } from './parse-json.js';

/** Reads a JSON list of objects, whole; or one object, which is one candidate. */
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

/** Finds what is wrong with a text that is no list of objects. */
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
