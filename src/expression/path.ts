import { isObject } from '../base/index.js';

/** One step of a path: a field, a position in a list, or every element of a list. */
export type PathStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'each' };

/** A path that does not parse: the problem and its offset, counted from 0. */
export class PathError extends Error {
  override readonly name = 'PathError';
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** Deeper than any data. It limits the code that a path is compiled to. */
const MAX_STEPS = 64;

const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$-]*/uy;
const INDEX = /\d+/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/suy;
const PLAIN = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

const describeCharacter = (text: string, at: number): string =>
  at < text.length ? `"${String.fromCodePoint(text.codePointAt(at) ?? 0)}"` : 'the end';

/** Matches a sticky pattern at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Parses `a.b`, `metadata["cupel:trust"]`, `steps[0].type`, `steps[].tool.name`.
 *
 * @throws PathError
 */
export function parsePath(text: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  let at = 0;
  if (text === '') throw new PathError('the path is empty; expected a field, as in metadata.author', 0);
  while (at < text.length) {
    if (steps.length === MAX_STEPS) throw new PathError(`the path has more than ${MAX_STEPS} steps`, at);
    if (text[at] === '[') {
      const [step, end] = parseBracket(text, at);
      steps.push(step);
      at = end;
      continue;
    }
    if (steps.length > 0) {
      if (text[at] !== '.') throw new PathError(unexpected(text, at, steps), at);
      at += 1;
    }
    const name = matchAt(NAME, text, at);
    if (name === null) throw new PathError(`expected a field name, found ${describeCharacter(text, at)}`, at);
    steps.push({ kind: 'key', key: name[0] });
    at += name[0].length;
  }
  return steps;
}

/** The problem after a step. The most frequent cause is a name with a space. */
function unexpected(text: string, at: number, [first, second]: readonly PathStep[]): string {
  const found = `expected "." or "[", found ${describeCharacter(text, at)}`;
  const isName = first?.kind === 'key' && second === undefined && /^ [^.[\]"]+$/.test(text.slice(at));
  return isName ? `${found}; write a field with a space in its name as '[${JSON.stringify(text)}]'` : found;
}

function parseBracket(text: string, open: number): [PathStep, number] {
  const at = open + 1;
  if (text[at] === ']') return [{ kind: 'each' }, at + 1];
  const quoted = matchAt(QUOTED, text, at);
  const inner = quoted ?? matchAt(INDEX, text, at);
  if (inner === null) {
    if (text[at] === '"' || text[at] === "'")
      throw new PathError(`the name opened with ${text[at]} is never closed`, at);
    throw new PathError(`expected a quoted name, a number or "]" after "[", found ${describeCharacter(text, at)}`, at);
  }
  const end = at + inner[0].length;
  if (text[end] !== ']') throw new PathError(`expected "]", found ${describeCharacter(text, end)}`, end);
  if (quoted === null) return [{ kind: 'index', index: Number(inner[0]) }, end + 1];
  const key = (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/gsu, '$1');
  return [{ kind: 'key', key }, end + 1];
}

/** The canonical text of a path: names after dots, other keys in brackets. */
export function formatPath(steps: readonly PathStep[]): string {
  let text = '';
  for (const step of steps) {
    if (step.kind === 'each') text += '[]';
    else if (step.kind === 'index') text += `[${step.index}]`;
    else if (PLAIN.test(step.key)) text += text === '' ? step.key : `.${step.key}`;
    else text += `["${step.key.replace(/["\\]/g, '\\$&')}"]`;
  }
  return text;
}

/** The key of a map in an expression. */
export type MapKey = string | number | boolean;

/**
 * A map that an expression makes with keys that are not only texts. Own properties hold the values of texts, so that a
 * path reads them as in any other object.
 */
export class KeyedMap {
  readonly #values = new Map<number | boolean, unknown>();

  /** @returns false if the map has the key */
  add(key: MapKey, value: unknown): boolean {
    if (this.has(key)) return false;
    if (typeof key === 'string')
      Object.defineProperty(this, key, { value, enumerable: true, configurable: true, writable: true });
    else this.#values.set(key, value);
    return true;
  }

  has(key: unknown): boolean {
    return typeof key === 'string'
      ? Object.hasOwn(this, key)
      : (typeof key === 'number' || typeof key === 'boolean') && this.#values.has(key);
  }

  /** The value of a key that is not a text. */
  at(key: number | boolean): unknown {
    return this.#values.get(key);
  }

  get keys(): readonly MapKey[] {
    return [...this.#values.keys(), ...Object.keys(this)];
  }

  get entries(): readonly (readonly [key: MapKey, value: unknown])[] {
    return [...this.#values, ...Object.entries(this)];
  }

  toJSON(): unknown {
    return this.entries.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  }
}

const PROTOTYPES: readonly object[] = [
  KeyedMap.prototype,
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Date.prototype,
];
const LIST_INDEX = /^\d+$/;

/**
 * Whether a value may inherit a property under this key: `constructor` in any value, `map` in a list, `length` and `0`
 * in a string.
 *
 * Only such keys are checked with `Object.hasOwn`. Checking all keys would cost nine times as much, and any other key that
 * a value does not own reads as `undefined` anyway.
 */
export const mayBeInherited = (key: string | number): boolean =>
  typeof key === 'number' || LIST_INDEX.test(key) || PROTOTYPES.some((prototype) => key in prototype);

/**
 * Converts a value for paths and expressions. A Date becomes milliseconds since 1970, so that a date is the same number in
 * an object, a column and a database. An invalid Date is not converted, so that an error can name it. Null is absent.
 */
export function asRead(value: unknown): unknown {
  if (!(value instanceof Date)) return value ?? undefined;
  const millis = value.getTime();
  return Number.isNaN(millis) ? value : millis;
}

/** The own value under a key; undefined if it is null or the container is not an object. */
export function ownValue(from: unknown, key: string | number): unknown {
  if (!isObject(from)) return undefined;
  if (Object.hasOwn(from, key)) return from[key] ?? undefined;
  return typeof key === 'number' && from instanceof KeyedMap ? from.at(key) : undefined;
}

/** Whether a value is a map as in YAML and JSON: an object that is not a list. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);

/** Sets an own key. `__proto__` becomes an ordinary key and never a prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
