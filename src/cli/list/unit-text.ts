import type { LoadedPlugin, UnitMeta } from '../../contract/index.js';
import { paramsJsonSchema } from '../../profile/schema/json-schema.js';
import { escapeInvisible } from '../../text/escape-invisible.js';
import { paragraph } from '../output/text.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';
import type { NamedUnit } from './catalogue.js';
import { type Definition, titledDefinitions } from './definition-list.js';
import { typeText, valueText } from './type-text.js';
import { type UnitParam, unitParams } from './unit-params.js';

/** The units of some packs: name, kind and summary. */
export function unitListText(packs: readonly LoadedPlugin[], look: OutputStyle): string {
  return packs
    .map(({ name, units }) => {
      const rows = Array.from(
        units,
        ([key, { meta }]): Definition => [key, escapeInvisible(`${meta.kind}: ${meta.summary}`)],
      );
      return titledDefinitions(name, rows, look);
    })
    .join('\n');
}

/** The same as data. */
export const unitListJson = (packs: readonly LoadedPlugin[]): readonly object[] =>
  packs.flatMap(({ name, units }) =>
    Array.from(units, ([key, { meta }]) => ({ pack: name, name: key, kind: meta.kind, summary: meta.summary })),
  );

/** One unit: what it is, and each of its params with its type, its default and what it is for. */
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

/** What its scores may be, and what asking for one costs, where it says so. */
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

/** One unit as JSON; its params as a JSON Schema. */
export const unitJson = ({ plugin, name, unit }: NamedUnit): object => {
  const { kind, summary, range, cost } = unit.meta;
  return {
    pack: plugin,
    name,
    kind,
    summary,
    ...(Array.isArray(range) && { range }),
    ...(typeof cost === 'number' && { cost }),
    params: paramsJsonSchema(unit.meta.params),
  };
};
