/** The data of a profile's file. */
export type JsonData = string | number | boolean | null | readonly JsonData[] | { readonly [key: string]: JsonData };

/** A map of data. */
export type JsonMap = { readonly [key: string]: JsonData };

/** One step into data: a key of a map, a position in a list, or the element of a list that has an id. */
export type Step = string | number | { readonly id: string };

/** A value and its path. */
export interface DataEdit {
  readonly path: readonly Step[];
  readonly value: JsonData;
}

/** Removes a key of a map, or an element of a list. A map or a list that becomes empty is removed, too. */
export interface Removal {
  readonly path: readonly Step[];
  readonly remove: true;
}

/** Replaces the whole text of a file. */
export interface TextEdit {
  readonly text: string;
}

/** An edit of a profile's file. Edits apply in order. */
export type FileEdit = DataEdit | Removal | TextEdit;

/** `tier2_scorers[popularity].weight` */
export const formatSteps = (path: readonly Step[]): string =>
  path.map((step, k) => (typeof step === 'string' ? (k > 0 ? `.${step}` : step) : `[${stepName(step)}]`)).join('');

const stepName = (step: Exclude<Step, string>): string | number => (typeof step === 'object' ? step.id : step);

type Mutable = Record<string, JsonData>;

export const isJsonMap = (data: JsonData | undefined): data is JsonMap =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** A text, number, true or false as text; empty for other values. */
export const scalarText = (value: JsonData | undefined): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Whether two values are equal. The order of keys makes no difference. */
export function isSameData(a: JsonData | undefined, b: JsonData | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false;
  const [one, other] = [new Map(Object.entries<JsonData>(a)), new Map(Object.entries<JsonData>(b))];
  return keys.every((key) => other.has(key) && isSameData(one.get(key), other.get(key)));
}

/** A copy of the data with a value set. Missing maps and entries are created; new entries come last. */
export function withEdit(data: JsonData | undefined, [step, ...rest]: readonly Step[], value: JsonData): JsonData {
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const map: Mutable = isJsonMap(data) ? { ...data } : {};
    const inner = withEdit(Object.hasOwn(map, step) ? map[step] : undefined, rest, value);
    Object.defineProperty(map, step, { value: inner, enumerable: true, configurable: true, writable: true });
    return map;
  }
  const list: JsonData[] = Array.isArray(data) ? [...(data as readonly JsonData[])] : [];
  const found = typeof step === 'number' ? step : list.findIndex((one) => isJsonMap(one) && one['id'] === step.id);
  const at = found < 0 ? list.length : Math.min(found, list.length);
  list[at] = withEdit(list[at] ?? newElement(step), rest, value);
  return list;
}

/** The path whose removal leaves no empty map or list behind: the path itself, or one that leads to it. */
export function emptiedPath(data: JsonData, path: readonly Step[]): readonly Step[] {
  const outer = path.slice(0, -1);
  const parent = valueAt(data, outer);
  const isEmptied = typeof parent === 'object' && parent !== null && Object.keys(parent).length === 1;
  return outer.length > 0 && isEmptied && valueAt(data, path) !== undefined ? emptiedPath(data, outer) : path;
}

/** A copy of the data without the value at a path. */
export function withoutPath(data: JsonData, path: readonly Step[]): JsonData {
  const outer = path.slice(0, -1);
  const step = path.at(-1);
  const parent = valueAt(data, outer);
  if (typeof step === 'string') {
    if (!isJsonMap(parent)) return data;
    return withEdit(data, outer, Object.fromEntries(Object.entries(parent).filter(([key]) => key !== step)));
  }
  const at = step === undefined ? -1 : positionOf(parent, step);
  return isJsonList(parent) && at >= 0 ? withEdit(data, outer, parent.toSpliced(at, 1)) : data;
}

/** The position of an element of a list; -1 if it does not exist. */
export function positionOf(list: JsonData | undefined, step: Exclude<Step, string>): number {
  if (!isJsonList(list)) return -1;
  if (typeof step === 'number') return step < list.length ? step : -1;
  return list.findIndex((one) => isJsonMap(one) && one['id'] === step.id);
}

/** The value at a path; undefined if it does not exist. */
export function valueAt(data: JsonData | undefined, path: readonly Step[]): JsonData | undefined {
  return path.reduce<JsonData | undefined>((inner, step) => {
    if (typeof step === 'string') return isJsonMap(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
    return isJsonList(inner) ? inner[positionOf(inner, step)] : undefined;
  }, data);
}

export const isJsonList = (data: JsonData | undefined): data is readonly JsonData[] => Array.isArray(data);

/** The element that a step creates if it is missing. */
const newElement = (step: Exclude<Step, string>): JsonData | undefined =>
  typeof step === 'object' ? { id: step.id } : undefined;
