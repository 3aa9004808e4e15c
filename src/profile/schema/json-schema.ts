import { z } from 'zod';
import type { LoadedPlugin, UnitKind } from '../../contract/index.js';
import { isMap } from '../../expression/is-map.js';
import { ID_PATTERN } from './entry-schemas.js';
import { profileSchema } from './profile-schema.js';

/** A JSON Schema, or a part of one. */
export type JsonSchemaNode = { [key: string]: unknown };

const isSchema = (value: unknown): value is JsonSchemaNode => isMap(value);

/** Where each kind of class stands in a profile. */
const UNIT_KIND_BY_KEY: Readonly<Record<string, UnitKind>> = {
  signals: 'signal',
  tier1_scorers: 'veto',
  measures: 'scorer',
  tier2_scorers: 'scorer',
  report: 'report',
};

/** An editor offers what it knows and accepts any other name: classes come from plugins, too. */
const openEnum = (names: readonly string[]): JsonSchemaNode => ({ anyOf: [{ enum: names }, { type: 'string' }] });

/** What params look like as they are written, for a class's schema. */
export function paramsJsonSchema(params: z.ZodType): JsonSchemaNode {
  const schema = z.toJSONSchema(params, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchemaNode;
  const { $schema: _, ...own } = schema;
  return own;
}

/** What the params of a class must look like, once the entry names it. */
function conditionalParams(name: string, summary: string, params: z.ZodType): JsonSchemaNode {
  return {
    if: { properties: { class: { const: name } }, required: ['class'] },
    then: { properties: { class: { description: summary }, params: paramsJsonSchema(params) } },
  };
}

function addUnitsToEntry(entry: JsonSchemaNode, kind: UnitKind, packs: readonly LoadedPlugin[]): void {
  const units = packs.flatMap((pack) => [...pack.units]).filter(([, unit]) => unit.meta.kind === kind);
  if (units.length === 0 || !isSchema(entry['properties'])) return;
  const { properties } = entry;
  properties['class'] = {
    ...(isSchema(properties['class']) && properties['class']),
    ...openEnum(units.map(([name]) => name)),
  };
  entry['allOf'] = units.map(([name, unit]) => conditionalParams(name, unit.meta.summary, unit.meta.params));
}

/** The schema of a profile, whatever its classes. */
export const profileBaseJsonSchema = (): JsonSchemaNode =>
  z.toJSONSchema(profileSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });

/**
 * The schema that editors check a profile with and complete it from: draft 7, which the YAML language server reads.
 *
 * @param packs the packs whose classes and params it should know
 */
export function profileJsonSchema(packs: readonly LoadedPlugin[]): JsonSchemaNode {
  const schema = profileBaseJsonSchema();
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  properties['scoring'] = { description: 'What may also stand at the root.', allOf: [{ $ref: '#' }] };
  for (const [key, kind] of Object.entries(UNIT_KIND_BY_KEY)) {
    const list = properties[key];
    if (isSchema(list) && isSchema(list['items'])) addUnitsToEntry(list['items'], kind, packs);
  }
  const { select } = properties;
  const places = isSchema(select) && isSchema(select['properties']) ? select['properties'] : {};
  for (const place of [places['pack'], places['place']]) if (isSchema(place)) addUnitsToEntry(place, 'selector', packs);
  return { ...schema, title: 'Assize profile', description: `Ids match ${ID_PATTERN}.` };
}
