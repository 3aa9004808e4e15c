import { describeValue } from '../../../src/sdk.js';

/** A map as somebody gave it. */
export type Fields = Readonly<Record<string, unknown>>;

/*
 * The context and the candidates are whatever a caller gave. These readers say what was expected where; absent and
 * null are never an error.
 */

const mistyped = (where: string, expected: string, value: unknown): TypeError =>
  new TypeError(`${where}: expected ${expected}, found ${describeValue(value)}`);

/** A map; undefined where there is none. */
export function asFields(value: unknown, where: string): Fields | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Fields;
  throw mistyped(where, 'a map', value);
}

const ownField = (fields: Fields | undefined, key: string): unknown =>
  fields !== undefined && Object.hasOwn(fields, key) ? (fields[key] ?? undefined) : undefined;

export const mapAt = (fields: Fields | undefined, key: string, where: string): Fields | undefined =>
  asFields(ownField(fields, key), `${where}.${key}`);

/** A list; empty where there is none. */
export function listAt(fields: Fields | undefined, key: string, where: string): readonly unknown[] {
  const value = ownField(fields, key) ?? [];
  if (Array.isArray(value)) return value;
  throw mistyped(`${where}.${key}`, 'a list', value);
}

/** Whether there is a list. */
export const hasList = (fields: Fields | undefined, key: string): boolean => Array.isArray(ownField(fields, key));

export function textAt(fields: Fields | undefined, key: string, where: string): string | undefined {
  const value = ownField(fields, key);
  if (value === undefined || typeof value === 'string') return value;
  throw mistyped(`${where}.${key}`, 'a string', value);
}

export function numberAt(fields: Fields | undefined, key: string, where: string): number | undefined {
  const value = ownField(fields, key);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw mistyped(`${where}.${key}`, 'a finite number', value);
}

export function flagAt(fields: Fields | undefined, key: string, where: string): boolean {
  const value = ownField(fields, key) ?? false;
  if (typeof value === 'boolean') return value;
  throw mistyped(`${where}.${key}`, 'true or false', value);
}

/** An id, which may be a number: compared as text. An empty one is none: every text would contain it. */
function asId(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw mistyped(where, 'an id (a string or a number)', value);
}

export const idAt = (fields: Fields | undefined, key: string, where: string): string | undefined =>
  asId(ownField(fields, key), `${where}.${key}`);

/** A list of ids. */
export const idsAt = (fields: Fields | undefined, key: string, where: string): readonly string[] =>
  listAt(fields, key, where).flatMap((item, i) => asId(item, `${where}.${key}[${i}]`) ?? []);
