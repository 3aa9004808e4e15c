import * as z from 'zod';
import { childShape, type UnitKind, type LoadedPlugin } from '../../sdk/index.js';
import type { DataPath } from '../../base/index.js';
import { isMap } from '../../expression/index.js';
import { ID_PATTERN } from './entry-schemas.js';
import { profileSchema } from './profile-schema.js';

/** A JSON Schema, or a part of one. */
export type JsonSchemaNode = { [key: string]: unknown };

/** Whether a value is a map that can be modified. */
export const isSchemaNode = (value: unknown): value is JsonSchemaNode => isMap(value);

/** The kind of class that each list of a profile holds. */
const UNIT_KIND_BY_KEY: Readonly<Record<string, UnitKind>> = {
  signals: 'signal',
  tier1_scorers: 'veto',
  measures: 'scorer',
  tier2_scorers: 'scorer',
  report: 'report',
};

/** A type for which editors suggest these names but accept any other, because plugins add classes. */
const openEnum = (names: readonly string[]): JsonSchemaNode => ({ anyOf: [{ enum: names }, { type: 'string' }] });

/** The JSON Schema of a class's params as they are written in a profile. */
export function paramsJsonSchema(params: z.ZodType): JsonSchemaNode {
  const schema = z.toJSONSchema(params, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchemaNode;
  const { $schema: _, ...own } = schema;
  return own;
}

/** The rule that checks the params of an entry with this class. */
function conditionalParams(name: string, summary: string, params: z.ZodType): JsonSchemaNode {
  return {
    if: { properties: { class: { const: name } }, required: ['class'] },
    then: { properties: { class: { description: summary }, params: paramsJsonSchema(params) } },
  };
}

function addUnitsToEntry(entry: JsonSchemaNode, kind: UnitKind, plugins: readonly LoadedPlugin[]): void {
  const units = plugins.flatMap((plugin) => [...plugin.units]).filter(([, unit]) => unit.meta.kind === kind);
  if (units.length === 0 || !isSchemaNode(entry['properties'])) return;
  const { properties } = entry;
  properties['class'] = {
    ...(isSchemaNode(properties['class']) && properties['class']),
    ...openEnum(units.map(([name]) => name)),
  };
  entry['allOf'] = units.map(([name, unit]) => conditionalParams(name, unit.meta.summary, unit.meta.params));
}

/** The JSON Schema of a profile without its classes. */
export const profileBaseJsonSchema = (): JsonSchemaNode =>
  z.toJSONSchema(profileSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });

/**
 * The JSON Schema with which editors check and complete a profile: draft 7, because the YAML language server reads it.
 *
 * @param plugins the plugins whose classes and params are included
 */
export function profileJsonSchema(plugins: readonly LoadedPlugin[]): JsonSchemaNode {
  const schema = profileBaseJsonSchema();
  const properties = isSchemaNode(schema['properties']) ? schema['properties'] : {};
  properties['scoring'] = { description: 'Any keys of the root, as a group.', allOf: [{ $ref: '#' }] };
  for (const [key, kind] of Object.entries(UNIT_KIND_BY_KEY)) {
    const list = properties[key];
    if (isSchemaNode(list) && isSchemaNode(list['items'])) addUnitsToEntry(list['items'], kind, plugins);
  }
  const { select, strategies } = properties;
  const strategy = isSchemaNode(strategies) && isSchemaNode(strategies['items']) ? strategies['items'] : {};
  const focus = isSchemaNode(strategy['properties']) ? strategy['properties']['focus'] : undefined;
  if (isSchemaNode(focus)) addUnitsToEntry(focus, 'generator', plugins);
  const selectors = isSchemaNode(select) && isSchemaNode(select['properties']) ? select['properties'] : {};
  for (const entry of [selectors['diversify'], selectors['pack'], selectors['place']])
    if (isSchemaNode(entry)) addUnitsToEntry(entry, 'selector', plugins);
  return { ...schema, title: 'Assize profile', description: `Ids match ${ID_PATTERN}.` };
}

/** The JSON Schema of an entry among params: a scorer, or a selector inside a selector. */
export function childJsonSchema(kind: 'scorer' | 'selector', plugins: readonly LoadedPlugin[]): JsonSchemaNode {
  const shape = kind === 'scorer' ? childShape : childShape.pick({ class: true, params: true });
  const schema = paramsJsonSchema(shape);
  addUnitsToEntry(schema, kind, plugins);
  return schema;
}

type Schema = z.core.$ZodType;

/** A schema without the wrappers that allow absence, set defaults, or transform. */
export function unwrapSchema(schema: Schema): Schema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  ) {
    return unwrapSchema(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? unwrapSchema(schema.in) : schema;
}

/** The schemas of the value at a path: several if there are alternatives, none if any key is allowed. */
export function schemasAt(schema: Schema | undefined, path: DataPath): Schema[] {
  if (schema === undefined) return [];
  const here = unwrapSchema(schema);
  if (here instanceof z.ZodUnion) return here.options.flatMap((option) => schemasAt(option, path));
  const [key, ...rest] = path;
  if (key === undefined) return [here];
  if (here instanceof z.ZodArray) return schemasAt(here.element, rest);
  if (here instanceof z.ZodRecord) return schemasAt(here.valueType, rest);
  return here instanceof z.ZodObject && Object.hasOwn(here.shape, key) ? schemasAt(here.shape[key], rest) : [];
}

/** The keys that a map at a path may have, for "did you mean". */
export const keysAt = (schema: Schema, path: DataPath): string[] =>
  schemasAt(schema, path).flatMap((found) => (found instanceof z.ZodObject ? Object.keys(found.shape) : []));

/** The keys of a map that its schema marks as deprecated: `.meta({ deprecated: true })`. */
export function deprecatedKeys(schema: Schema, value: unknown): string[] {
  const here = unwrapSchema(schema);
  if (!(here instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  return Object.keys(value).filter((key) => {
    const of: unknown = Object.hasOwn(here.shape, key) ? here.shape[key] : undefined;
    return of instanceof z.ZodType && of.meta()?.deprecated === true;
  });
}
