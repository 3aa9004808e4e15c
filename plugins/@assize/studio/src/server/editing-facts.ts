import * as z from 'zod';
import type { UnitClass } from 'assize/sdk';
import { paramControls } from '../data/collect-data.js';
import {
  type Editing,
  type EntryOrigin,
  isMap,
  type ParamControl,
  type ParamField,
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
];
/** The lists whose entries may have a class with params that the page shows. */
const CLASS_LISTS = ['tier1_scorers', 'measures', 'tier2_scorers'];

interface ProfileParts {
  readonly text: string;
  /** The data of the text, in which the keys of a profile are at the root. */
  readonly own: ProfileDocument;
  readonly inherited: ProfileDocument;
  readonly document: ProfileDocument;
}

/** The facts that a page needs to edit a profile. */
export function editingFacts({ text, own, inherited, document }: ProfileParts, find: FindClass): Editing {
  const origins = NAMED.flatMap((list) => {
    const [inOwn, inBase, ids] = [namesIn(own[list]), namesIn(inherited[list]), namesIn(document[list])];
    const originOf = (id: string): EntryOrigin => (inBase.has(id) ? (inOwn.has(id) ? 'amended' : 'inherited') : 'own');
    return ids.size === 0 ? [] : [[list, Object.fromEntries([...ids].map((id) => [id, originOf(id)]))] as const];
  });
  const params = classEntries(document, find).flatMap(({ id, unit, written }) => {
    const fields = unit ? paramFields(unit, written) : readOnlyFields(written);
    return fields.length === 0 ? [] : [[id, fields] as const];
  });
  // As JSON, because a profile may have dates.
  const data: Editing['document'] = JSON.parse(JSON.stringify(document));
  return { text, document: data, origins: Object.fromEntries(origins), params: Object.fromEntries(params) };
}

/** The numeric params of entries with loaded classes. */
export function entryControls(profile: ProfileDocument, find: FindClass): StudioData['controls'] {
  const controls: Record<string, readonly ParamControl[]> = {};
  for (const { id, unit, written } of classEntries(profile, find)) {
    const reaches = reachingParams(unit);
    const found = unit ? paramControls(unit, written).filter(({ name }) => !reaches(name)) : [];
    if (found.length > 0) controls[id] = found;
  }
  return controls;
}

interface ClassEntry {
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
      return isMap(params) ? [{ id: String(id), unit: find(name), written: params }] : [];
    });
  });
}

/** The part of a JSON Schema that describes a param of one value. */
interface ParamSchema {
  readonly default?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
}

/** The numbers, texts and switches among the params of an entry, at any depth of its maps. */
function paramFields(unit: UnitClass, written: ProfileDocument): readonly ParamField[] {
  const schema = z.toJSONSchema(unit.meta.params, { io: 'input', unrepresentable: 'any' });
  const reaches = reachingParams(unit);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const {
      default: fallback,
      description,
      enum: choices,
    } = (typeof property === 'object' ? property : {}) as ParamSchema;
    const value = Object.hasOwn(written, name) ? written[name] : isMap(fallback) ? undefined : fallback;
    return leavesOf([name], value).map((leaf) => ({
      ...leaf,
      ...(description !== undefined && { description }),
      ...(choices?.every((one) => typeof one === 'string') && { choices }),
      ...(reaches(name) && { readOnly: true as const }),
    }));
  });
}

const readOnlyFields = (written: ProfileDocument): readonly ParamField[] =>
  Object.entries(written).flatMap(([name, value]) =>
    leavesOf([name], value).map((leaf) => ({ ...leaf, readOnly: true as const })),
  );

/** The single values in a param. Lists are edited as text. */
function leavesOf(path: readonly string[], value: unknown): readonly ParamField[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [{ path, value }];
  return isMap(value) ? Object.entries(value).flatMap(([key, inner]) => leavesOf([...path, key], inner)) : [];
}

/** The ids in a list, or the keys of a map. */
function namesIn(value: unknown): ReadonlySet<string> {
  if (isMap(value)) return new Set(Object.keys(value));
  return new Set(Array.isArray(value) ? value.flatMap((one: unknown) => (isMap(one) ? [String(one['id'])] : [])) : []);
}
