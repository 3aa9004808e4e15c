import { toAssizeError } from 'assize';
import { describeValue, isMap } from 'assize/sdk';

/**
 * Encodes plain data as lossless JSON. A value that JSON cannot express becomes an object with the key `$`. The numbers of
 * a typed array become base64 of their little-endian bytes. Strings, booleans, null, lists, maps and all other numbers
 * are written unchanged: reading a number that JavaScript wrote gives the same bits.
 *
 * | value | as JSON |
 * |---|---|
 * | NaN, −0, Infinity, −Infinity | `{ "$": "number", "is": "NaN" }`, `"-0"`, `"Infinity"`, `"-Infinity"` |
 * | undefined | `{ "$": "undefined" }` |
 * | a bigint | `{ "$": "bigint", "is": "123" }` |
 * | a Date | `{ "$": "date", "is": 0 }`, milliseconds since 1970; null if it is invalid |
 * | a Map | `{ "$": "map", "is": [[key, value], …] }` |
 * | a Float64Array | `{ "$": "doubles", "is": "AAAAAAAA8D8=" }` |
 * | a Uint32Array | `{ "$": "words", "is": "AQAAAA==" }` |
 * | a Uint8Array | `{ "$": "bytes", "is": "AQ==" }` |
 * | an object with a key `$` | `{ "$": "object", "is": [[key, value], …] }` |
 *
 * @throws AssizeError (ASZ580) with the path of a value that is not plain data: a function, an instance of a class, a cycle
 */
export const encode = (value: unknown): string => JSON.stringify(toJson(value, '', []));

/**
 * Decodes a value.
 *
 * @throws SyntaxError if `encode` cannot have written the text
 */
export const decode = (text: string): unknown => fromJson(JSON.parse(text));

const TAG = '$';

function toJson(value: unknown, path: string, outer: readonly object[]): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { [TAG]: 'number', is: Object.is(value, -0) ? '-0' : String(value) };
    case 'undefined':
      return { [TAG]: 'undefined' };
    case 'bigint':
      return { [TAG]: 'bigint', is: String(value) };
    case 'object':
      return value === null ? null : objectToJson(value, path, outer);
    case 'function':
    case 'symbol':
      throw notPlainError(value, path);
    default:
      return value;
  }
}

function objectToJson(value: object, path: string, outer: readonly object[]): unknown {
  if (outer.includes(value)) throw notPlainError(value, path, 'a circular reference');
  const inside = [...outer, value];
  const pairs = (entries: Iterable<readonly [unknown, unknown]>): unknown =>
    Array.from(entries, ([key, item]) => [
      toJson(key, `a key of ${path}`, inside),
      toJson(item, `${path}.${String(key)}`, inside),
    ]);
  if (Array.isArray(value)) return value.map((item, k) => toJson(item, `${path}[${k}]`, inside));
  if (value instanceof Date) return { [TAG]: 'date', is: Number.isNaN(value.getTime()) ? null : value.getTime() };
  if (value instanceof Map) return { [TAG]: 'map', is: pairs(value) };
  if (value instanceof Float64Array) return { [TAG]: 'doubles', is: doublesToText(value) };
  if (value instanceof Uint32Array) return { [TAG]: 'words', is: wordsToText(value) };
  if (value instanceof Uint8Array) return { [TAG]: 'bytes', is: Buffer.from(value).toString('base64') };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notPlainError(value, path);
  if (Object.hasOwn(value, TAG)) return { [TAG]: 'object', is: pairs(Object.entries(value)) };
  return withValues(Object.entries(value), (item, key) => toJson(item, path === '' ? key : `${path}.${key}`, inside));
}

/** An object with each value converted. Its key `__proto__` is an ordinary one. */
const withValues = (
  entries: readonly (readonly [key: string, value: unknown])[],
  convert: (value: unknown, key: string) => unknown,
): object => Object.fromEntries(entries.map(([key, value]) => [key, convert(value, key)]));

function notPlainError(value: unknown, path: string, what = describeValue(value)): Error {
  const message = `${path || 'the value'} is ${what}, which cannot be sent to another machine; expected plain data`;
  return toAssizeError([{ code: 'ASZ580', message, path }]);
}

function fromJson(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fromJson);
  if (!isMap(json)) return json;
  return Object.hasOwn(json, TAG)
    ? fromTagged(json[TAG], json['is'])
    : withValues(Object.entries(json), (item) => fromJson(item));
}

function fromTagged(kind: unknown, is: unknown): unknown {
  switch (kind) {
    case 'number':
      return Number(is);
    case 'undefined':
      return undefined;
    case 'bigint':
      return BigInt(String(is));
    case 'date':
      return new Date(is === null ? Number.NaN : Number(is));
    case 'map':
      return new Map(pairsOf(is));
    case 'doubles':
      return doublesOf(String(is));
    case 'words':
      return wordsOf(String(is));
    case 'bytes':
      return Uint8Array.from(Buffer.from(String(is), 'base64'));
    case 'object':
      return Object.fromEntries(pairsOf(is));
    default:
      throw new SyntaxError(`found a value of the unknown kind ${JSON.stringify(kind)}`);
  }
}

function pairsOf(json: unknown): readonly (readonly [unknown, unknown])[] {
  if (!Array.isArray(json)) throw new SyntaxError('expected a list of pairs');
  return json.map((pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw new SyntaxError('expected a pair of a key and a value');
    return [fromJson(pair[0]), fromJson(pair[1])];
  });
}

const DOUBLE_BYTES = 8;

function doublesToText(doubles: Float64Array): string {
  const bytes = Buffer.alloc(doubles.length * DOUBLE_BYTES);
  for (let k = 0; k < doubles.length; k++) bytes.writeDoubleLE(doubles[k]!, k * DOUBLE_BYTES);
  return bytes.toString('base64');
}

function doublesOf(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  return Float64Array.from({ length: Math.floor(bytes.length / DOUBLE_BYTES) }, (_, k) =>
    bytes.readDoubleLE(k * DOUBLE_BYTES),
  );
}

const WORD_BYTES = 4;

function wordsToText(words: Uint32Array): string {
  const bytes = Buffer.alloc(words.length * WORD_BYTES);
  for (let k = 0; k < words.length; k++) bytes.writeUInt32LE(words[k]!, k * WORD_BYTES);
  return bytes.toString('base64');
}

function wordsOf(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64');
  return Uint32Array.from({ length: Math.floor(bytes.length / WORD_BYTES) }, (_, k) =>
    bytes.readUInt32LE(k * WORD_BYTES),
  );
}
