import type { UnitClass } from '../../contract/index.js';
import { z } from '../../sdk.js';
import type { ParamControl } from './studio-data.js';

/** What a JSON Schema says of a number. */
interface NumberSchema {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** The params of an entry that are numbers: those that it writes, and those that have a default. */
export function paramControls(unit: UnitClass, written: Readonly<Record<string, unknown>>): readonly ParamControl[] {
  const schema = z.toJSONSchema(unit.meta.params, { io: 'input', unrepresentable: 'any' });
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]): ParamControl[] => {
    if (typeof property !== 'object') return [];
    const { type, minimum, maximum, exclusiveMinimum, default: fallback, description } = property as NumberSchema;
    const value = Object.hasOwn(written, name) ? written[name] : fallback;
    if ((type !== 'number' && type !== 'integer') || typeof value !== 'number') return [];
    const least = minimum ?? exclusiveMinimum;
    return [
      {
        name,
        value,
        ...(description !== undefined && { description }),
        ...(isBound(least) && { least }),
        ...(isBound(maximum) && { most: maximum }),
        ...(type === 'integer' && { whole: true }),
      },
    ];
  });
}

/** Zod writes the limits of safe integers where there are none. */
const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
