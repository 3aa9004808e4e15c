import * as z from 'zod';
import type { DataPath } from '../../diagnostics/index.js';

type Schema = z.core.$ZodType;

/** A schema without its wrappers: those that allow absence, set defaults, or transform. */
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

/** The schemas of the value at a path: several where there are alternatives, none where any key is allowed. */
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
