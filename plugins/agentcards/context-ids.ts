import { AssizeError, type Context, contextPath, describeValue, type PathReader } from '../../src/sdk.js';

/** A param that says where in the context the tools in use are. */
export const toolsParam = () =>
  contextPath('tools').describe('The path to the ids of the tools in use, in the context.');

/** The ids of a list; undefined where it is none of ids. */
export const idsIn = (list: unknown): readonly string[] | undefined =>
  Array.isArray(list) && list.every((id) => typeof id === 'string' || typeof id === 'number')
    ? list.map(String)
    : undefined;

/**
 * The ids at a path of the context; none where it is absent.
 *
 * @throws AssizeError (ASZ521) where there is no list of ids
 */
export function idsOf(path: PathReader, context: Context): readonly string[] {
  const list = path(context) ?? [];
  const ids = idsIn(list);
  if (ids !== undefined) return ids;
  const message = `${path.source} is ${describeValue(list)}; expected a list of ids`;
  throw new AssizeError([{ code: 'ASZ521', message, path: path.source }]);
}
