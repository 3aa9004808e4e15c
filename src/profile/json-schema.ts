import { z } from 'zod';
import type { NamedPack, UnitKind } from '../contract/index.js';
import { ID } from './entry-schemas.js';
import { profileSchema } from './schema.js';

/** A JSON Schema, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where each kind of class stands in a profile. */
const PLACES: Readonly<Record<string, UnitKind>> = {
  signals: 'signal',
  tier1_scorers: 'veto',
  measures: 'scorer',
  tier2_scorers: 'scorer',
  report: 'report',
};

/** An editor offers what it knows and accepts any other name: classes come from plugins, too. */
const oneOfThese = (names: readonly string[]): JsonSchema => ({ anyOf: [{ enum: names }, { type: 'string' }] });

/** What params look like as they are written, for a class's schema. */
export function paramsJsonSchema(params: z.ZodType): JsonSchema {
  const schema = z.toJSONSchema(params, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { $schema: _, ...own } = schema;
  return own;
}

/** What the params of a class must look like, once the entry names it. */
function paramsOf(name: string, summary: string, params: z.ZodType): JsonSchema {
  return {
    if: { properties: { class: { const: name } }, required: ['class'] },
    then: { properties: { class: { description: summary }, params: paramsJsonSchema(params) } },
  };
}

function describeEntries(entry: JsonSchema, kind: UnitKind, packs: readonly NamedPack[]): void {
  const units = packs.flatMap((pack) => [...pack.units]).filter(([, unit]) => unit.meta.kind === kind);
  if (units.length === 0 || !isSchema(entry['properties'])) return;
  const { properties } = entry;
  properties['class'] = {
    ...(isSchema(properties['class']) && properties['class']),
    ...oneOfThese(units.map(([name]) => name)),
  };
  entry['allOf'] = units.map(([name, unit]) => paramsOf(name, unit.meta.summary, unit.meta.params));
}

/** The schema of a profile, whatever its classes. */
export const profileBaseSchema = (): JsonSchema =>
  z.toJSONSchema(profileSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });

/**
 * The schema that editors check a profile with and complete it from: draft 7, which the YAML language server reads.
 *
 * @param packs the packs whose classes and params it should know
 */
export function profileJsonSchema(packs: readonly NamedPack[]): JsonSchema {
  const schema = profileBaseSchema();
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  properties['scoring'] = { description: 'What may also stand at the root.', allOf: [{ $ref: '#' }] };
  for (const [key, kind] of Object.entries(PLACES)) {
    const list = properties[key];
    if (isSchema(list) && isSchema(list['items'])) describeEntries(list['items'], kind, packs);
  }
  const { select } = properties;
  const places = isSchema(select) && isSchema(select['properties']) ? select['properties'] : {};
  for (const place of [places['pack'], places['place']]) if (isSchema(place)) describeEntries(place, 'selector', packs);
  return { ...schema, title: 'Assize profile', description: `Ids match ${ID}.` };
}
