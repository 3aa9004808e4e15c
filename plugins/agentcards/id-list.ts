import { AssizeError, type Context, contextPath, describeValue, type PathReader } from '../../src/sdk.js';

/** A param that says where in the context the tools in use are. */
export const toolsParam = () =>
  contextPath('tools').describe('The path to the ids of the tools in use, in the context.');

/** The ids of a list; or what is wrong with it, and where, from its own path on. */
export type IdListResult = { readonly ids: readonly string[] } | { readonly message: string; readonly path: string };

/** @param path what the list is called in messages */
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
 * The ids at a path of the context; none where it is absent.
 *
 * @throws AssizeError (ASZ521) where there is no list of ids
 */
export function contextIds(path: PathReader, context: Context): readonly string[] {
  const read = readIdList(path(context) ?? [], path.source);
  if ('ids' in read) return read.ids;
  throw new AssizeError([{ code: 'ASZ521', ...read }]);
}
