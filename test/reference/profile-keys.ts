import { readFileSync } from 'node:fs';
import { root } from './documents.js';
import { rowText, tableOf } from './markdown-table.js';

/** A JSON Schema, limited to the parts that the table of keys reads. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: string | number | boolean | object;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

/** The keys of `params` depend on the class: `assize list CLASS` shows them. */
const OPAQUE = new Set(['params']);

/** The keys with expressions whose descriptions do not mention that. */
const EXPRESSIONS = new Set(['by', 'cost', 'duplicates', 'expr', 'pinned', 'ties', 'when']);

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['boolean', 'true or false'],
  ['integer', 'whole number'],
]);

const isOpen = (schema: Schema): schema is Schema & { readonly additionalProperties: Schema } =>
  typeof schema.additionalProperties === 'object';

function typeOf(schema: Schema): string {
  if (schema.title === 'duration') return 'duration';
  if (schema.type === 'string' && schema.anyOf) return 'class';
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  if (Array.isArray(schema.items)) return `list of ${schema.items.map(typeOf).join(' and ')}`;
  if (schema.type === 'array') return schema.items ? `list of ${typeOf(schema.items)}` : 'list';
  if (schema.type === 'object' || schema.properties) return 'map';
  if (schema.description === 'A CEL expression.') return 'CEL';
  return [schema.type ?? []]
    .flat()
    .map((name) => TYPE_WORDS.get(name) ?? name)
    .join(' or ');
}

/** A key of a profile; `fallback` is `required`, or its default as code, or empty. */
export type ProfileKey = readonly [key: string, type: string, fallback: string, description: string];

function* rowsOf(path: string, schema: Schema): Generator<ProfileKey> {
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const at = path === '' ? key : `${path}.${key}`;
    const fallback = value.default;
    const shown = fallback === undefined || typeof fallback === 'object' ? '' : `\`${String(fallback)}\``;
    const required = schema.required?.includes(key) ? 'required' : shown;
    yield [
      at,
      EXPRESSIONS.has(key) && value.type === 'string' ? 'CEL' : typeOf(value),
      required,
      value.description ?? '',
    ];
    if (!OPAQUE.has(key)) yield* nested(at, value);
  }
}

function* nested(path: string, schema: Schema): Generator<ProfileKey> {
  for (const part of schema.anyOf ?? [schema]) {
    if (part.properties) yield* rowsOf(path, part);
    else if (part.items && !Array.isArray(part.items)) yield* nested(`${path}[]`, part.items);
    else if (isOpen(part)) yield* nested(`${path}.*`, part.additionalProperties);
  }
}

/** A key of the items of a list, such as `signals[].id`. */
const ITEM_KEY = /^(\w+)\[\]\.(\w+)$/;

/** Every key of a profile with its type, its default and its effect, from the schema for editors. */
export const profileKeys = (): readonly ProfileKey[] => [
  ...rowsOf('', JSON.parse(readFileSync(`${root}config/profile.schema.json`, 'utf8')) as Schema),
];

/** A row as the items of several lists share it: without the list. */
const sharedProfileKey = ([key, ...rest]: ProfileKey): ProfileKey => [key.replace(ITEM_KEY, '$2'), ...rest];

interface Keys {
  /** The rows of keys that several lists share, each with these lists. */
  readonly shared: readonly { readonly row: ProfileKey; readonly lists: readonly string[] }[];
  readonly others: readonly ProfileKey[];
}

function readKeys(): Keys {
  const rows = profileKeys();
  const alike = new Map<string, ProfileKey[]>();
  for (const row of rows.filter(([key]) => ITEM_KEY.test(key))) {
    const name = JSON.stringify(sharedProfileKey(row));
    alike.set(name, [...(alike.get(name) ?? []), row]);
  }
  const shared = [...alike.values()].filter(({ length }) => length > 1);
  return {
    shared: shared.map((group) => ({
      row: sharedProfileKey(group[0]!),
      lists: group.map(([key]) => key.replace(ITEM_KEY, '$1')),
    })),
    others: rows.filter((row) => !shared.some((group) => group.includes(row))),
  };
}

/** The keys that items of several lists share. */
export function itemKeysTable(): string {
  const lines = readKeys().shared.map(({ row: [key, ...rest], lists }) =>
    rowText([`\`${key}\``, ...rest, lists.join(', ')]),
  );
  return tableOf(['key', 'type', 'default', '', 'in'], lines);
}

/** Every other key with its type, its default and its effect. */
export function profileKeysTable(): string {
  const lines = readKeys().others.map(([key, ...rest]) => rowText([`\`${key}\``, ...rest]));
  return tableOf(['key', 'type', 'default', ''], lines);
}
