import { isMap, ownValue } from '../../expression/index.js';
import type { CellOptions, RowProblems, TextInput } from '../candidate-reader.js';
import { tryParseJson } from '../parsed-document.js';
import { addProblems, readWhole } from './whole-text.js';

/** Reads a JSON list of objects, or one object as one candidate. Messages of a language model are candidates, too. */
export async function* readJson(
  input: TextInput,
  name: string,
  problems: RowProblems,
  cells: CellOptions,
): AsyncGenerator<readonly object[]> {
  const source = await readWhole(input, name, problems);
  if (!source) return;
  const parsed = tryParseJson(source.text);
  if (mayBeMessages(parsed?.data)) {
    const { readDetectedMessages } = await import('./read-messages.js');
    const messages = await readDetectedMessages(parsed?.data, source, problems, cells);
    if (messages !== undefined) {
      yield messages;
      return;
    }
  }
  const rows: readonly unknown[] = Array.isArray(parsed?.data) ? parsed.data : [parsed?.data];
  const good = rows.filter(isMap);
  yield good;
  if (good.length < rows.length) await addProblems(source, parsed?.data, problems);
}

/** Whether a value may be a conversation, so that the code that knows is loaded. */
function mayBeMessages(data: unknown): boolean {
  const list = Array.isArray(data) ? data : (ownValue(data, 'messages') ?? ownValue(data, 'input'));
  if (!Array.isArray(list)) return false;
  const [first]: readonly unknown[] = list;
  return typeof (ownValue(first, 'role') ?? ownValue(first, 'type')) === 'string';
}
