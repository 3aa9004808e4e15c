import type { UnitMeta, LoadedPlugin, UnitClass } from '../../sdk/index.js';
import { isMap } from '../../expression/index.js';
import { type JsonSchemaNode, paramsJsonSchema } from '../../profile/index.js';
import { escapeInvisible } from '../../base/index.js';
import { paragraph, type Definition, titledDefinitions } from '../output/format.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';
import type { NamedUnit } from './catalogue.js';

/** A param of a unit. */
export interface UnitParam {
  /** Its key in a profile. */
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
      // JSON Schema lists a param with a default among the required ones.
      required: needed.includes(key) && schema['default'] === undefined,
      description: typeof description === 'string' ? description : undefined,
      schema,
    };
  });
}

/** The units of plugins as text: name, kind and summary. */
export function unitListText(plugins: readonly LoadedPlugin[], style: OutputStyle): string {
  return plugins
    .map(({ name, units }) => {
      const rows = Array.from(
        units,
        ([key, { meta }]): Definition => [key, escapeInvisible(`${meta.kind}: ${meta.summary}`)],
      );
      return titledDefinitions(name, rows, style);
    })
    .join('\n');
}

/** The units of plugins as JSON. */
export const unitListJson = (plugins: readonly LoadedPlugin[]): readonly object[] =>
  plugins.flatMap(({ name, units }) =>
    Array.from(units, ([key, { meta }]) => ({ plugin: name, name: key, kind: meta.kind, summary: meta.summary })),
  );

/** One unit as text: kind and summary, and each param with its type, default and description. */
export function unitText({ plugin, name, unit }: NamedUnit, { columns, colour }: OutputStyle) {
  const paint = createStyler(colour);
  const { summary, kind } = unit.meta;
  const head = `${paint('bold', name)}  ${kind} of ${plugin}${factsText(unit.meta)}\n${paragraph(escapeInvisible(summary), columns, '')}\n`;
  const params = unitParams(unit).map((param) => {
    const { key, description, schema } = param;
    const type = `${typeText(schema)}${defaultText(param)}`;
    const lines = [
      `  ${paint('bold', `${key}:`)} ${paragraph(type, columns, ' '.repeat(4 + key.length)).trimStart()}`,
      ...(description === undefined ? [] : [paragraph(escapeInvisible(description), columns, '    ')]),
    ];
    return `\n${lines.join('\n')}\n`;
  });
  return head + (params.length > 0 ? params.join('') : '\nThis class has no params.\n');
}

/** The declared range of the scores and the declared cost of one. */
function factsText({ range, cost }: UnitMeta): string {
  const bounds = typeof range === 'function' ? ', range depends on its params' : range && `, ${range.join(' to ')}`;
  const price =
    typeof cost === 'function'
      ? ', cost depends on its params'
      : cost === undefined
        ? ''
        : `, cost ${cost.toLocaleString('en-US')}`;
  return `${bounds ?? ''}${price}`;
}

const defaultText = ({ required, schema }: UnitParam): string =>
  schema['default'] === undefined ? (required ? ' (required)' : '') : ` = ${valueText(schema['default'])}`;

/** One unit as JSON, its params as a JSON Schema. */
export const unitJson = ({ plugin, name, unit }: NamedUnit): object => {
  const { kind, summary, range, cost } = unit.meta;
  return {
    plugin,
    name,
    kind,
    summary,
    ...(Array.isArray(range) && { range }),
    ...(typeof cost === 'number' && { cost }),
    params: paramsJsonSchema(unit.meta.params),
  };
};

type ParamSchema = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<string, string>> = { string: 'text', integer: 'whole number', boolean: 'true or false' };

/** The type of a JSON Schema in words: `text`, `path or list of path`, `{ type: window, max_age: duration }`. */
export function typeText(schema: unknown): string {
  if (!isMap(schema)) return 'anything';
  const { title, const: constant, enum: values, type } = schema;
  if (typeof title === 'string') return title;
  if (constant !== undefined) return valueText(constant);
  if (Array.isArray(values)) return either(values.map(valueText));
  const others = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(others)) return either(others.map(typeText));
  if (Array.isArray(type)) return either(type.map((one) => typeText({ type: one as unknown })));
  if (type === 'array') return `list of ${parenthesized(typeText(schema['items']))}`;
  if (type === 'object') return objectText(schema);
  return typeof type === 'string' ? (NAMES[type] ?? type) + boundsText(schema) : 'anything';
}

/** A value as YAML: a plain scalar if it needs no quotes, else JSON. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[\w./-]+$/.test(value) ? value : JSON.stringify(value);

const either = (parts: readonly string[]): string => [...new Set(parts)].join(' or ');

const parenthesized = (text: string): string => (text.includes(' or ') ? `(${text})` : text);

function objectText({ properties, required, additionalProperties }: ParamSchema): string {
  if (!isMap(properties) || Object.keys(properties).length === 0) {
    return isMap(additionalProperties) && Object.keys(additionalProperties).length > 0
      ? `map of ${parenthesized(typeText(additionalProperties))}`
      : 'map';
  }
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const parts = Object.entries(properties).map(
    ([key, value]) => `${key}${needed.includes(key) ? '' : '?'}: ${typeText(value)}`,
  );
  return `{ ${parts.join(', ')} }`;
}

/** The bounds of a number, without those of the safe integers. */
function boundsText({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ParamSchema): string {
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  if (typeof least === 'number' && typeof most === 'number') return ` from ${least} to ${most}`;
  const parts = [
    typeof least === 'number' ? `of at least ${least}` : '',
    typeof exclusiveMinimum === 'number' && Number.isSafeInteger(exclusiveMinimum) ? `above ${exclusiveMinimum}` : '',
    typeof most === 'number' ? `up to ${most}` : '',
    typeof exclusiveMaximum === 'number' && Number.isSafeInteger(exclusiveMaximum) ? `below ${exclusiveMaximum}` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? ` ${parts.join(' and ')}` : '';
}
