import type { LoadedPlugin, UnitClass, UnitMeta } from '../../contract/index.js';
import { type JsonSchemaNode, paramsJsonSchema } from '../../profile/schema/json-schema.js';
import { escapeInvisible } from '../../text/wrap.js';
import { paragraph } from '../output/format.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';
import type { NamedUnit } from './catalogue.js';
import { type Definition, titledDefinitions } from './definition-list.js';
import { typeText, valueText } from './type-text.js';

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
  return head + (params.length > 0 ? params.join('') : '\nIt has no params.\n');
}

/** The declared range of the scores and the declared cost of one. */
function factsText({ range, cost }: UnitMeta): string {
  const bounds = typeof range === 'function' ? ', range by its params' : range && `, ${range.join(' to ')}`;
  const price =
    typeof cost === 'function'
      ? ', cost by its params'
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
