import * as z from 'zod';
import type { UnitClass } from 'assize/sdk';
import { paramControls } from '../data/collect-data.js';
import {
  type Editing,
  type EntryOrigin,
  isMap,
  type ParamControl,
  type ParamField,
  paramsKey,
  PROFILE_KEYS,
  type ProfileDocument,
  type StudioData,
} from '../data/studio-data.js';
import { type FindClass, reachingParams } from './reaching.js';

/** The lists of a profile whose entries have ids, and the map of the selection. */
const NAMED = [
  'signals',
  'strategies',
  'tier1_scorers',
  'measures',
  'tier2_scorers',
  'adjustments',
  'report',
  'select',
  'let',
];
/** The lists whose entries may have a class with params that the page shows. */
const CLASS_LISTS = ['tier1_scorers', 'measures', 'tier2_scorers', 'signals', 'report'];

interface ProfileParts {
  readonly text: string;
  /** The data of the text, in which the keys of a profile are at the root. */
  readonly own: ProfileDocument;
  readonly inherited: ProfileDocument;
  readonly document: ProfileDocument;
}

/** The facts that a page needs to edit a profile. */
export function editingFacts({ text, own, inherited, document }: ProfileParts, find: FindClass): Editing {
  const originsOf = (inOwn: unknown, inBase: unknown, inDocument: unknown): Readonly<Record<string, EntryOrigin>> => {
    const [some, base, ids] = [namesIn(inOwn), namesIn(inBase), namesIn(inDocument)];
    const originOf = (id: string): EntryOrigin => (base.has(id) ? (some.has(id) ? 'amended' : 'inherited') : 'own');
    return Object.fromEntries([...ids].map((id) => [id, originOf(id)]));
  };
  const origins = [
    [PROFILE_KEYS, originsOf(own, inherited, document)] as const,
    ...NAMED.flatMap((list) => {
      const found = originsOf(own[list], inherited[list], document[list]);
      return Object.keys(found).length === 0 ? [] : [[list, found] as const];
    }),
  ];
  const params = classEntries(document, find).flatMap(({ list, id, unit, written }) => {
    const fields = unit ? paramFields(unit, written) : readOnlyFields(written);
    return fields.length === 0 ? [] : [[paramsKey(list, id), fields] as const];
  });
  // As JSON, because a profile may have dates.
  const data: Editing['document'] = JSON.parse(JSON.stringify(document));
  return { text, document: data, origins: Object.fromEntries(origins), params: Object.fromEntries(params) };
}

/** The numeric params of entries with loaded classes. */
export function entryControls(profile: ProfileDocument, find: FindClass): StudioData['controls'] {
  const controls: Record<string, readonly ParamControl[]> = {};
  for (const { list, id, unit, written } of classEntries(profile, find)) {
    if (paramsKey(list, id) !== id) continue;
    const reaches = reachingParams(unit);
    const found = unit ? paramControls(unit, written).filter(({ name }) => !reaches(name)) : [];
    if (found.length > 0) controls[id] = found;
  }
  return controls;
}

interface ClassEntry {
  readonly list: string;
  readonly id: string;
  /** Undefined if the class is not loaded. */
  readonly unit: UnitClass | undefined;
  readonly written: ProfileDocument;
}

function classEntries(profile: ProfileDocument, find: FindClass): readonly ClassEntry[] {
  return CLASS_LISTS.flatMap((key) => {
    const list: unknown = profile[key];
    return (Array.isArray(list) ? list : []).flatMap((entry: unknown): ClassEntry[] => {
      if (!isMap(entry) || typeof entry['class'] !== 'string') return [];
      const { id, class: name, params = {} } = entry;
      return isMap(params) ? [{ list: key, id: String(id), unit: find(name), written: params }] : [];
    });
  });
}

/** The part of a JSON Schema that describes a param. */
interface ParamSchema {
  readonly type?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[];
}

const schemaOf = (schema: unknown): ParamSchema => (isMap(schema) ? schema : {});

/** The numbers, texts, switches and lists of these among the params of an entry, at any depth of its maps. */
export function paramFields(unit: UnitClass, written: ProfileDocument): readonly ParamField[] {
  const schema = z.toJSONSchema(unit.meta.params, { io: 'input', unrepresentable: 'any' });
  const reaches = reachingParams(unit);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const param = schemaOf(property);
    const { default: fallback, description, enum: choices } = param;
    const value = Object.hasOwn(written, name) ? written[name] : isMap(fallback) ? undefined : fallback;
    const leaves = value === undefined && !isMap(fallback) ? unsetField(name, param) : leavesOf([name], value);
    return leaves.map((leaf) => ({
      ...leaf,
      ...(description !== undefined && { description }),
      ...(choices?.every((one) => typeof one === 'string') && { choices }),
      ...(reaches(name) && { readOnly: true as const }),
      ...formOf(param),
    }));
  });
}

/** The meaning of a text, by the title of its schema: `path`, `path or paths`, `expression`. */
const formOf = ({ title = '' }: ParamSchema): Pick<ParamField, 'form'> =>
  /^path(?! in )/.test(title) ? { form: 'path' } : title === 'expression' ? { form: 'expression' } : {};

/** A param that the profile does not set and that has no default; nothing if a form cannot edit its type. */
function unsetField(name: string, param: ParamSchema): readonly ParamField[] {
  const alternatives = (one: ParamSchema): readonly ParamSchema[] => [
    one,
    ...(one.anyOf ?? []).flatMap((other) => alternatives(schemaOf(other))),
  ];
  const forms = alternatives(param);
  const form = forms.find(({ type, items }) =>
    type === 'array' ? schemaOf(items).type === 'string' : type !== undefined,
  );
  const values: Readonly<Record<string, ParamField['value']>> = {
    number: 0,
    integer: 0,
    string: '',
    boolean: false,
    array: [],
  };
  const value = values[form?.type ?? ''];
  return value === undefined ? [] : [{ path: [name], value, isUnset: true }];
}

const readOnlyFields = (written: ProfileDocument): readonly ParamField[] =>
  Object.entries(written).flatMap(([name, value]) =>
    leavesOf([name], value).map((leaf) => ({ ...leaf, readOnly: true as const })),
  );

const isSingle = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** The single values and lists of single values in a param. Lists of lists, such as the points of a curve, are skipped. */
function leavesOf(path: ParamField['path'], value: unknown): readonly ParamField[] {
  if (isSingle(value)) return [{ path, value }];
  if (Array.isArray(value)) {
    if (value.every(isSingle)) return [{ path, value }];
    return value.flatMap((inner: unknown, k) => (isMap(inner) ? leavesOf([...path, k], inner) : []));
  }
  return isMap(value) ? Object.entries(value).flatMap(([key, inner]) => leavesOf([...path, key], inner)) : [];
}

/** The ids in a list, or the keys of a map. */
function namesIn(value: unknown): ReadonlySet<string> {
  if (isMap(value)) return new Set(Object.keys(value));
  return new Set(Array.isArray(value) ? value.flatMap((one: unknown) => (isMap(one) ? [String(one['id'])] : [])) : []);
}
