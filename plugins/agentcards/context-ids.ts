import { AssizeError, contextPath, describeValue, type PathReader } from '../../src/sdk.js';

/** A param that says where in the context the tools in use are. */
export const toolsParam = () =>
  contextPath('tools').describe('The path to the ids of the tools in use, in the context.');

/**
 * The ids that a path gives; none where it is absent.
 *
 * @throws AssizeError (ASZ521) where it is no list of ids
 */
export function idsOf(path: PathReader, from: unknown): readonly string[] {
  const list = path(from);
  if (list === undefined) return [];
  if (Array.isArray(list) && list.every((id) => typeof id === 'string' || typeof id === 'number'))
    return list.map(String);
  const message = `${path.source} is ${describeValue(list)}; expected a list of ids`;
  throw new AssizeError([{ code: 'ASZ521', message, path: path.source }]);
}
