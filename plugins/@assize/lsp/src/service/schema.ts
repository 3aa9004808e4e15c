import type { DescribedProfile } from 'assize/language';
import { type Path, valueAtPath } from './types.js';

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemasIn = (list: unknown): readonly Schema[] => (Array.isArray(list) ? list.filter(isSchema) : []);

/** The schemas of a value, and the kind of the class that it is a part of. */
export interface Found {
  readonly schemas: readonly Schema[];
  readonly inSelector: boolean;
}

/** Follows the JSON Schema of a profile along a path of its data. The data chooses between alternatives. */
export class SchemaWalk {
  constructor(private readonly profile: DescribedProfile) {}

  /** The schemas of the value at a path. Alternatives that the data excludes are left out. */
  at(path: Path): Found {
    const { schema, own } = this.profile;
    let found: Found = { schemas: this.#expand([schema], own), inSelector: false };
    let value: unknown = own;
    for (const key of path) {
      const next = found.schemas.flatMap((one) => step(one, key));
      const inSelector = found.inSelector || this.#isSelector(value);
      value = valueAtPath(value, [key]);
      const children = next.map((one) => (one['title'] === 'entry' ? this.#childOf(one, inSelector) : one));
      found = { schemas: this.#expand(children, value), inSelector };
    }
    return found;
  }

  /** The schemas of a key: those of its value, with the text that describes it. */
  ofKey(path: Path): readonly Schema[] {
    const map = this.at(path.slice(0, -1)).schemas;
    return map.flatMap((one) => step(one, path.at(-1) ?? ''));
  }

  #isSelector(value: unknown): boolean {
    const name = isSchema(value) && typeof value['class'] === 'string' ? value['class'] : undefined;
    return name !== undefined && this.profile.classes.some((one) => isNamed(one, name) && one.kind === 'selector');
  }

  #childOf(schema: Schema, inSelector: boolean): Schema {
    const child: Schema = this.profile.childSchema(inSelector ? 'selector' : 'scorer');
    return { ...child, description: schema['description'] ?? child['description'] };
  }

  /** Replaces references, alternatives and conditions by the schemas that may apply to a value. */
  #expand(schemas: readonly Schema[], value: unknown, depth = 0): readonly Schema[] {
    if (depth > MOST_NESTED) return [];
    return schemas.flatMap((one): readonly Schema[] => {
      const { $ref: ref, anyOf, oneOf, allOf } = one;
      if (typeof ref === 'string') {
        const target = ref === '#' ? this.profile.schema : this.#definition(ref);
        return isSchema(target) ? this.#expand([target], value, depth + 1) : [];
      }
      const alternatives = matching([...schemasIn(anyOf), ...schemasIn(oneOf)], value);
      const conditions = schemasIn(allOf).flatMap((part) => thenOf(part, value));
      return [one, ...this.#expand([...alternatives, ...conditions], value, depth + 1)];
    });
  }

  #definition(ref: string): unknown {
    const [, name = ''] = /^#\/definitions\/(.*)$/.exec(ref) ?? [];
    return valueAtPath(this.profile.schema, ['definitions', name]);
  }
}

/** More than schemas nest references and alternatives. */
const MOST_NESTED = 10;

/** Whether a name in a profile means a class: `DecayScorer`, or `core/DecayScorer`. */
export const isNamed = (
  { name, plugin }: { readonly name: string; readonly plugin: string },
  written: string,
): boolean => written === name || written === `${plugin}/${name}`;

/** A part of `allOf`: a schema, or one that applies if the data has a certain class. */
function thenOf(part: Schema, value: unknown): readonly Schema[] {
  if (!isSchema(part['if'])) return [part];
  const wanted = valueAtPath(part['if'], ['properties', 'class', 'const']);
  const written = valueAtPath(value, ['class']);
  if (typeof written !== 'string' || typeof wanted !== 'string') return [];
  const isWanted = written === wanted || written.endsWith(`/${wanted}`);
  return isWanted && isSchema(part['then']) ? [part['then']] : [];
}

/** The alternatives without those whose constants contradict the data: `type: window` excludes other curves. */
function matching(alternatives: readonly Schema[], value: unknown): readonly Schema[] {
  if (!isSchema(value)) return alternatives;
  const kept = alternatives.filter(({ properties }) =>
    Object.entries(isSchema(properties) ? properties : {}).every(([key, property]) => {
      const allowed = isSchema(property) ? constantsOf(property) : [];
      const written = Object.hasOwn(value, key) ? value[key] : undefined;
      return allowed.length === 0 || written === undefined || written === null || allowed.includes(written);
    }),
  );
  return kept.length > 0 ? kept : alternatives;
}

/** The schemas of a key of a map, or of an item of a list. */
function step(schema: Schema, key: string | number): readonly Schema[] {
  const { properties, additionalProperties, items } = schema;
  if (typeof key === 'number') {
    return Array.isArray(items) ? schemasIn([items[key]]) : isSchema(items) ? [items] : [];
  }
  const own = isSchema(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (isSchema(own)) return [own];
  return isSchema(additionalProperties) ? [additionalProperties] : [];
}

/** The keys that a map may have, with the schema of each and whether it is required. */
export function keysOf(schemas: readonly Schema[]): ReadonlyMap<string, { schemas: Schema[]; required: boolean }> {
  const keys = new Map<string, { schemas: Schema[]; required: boolean }>();
  for (const { properties, required } of schemas) {
    for (const [key, schema] of Object.entries(isSchema(properties) ? properties : {})) {
      if (!isSchema(schema)) continue;
      const known = keys.get(key) ?? { schemas: [], required: false };
      keys.set(key, known);
      known.schemas.push(schema);
      if (Array.isArray(required) && required.includes(key)) known.required = true;
    }
  }
  return keys;
}

/** The values that a schema lists. */
export function constantsOf(schema: Schema): readonly unknown[] {
  const { const: constant, enum: listed } = schema;
  return [...(constant === undefined ? [] : [constant]), ...(Array.isArray(listed) ? (listed as unknown[]) : [])];
}

/** The texts that describe a value. */
export const describedBy = (schemas: readonly Schema[]): readonly string[] => [
  ...new Set(schemas.flatMap(({ description }) => (typeof description === 'string' ? [description] : []))),
];

/** The types of a value as people name them: `number or CEL`, `list of map`. */
export function typeText(schemas: readonly Schema[], isExpression = false): string {
  const types = new Set(isExpression ? ['CEL'] : []);
  for (const one of schemas) for (const type of typesOf(one, isExpression)) types.add(type);
  return [...types].join(' or ');
}

const NAMES: Readonly<Record<string, string>> = {
  object: 'map',
  array: 'list',
  integer: 'whole number',
  boolean: 'true or false',
  string: 'text',
};

function typesOf(schema: Schema, isExpression: boolean): readonly string[] {
  const { title, type, anyOf, oneOf } = schema;
  if (title === 'entry') return ['entry'];
  if (title === 'expression' || schema['description'] === 'A CEL expression.') return ['CEL'];
  if (typeof title === 'string' && type !== 'object') return [title];
  const constants = constantsOf(schema);
  if (constants.length > 0) return constants.map((one) => `\`${String(one)}\``);
  const alternatives = [...schemasIn(anyOf), ...schemasIn(oneOf)];
  if (alternatives.length > 0) return alternatives.flatMap((one) => typesOf(one, isExpression));
  return [type].flat().flatMap((one) => {
    if (typeof one !== 'string' || (isExpression && one === 'string')) return [];
    return [NAMES[one] ?? one];
  });
}
