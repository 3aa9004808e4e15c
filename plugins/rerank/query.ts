import { abstain, type Context, contextPath, type PathReader, readText, type Score } from '../../src/sdk.js';

/** The param that says where in the context the query is. */
export const queryParam = () => contextPath('query').describe('The path to the query, in the context.');

/** The query; undefined where it is absent or blank. */
export function readQuery(query: PathReader, context: Context): string | undefined {
  const text = readText(query, context);
  return text?.trim() === '' ? undefined : text;
}

/** The score where there is no query: it abstains by the reason `no_query`. */
export const withoutQuery =
  (query: PathReader): Score<unknown> =>
  (_candidate, _index, note) =>
    abstain(note, 'no_query', { query: query.source });
