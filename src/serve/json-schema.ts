import * as z from 'zod';
import { isMap } from '../expression/index.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A Zod schema as JSON Schema 2020-12, which OpenAPI 3.1 and MCP accept unchanged. Objects of answers may have other
 * keys, so that clients of this version accept the answers of later ones.
 */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: describeDefault });
  const { $schema, ...rest } = isMap(generated) ? generated : {};
  void $schema;
  return rest;
}

/** Moves a default into the description: generators of clients make a key with a default a required one. */
function describeDefault({ jsonSchema: schema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.default === undefined) return;
  schema.description = `${schema.description ?? ''} Default: ${JSON.stringify(schema.default)}.`.trim();
  delete schema.default;
}
