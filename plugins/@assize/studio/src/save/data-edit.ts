/** The data of a profile's file. */
export type JsonData = string | number | boolean | null | readonly JsonData[] | { readonly [key: string]: JsonData };

/** One step into data: a key of a map, a position in a list, or the element of a list that has an id. */
export type Step = string | number | { readonly id: string };

/** A value and its path. */
export interface DataEdit {
  readonly path: readonly Step[];
  readonly value: JsonData;
}

/** `tier2_scorers[popularity].weight` */
export const formatSteps = (path: readonly Step[]): string =>
  path.map((step, k) => (typeof step === 'string' ? (k > 0 ? `.${step}` : step) : `[${stepName(step)}]`)).join('');

const stepName = (step: Exclude<Step, string>): string | number => (typeof step === 'object' ? step.id : step);

type Mutable = Record<string, JsonData>;

export const isJsonMap = (data: JsonData | undefined): data is { readonly [key: string]: JsonData } =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

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

/** The element that a step creates if it is missing. */
const newElement = (step: Exclude<Step, string>): JsonData | undefined =>
  typeof step === 'object' ? { id: step.id } : undefined;
