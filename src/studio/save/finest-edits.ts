import { isDeepStrictEqual } from 'node:util';
import { alignLists } from './align-lists.js';
import { type DataEdit, type JsonData, type Step, withEdit } from './data-edit.js';

/** An element that is put into a list, before the one to which the path leads, or is taken out. */
export type ListEdit =
  | { readonly kind: 'insert'; readonly path: readonly Step[]; readonly value: JsonData }
  | { readonly kind: 'remove'; readonly path: readonly Step[] };

/** An edit of as little as can be edited by itself. */
export type FinestEdit = DataEdit | ListEdit;

/** Lists of more pairs than these, a thousand elements each, are replaced as a whole. */
const MOST_PAIRS = 1e6;

/**
 * The same edit as one of each value that differs: of a list, the elements that differ, that are new, and that are gone.
 * They can be made one after another: the last of a list comes first, so that the positions before it stay.
 */
export function finestEdits(data: JsonData, { path, value }: DataEdit): readonly FinestEdit[] {
  return differences(at(data, path), path, value);
}

function differences(old: JsonData | undefined, path: readonly Step[], value: JsonData): readonly FinestEdit[] {
  if (isDeepStrictEqual(old, value)) return [];
  if (!isList(old) || !isList(value) || old.length * value.length > MOST_PAIRS) return [{ path, value }];
  const edits: FinestEdit[] = [];
  let next = old.length;
  for (const [from, to] of alignLists(old, value).toReversed()) {
    if (from === undefined) edits.push({ kind: 'insert', path: [...path, next], value: value[to!]! });
    else if (to === undefined) edits.push({ kind: 'remove', path: [...path, from] });
    else edits.push(...differences(old[from], [...path, from], value[to]!));
    next = from ?? next;
  }
  return edits;
}

/** A copy of the data with such an edit made. */
export function withFinestEdit(data: JsonData, edit: FinestEdit): JsonData {
  if (!('kind' in edit)) return withEdit(data, edit.path, edit.value);
  const path = edit.path.slice(0, -1);
  const list = at(data, path);
  const position = Number(edit.path.at(-1));
  const put = edit.kind === 'insert' ? [edit.value] : [];
  return isList(list) ? withEdit(data, path, list.toSpliced(position, 1 - put.length, ...put)) : data;
}

/** What stands at a path; undefined where nothing does. */
function at(data: JsonData | undefined, path: readonly Step[]): JsonData | undefined {
  return path.reduce<JsonData | undefined>((inner, step) => {
    if (typeof step === 'string') return isMap(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
    if (!isList(inner)) return undefined;
    return typeof step === 'number' ? inner[step] : inner.find((one) => isMap(one) && one['id'] === step.id);
  }, data);
}

const isList = (data: JsonData | undefined): data is readonly JsonData[] => Array.isArray(data);

const isMap = (data: JsonData | undefined): data is { readonly [key: string]: JsonData } =>
  typeof data === 'object' && data !== null && !Array.isArray(data);
