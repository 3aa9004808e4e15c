import { typeText, type UnitParam, unitParams, valueText } from '../../src/cli/list/unit-text.js';
import type { UnitClass, UnitMeta } from 'assize/sdk';

type Units = readonly (readonly [name: string, unit: UnitClass])[];

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n');

const byParams = 'by its params';

function rangeText({ range, kind }: UnitMeta): string {
  if (kind !== 'scorer') return '';
  if (range === undefined) return 'not declared';
  return typeof range === 'function' ? byParams : `${range[0]} to ${range[1]}`;
}

/** The scope of a unit: the candidates that it must see to score one. */
function scopeText(unit: UnitClass): string {
  const { meta, prototype } = unit;
  if (meta.kind !== 'scorer' && meta.kind !== 'veto') return 'the run';
  const { scope } = meta;
  if (typeof scope === 'function') return byParams;
  const holdsOthers = unitParams(unit).some(({ schema }) => /\bentry|entries\b/.test(typeText(schema)));
  if (holdsOthers && scope === undefined && 'compile' in prototype) return 'what its entries see';
  const seen = scope ?? ('prepare' in prototype ? 'set' : 'candidate');
  return { candidate: 'one candidate', set: 'all candidates', sequence: 'all candidates, in order' }[seen];
}

function absentText({ kind, onAbsent }: UnitMeta): string {
  if (kind === 'veto') return onAbsent === 'refuse' ? 'refuse' : 'pass';
  return kind === 'scorer' ? String(onAbsent ?? 'skip') : '';
}

/** The units of a plugin: their purpose, their result and their scope. `pageOf` is the page of a unit, if it is another. */
export const unitsTable = (units: Units, pageOf: (unit: string) => string = () => ''): string =>
  table(
    ['unit', 'kind', '', 'range', 'sees', 'abstaining'],
    units.map(([name, unit]) => {
      const kind = `${unit.meta.kind}${unit.meta.memory ? ', with a memory' : ''}`;
      const link = `[${name}](${pageOf(name)}#${name.toLowerCase()})`;
      return [link, kind, unit.meta.summary, rangeText(unit.meta), scopeText(unit), absentText(unit.meta)];
    }),
  );

function defaultText({ required, schema }: UnitParam): string {
  if (required) return 'required';
  return schema['default'] === undefined ? '' : `\`${valueText(schema['default'])}\``;
}

/** A unit's params and its reasons. */
export function paramsTable(unit: UnitClass): string {
  const params = unitParams(unit);
  const reasons = Object.keys(unit.meta.reasons ?? {}).map((reason) => `\`${reason}\``);
  const rows = params.map((param) => {
    const { key, description = '', schema } = param;
    return [`\`${key}\``, typeText(schema), defaultText(param), description];
  });
  return [
    params.length === 0 ? 'It takes no params.' : table(['param', 'type', 'default', ''], rows),
    ...(reasons.length === 0 ? [] : [`Reasons: ${reasons.join(', ')}.`]),
  ].join('\n\n');
}
