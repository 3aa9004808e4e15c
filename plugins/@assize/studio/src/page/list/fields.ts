/** A field of candidates, as deep as objects go. */
export interface Field {
  /** Its keys, joined by points. */
  readonly name: string;
  readonly keys: readonly string[];
  /** Whether some candidate has a number there. */
  readonly numeric: boolean;
}

/** How many candidates are looked at for their fields, from the whole list. */
const SAMPLE = 200;
/** How deep, and how many: what a person can choose from. */
const [DEPTH, MOST] = [3, 200];

/** The fields that candidates have, in the order in which they are met; of many candidates, those of a sample. */
export function fieldsOf(candidates: readonly object[]): readonly Field[] {
  const found = new Map<string, Field>();
  const step = Math.max(1, Math.floor(candidates.length / SAMPLE));
  for (let k = 0; k < candidates.length && found.size < MOST; k += step) collect(candidates[k]!, [], found);
  return [...found.values()];
}

function collect(value: object, keys: readonly string[], found: Map<string, Field>): void {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const path = [...keys, key];
    if (isMap(inner) && path.length < DEPTH) collect(inner, path, found);
    else {
      const name = path.join('.');
      const numeric = typeof inner === 'number' || (found.get(name)?.numeric ?? false);
      found.set(name, { name, keys: path, numeric });
    }
  }
}

/** The value of a field of a candidate; undefined where it has none. */
export function readField(candidate: unknown, { keys }: Field): unknown {
  let value = candidate;
  for (const key of keys) {
    if (!isMap(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
