import type { Meta, NamedPack } from '../../contract/index.js';
import { visible } from '../../document/visible.js';
import { paramsJsonSchema } from '../../profile/json-schema.js';
import { paragraph } from '../output/text.js';
import type { Look } from '../terminal/io.js';
import { painter } from '../terminal/paint.js';
import type { NamedUnit } from './catalogue.js';
import { type Definition, titled } from './definitions.js';
import { type Param, paramsOf } from './params.js';
import { typeText, valueText } from './type-text.js';

/** The units of some packs: name, kind and summary. */
export function listUnits(packs: readonly NamedPack[], look: Look): string {
  return packs
    .map(({ name, units }) => {
      const rows = Array.from(units, ([key, { meta }]): Definition => [key, visible(`${meta.kind}: ${meta.summary}`)]);
      return titled(name, rows, look);
    })
    .join('\n');
}

/** The same as data. */
export const unitsJson = (packs: readonly NamedPack[]): readonly object[] =>
  packs.flatMap(({ name, units }) =>
    Array.from(units, ([key, { meta }]) => ({ pack: name, name: key, kind: meta.kind, summary: meta.summary })),
  );

/** One unit: what it is, and each of its params with its type, its default and what it is for. */
export function listUnit({ pack, name, unit }: NamedUnit, { columns, colour }: Look) {
  const paint = painter(colour);
  const { summary, kind } = unit.meta;
  const head = `${paint('bold', name)}  ${kind} of ${pack}${factsText(unit.meta)}\n${paragraph(visible(summary), columns, '')}\n`;
  const params = paramsOf(unit).map((param) => {
    const { key, description, schema } = param;
    const type = `${typeText(schema)}${presence(param)}`;
    const lines = [
      `  ${paint('bold', `${key}:`)} ${paragraph(type, columns, ' '.repeat(4 + key.length)).trimStart()}`,
      ...(description === undefined ? [] : [paragraph(visible(description), columns, '    ')]),
    ];
    return `\n${lines.join('\n')}\n`;
  });
  return head + (params.length > 0 ? params.join('') : '\nIt has no params.\n');
}

/** What its scores may be, and what asking for one costs, where it says so. */
function factsText({ range, cost }: Meta): string {
  const bounds = typeof range === 'function' ? ', range by its params' : range && `, ${range.join(' to ')}`;
  const price =
    typeof cost === 'function'
      ? ', cost by its params'
      : cost === undefined
        ? ''
        : `, cost ${cost.toLocaleString('en-US')}`;
  return `${bounds ?? ''}${price}`;
}

const presence = ({ required, schema }: Param): string =>
  schema['default'] === undefined ? (required ? ' (required)' : '') : ` = ${valueText(schema['default'])}`;

/** One unit as JSON; its params as a JSON Schema. */
export const unitJson = ({ pack, name, unit }: NamedUnit): object => {
  const { kind, summary, range, cost } = unit.meta;
  return {
    pack,
    name,
    kind,
    summary,
    ...(Array.isArray(range) && { range }),
    ...(typeof cost === 'number' && { cost }),
    params: paramsJsonSchema(unit.meta.params),
  };
};
