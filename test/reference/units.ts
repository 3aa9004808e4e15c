import { typeText, type UnitParam, unitParams, valueText } from '../../src/cli/list/unit-text.js';
import type { UnitClass, UnitMeta } from 'assize/sdk';
import { rowText, tableOf } from './markdown-table.js';

type Units = readonly (readonly [name: string, unit: UnitClass])[];

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
  if (holdsOthers && scope === undefined && 'compile' in prototype) return 'as its scorers';
  const seen = scope ?? ('prepare' in prototype ? 'set' : 'candidate');
  return { candidate: 'one candidate', set: 'all candidates', sequence: 'all candidates, in order' }[seen];
}

function absentText({ kind, onAbsent }: UnitMeta): string {
  if (kind === 'veto') return onAbsent === 'refuse' ? 'refuse' : 'pass';
  return kind === 'scorer' ? String(onAbsent ?? 'skip') : '';
}

const UNIT_HEADS = ['kind', '', 'range', 'sees', 'abstaining'];

/** The facts of a unit, in the order of `UNIT_HEADS`. */
function factsOf(unit: UnitClass): readonly string[] {
  const { meta } = unit;
  const kind = `${meta.kind}${meta.memory ? ', with a memory' : ''}`;
  return [kind, meta.summary, rangeText(meta), scopeText(unit), absentText(meta)];
}

/** The facts of one unit as a table, without its purpose. */
export function factsTable(unit: UnitClass): string {
  const facts = factsOf(unit).map((value, index) => [UNIT_HEADS[index] ?? '', value] as const);
  const shown = facts.filter(([head, value]) => head !== '' && value !== '');
  return tableOf(
    shown.map(([head]) => head),
    [rowText(shown.map(([, value]) => value))],
  );
}

/** The units of a plugin: their purpose, their result and their scope. `pageOf` is the page of a unit, if it is another. */
export const unitsTable = (units: Units, pageOf: (unit: string) => string = () => ''): string =>
  tableOf(
    ['class', ...UNIT_HEADS],
    units.map(([name, unit]) => rowText([`[${name}](${pageOf(name)}#${name.toLowerCase()})`, ...factsOf(unit)])),
  );

function defaultText({ required, schema }: UnitParam): string {
  if (required) return 'required';
  return schema['default'] === undefined ? '' : `\`${valueText(schema['default'])}\``;
}

const PARAM_HEADS = ['param', 'type', 'default', ''];

/** The params of a unit as rows of a table, by key. */
const paramRows = (unit: UnitClass): ReadonlyMap<string, string> =>
  new Map(
    unitParams(unit).map((param) => {
      const { key, description = '', schema } = param;
      return [key, rowText([`\`${key}\``, typeText(schema), defaultText(param), description])];
    }),
  );

const paramTable = (rows: readonly string[]): string => tableOf(PARAM_HEADS, rows);

/** The rows of params that at least three units have in common. */
export function sharedParams(units: Units): readonly string[] {
  const rows = units.flatMap(([, unit]) => [...paramRows(unit).values()]);
  return [...new Set(rows)].filter((one) => rows.filter((other) => other === one).length >= 3);
}

export const sharedParamsTable = (shared: readonly string[]): string => paramTable(shared);

/** A unit's params and its reasons. The params that it shares with others are only named. */
export function paramsTable(unit: UnitClass, shared: readonly string[] = []): string {
  const rows = [...paramRows(unit)];
  const own = rows.filter(([, text]) => !shared.includes(text)).map(([, text]) => text);
  const others = rows.filter(([, text]) => shared.includes(text)).map(([key]) => `\`${key}\``);
  const reasons = Object.keys(unit.meta.reasons ?? {}).map((reason) => `\`${reason}\``);
  return [
    ...(rows.length === 0 ? ['It takes no params.'] : []),
    ...(own.length === 0 ? [] : [paramTable(own)]),
    ...(others.length === 0 ? [] : [`[Shared params](#shared-params): ${others.join(', ')}.`]),
    ...(reasons.length === 0 ? [] : [`Reasons: ${reasons.join(', ')}.`]),
  ].join('\n\n');
}
