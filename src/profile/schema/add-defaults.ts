import { isMap } from '../../expression/is-map.js';
import { setOwn } from '../../expression/set-own.js';
import type { JsonSchemaNode } from './json-schema.js';

const isWritableMap = (value: unknown): value is Record<string, unknown> => isMap(value);

/** An empty list says nothing that its absence doesn't. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/**
 * Says in data what it doesn't say and its schema does: the defaults of keys, at any depth that the schema knows for
 * certain. What it adds has no place.
 */
export function addDefaults(data: unknown, schema: unknown): void {
  if (!isMap(schema)) return;
  if (Array.isArray(data)) for (const item of data) addDefaults(item, schema['items']);
  const { properties } = schema;
  if (!isWritableMap(data) || !isMap(properties)) return;
  for (const [key, property] of Object.entries(properties) as [string, JsonSchemaNode][]) {
    if (Object.hasOwn(data, key)) addDefaults(data[key], property);
    else if (property['default'] !== undefined && !isEmpty(property['default'])) setOwn(data, key, property['default']);
  }
}
