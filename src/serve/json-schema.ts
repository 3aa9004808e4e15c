import * as z from 'zod';
import { isMap } from '../expression/index.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A Zod schema as JSON Schema 2020-12, which OpenAPI 3.1 and MCP accept unchanged. Objects of answers may have other
 * keys, so that clients of this version accept the answers of later ones.
 *
 * @param root the address of the schema in its document
 */
export function jsonSchema(schema: z.ZodType, root = '#'): JsonSchema {
  const generated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const { $schema, ...rest } = isMap(generated) ? generated : {};
  void $schema;
  // References of recursive schemas are relative to their document.
  const parsed: unknown = JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${root}/$defs/`));
  return isMap(parsed) ? parsed : {};
}
