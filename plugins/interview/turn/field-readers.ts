import { isMap, ownValue, typeMismatch } from '../../../src/sdk.js';

/** A map of the context, the signals or a candidate. */
export type Fields = Readonly<Record<string, unknown>>;

/*
 * Readers of maps that a caller gave. Each reads an own key; absent and null are `undefined` or the empty value, and a
 * value of another type is a TypeError that names its path, of which `where` is the part before the key.
 */

/** A value as a map; undefined where it is absent. */
export function asFields(value: unknown, where: string): Fields | undefined {
  if (value === undefined || value === null) return undefined;
  if (isMap(value)) return value;
  throw typeMismatch(where, 'a map', value);
}

export const mapAt = (fields: Fields | undefined, key: string, where: string): Fields | undefined =>
  asFields(ownValue(fields, key), `${where}.${key}`);

/** The list under a key; empty where it is absent. */
export function listAt(fields: Fields | undefined, key: string, where: string): readonly unknown[] {
  const value = ownValue(fields, key) ?? [];
  if (Array.isArray(value)) return value;
  throw typeMismatch(`${where}.${key}`, 'a list', value);
}

/** Whether there is a list under a key. */
export const hasList = (fields: Fields | undefined, key: string): boolean => Array.isArray(ownValue(fields, key));

export function textAt(fields: Fields | undefined, key: string, where: string): string | undefined {
  const value = ownValue(fields, key);
  if (value === undefined || typeof value === 'string') return value;
  throw typeMismatch(`${where}.${key}`, 'a string', value);
}

/** The finite number under a key. */
export function numberAt(fields: Fields | undefined, key: string, where: string): number | undefined {
  const value = ownValue(fields, key);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw typeMismatch(`${where}.${key}`, 'a finite number', value);
}

/** The boolean under a key; false where it is absent. */
export function flagAt(fields: Fields | undefined, key: string, where: string): boolean {
  const value = ownValue(fields, key) ?? false;
  if (typeof value === 'boolean') return value;
  throw typeMismatch(`${where}.${key}`, 'true or false', value);
}

/** An id as text, which may be given as a number. An empty one counts as absent: every text would contain it. */
function asId(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw typeMismatch(where, 'an id (a string or a number)', value);
}

export const idAt = (fields: Fields | undefined, key: string, where: string): string | undefined =>
  asId(ownValue(fields, key), `${where}.${key}`);

/** The ids of a list; empty where it is absent. */
export const idsAt = (fields: Fields | undefined, key: string, where: string): readonly string[] =>
  listAt(fields, key, where).flatMap((item, i) => asId(item, `${where}.${key}[${i}]`) ?? []);
