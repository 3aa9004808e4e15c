import type { UnitClass } from '../../contract/index.js';
import { type JsonSchemaNode, paramsJsonSchema } from '../../profile/schema/json-schema.js';

/** A param of a unit. */
export interface UnitParam {
  /** Its name, as a profile writes it. */
  readonly key: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: JsonSchemaNode;
}

/** The params of a unit, in the order in which it declares them. */
export function unitParams({ meta }: UnitClass): readonly UnitParam[] {
  const { properties, required } = paramsJsonSchema(meta.params);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchemaNode>>).map(([key, schema]) => {
    const { description } = schema;
    return {
      key,
      // A param with a default is never required, whatever else is said of it.
      required: needed.includes(key) && schema['default'] === undefined,
      description: typeof description === 'string' ? description : undefined,
      schema,
    };
  });
}
