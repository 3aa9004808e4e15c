import { didYouMean, nameList } from '../../diagnostics/index.js';
import { isMap, type PathReader } from '../../expression/index.js';

/** So deep are fields looked for, and so many are named. */
const DEEPEST = 3;
const MOST_NAMED = 12;

/** Whether no row has anything at a path, though there are rows: then the path itself is the mistake. */
export const isAbsent = (path: PathReader, rows: readonly object[]): boolean =>
  rows.length > 0 && rows.every((row) => path(row) === undefined);

/** What a path that no row has may have meant: a field of the first row that is called nearly so, else all of them. */
export function otherFields({ source }: PathReader, [first]: readonly object[]): string {
  const names = fieldsOf(first, '', DEEPEST);
  return didYouMean(source, names, `the first candidate has ${nameList(names.slice(0, MOST_NAMED))}`);
}

/** The paths to the values of a map that are no maps. */
function fieldsOf(value: unknown, before: string, depth: number): readonly string[] {
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    isMap(one) && depth > 1 ? fieldsOf(one, `${before}${key}.`, depth - 1) : [`${before}${key}`],
  );
}
