import { AssizeError, type Context, contextPath, describeValue, type PathReader } from '../../src/sdk.js';

/** The param that is the path to the tools in use in the context. */
export const toolsParam = () =>
  contextPath('tools').describe('The path to the ids of the tools in use, in the context.');

/** The ids of a list, or its problem and the path of that. */
export type IdListResult = { readonly ids: readonly string[] } | { readonly message: string; readonly path: string };

/**
 * Reads a list of ids, which may be numbers.
 *
 * @param path the list's path, for messages
 */
export function readIdList(list: unknown, path: string): IdListResult {
  if (!Array.isArray(list)) return { message: `${path} is ${describeValue(list)}; expected a list of ids`, path };
  const ids: string[] = [];
  for (const [k, id] of list.entries() as Iterable<[number, unknown]>) {
    if (typeof id !== 'string' && typeof id !== 'number') {
      const place = `${path}[${k}]`;
      return { message: `${place} is ${describeValue(id)}; expected an id, a text or a number`, path: place };
    }
    ids.push(String(id));
  }
  return { ids };
}

/**
 * Reads the ids at a path of the context; none where it is absent.
 *
 * @throws AssizeError (ASZ521) where it is not a list of ids
 */
export function contextIds(path: PathReader, context: Context): readonly string[] {
  const read = readIdList(path(context) ?? [], path.source);
  if ('ids' in read) return read.ids;
  throw new AssizeError([{ code: 'ASZ521', ...read }]);
}
