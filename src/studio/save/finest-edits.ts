import type { DataEdit, JsonData, Step } from './data-edit.js';

/** The same edit as one of each value that differs: lists of the same length are compared element by element. */
export function finestEdits(data: JsonData, { path, value }: DataEdit): readonly DataEdit[] {
  return differences(at(data, path), path, value);
}

function differences(old: JsonData | undefined, path: readonly Step[], value: JsonData): readonly DataEdit[] {
  if (isList(old) && isList(value) && old.length === value.length) {
    return value.flatMap((one, k) => differences(old[k], [...path, k], one));
  }
  return old === value ? [] : [{ path, value }];
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
