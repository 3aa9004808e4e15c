import { type CurvePoints, paramsKey, type ParamField, type StudioData } from '../../data/studio-data.js';
import {
  type DataEdit,
  type FileEdit,
  isJsonMap,
  type JsonData,
  type JsonMap,
  withEdit,
} from '../../save/data-edit.js';
import { NOTHING_SET } from '../settings/settings.js';
import { type EntryList, entryIn } from '../settings/structure.js';
import { classProfile } from './class-profile.js';

/** The lists whose entries have params that the page may compute by. */
const LISTS: readonly EntryList[] = ['tier1_scorers', 'measures', 'tier2_scorers'];

/** An edit of a param of an entry with a class. */
interface ParamEdit {
  readonly edit: DataEdit;
  readonly list: EntryList;
  readonly id: string;
  /** The keys and positions in the params. */
  readonly path: ParamField['path'];
}

/** The edits before the last ones that are of params, and these. */
export function splitEdits(
  edits: readonly FileEdit[],
): readonly [others: readonly FileEdit[], params: readonly ParamEdit[]] {
  const parsed = edits.map(paramEditOf);
  const start = parsed.findLastIndex((one) => one === undefined) + 1;
  return [edits.slice(0, start), parsed.slice(start).filter((one) => one !== undefined)];
}

function paramEditOf(edit: FileEdit): ParamEdit | undefined {
  if (!('value' in edit)) return undefined;
  const [key, step, params, ...rest] = edit.path;
  const list = LISTS.find((one) => one === key);
  const path = rest.filter((one) => typeof one !== 'object');
  if (!list || typeof step !== 'object' || params !== 'params' || path.length === 0 || path.length < rest.length) {
    return undefined;
  }
  return { edit, list, id: step.id, path };
}

/**
 * The data of a draft that only differs in params, without stored results: its profile has the classes. Undefined if the
 * page does not know a param, or if the server may refuse it.
 */
export function withParamEdits(data: StudioData, edits: readonly ParamEdit[]): StudioData | undefined {
  const next = edits.reduce<StudioData | undefined>((now, edit) => now && withParamEdit(now, edit), data);
  const profile = next && classProfile(next, NOTHING_SET);
  return profile && { ...next, profile, scores: {}, refusals: {} };
}

function withParamEdit(data: StudioData, { edit, list, id, path }: ParamEdit): StudioData | undefined {
  const { editing, controls, curves } = data;
  const { value } = edit;
  if (!editing || entryIn(data, list, id)?.['class'] === undefined) return undefined;
  const key = paramsKey(list, id);
  const fields = editing.params[key] ?? [];
  const document = withEdit(editing.document, edit.path, value);
  const curve = curves[id];
  if (!isJsonMap(document)) return undefined;
  if (curve && isPoints(path, value)) {
    const changed = { ...editing, document };
    return { ...data, editing: changed, curves: { ...curves, [id]: { ...curve, points: value } } };
  }
  const field = fields.find((one) => isSamePath(one.path, path));
  if (!field || field.readOnly === true || field.choices || curve || !isSameType(field.value, value)) return undefined;
  const { isUnset: _, ...known } = field;
  const withValue = fields.map((one) => (one === field ? { ...known, value } : one));
  const params = { ...editing.params, [key]: withValue };
  const ownControls = controls[id]?.map((one) =>
    isSamePath([one.name], path) && typeof value === 'number' ? { ...one, value } : one,
  );
  return {
    ...data,
    editing: { ...editing, document: document satisfies JsonMap, params },
    ...(ownControls && { controls: { ...controls, [id]: ownControls } }),
  };
}

const isSamePath = (a: ParamField['path'], b: ParamField['path']): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Values of another type may change which params there are, as other choices may. */
const isSameType = (before: ParamField['value'], value: JsonData): value is string | number | boolean =>
  !Array.isArray(before) && typeof value === typeof before;

const isPoints = (path: ParamField['path'], value: JsonData): value is CurvePoints =>
  path.length === 1 &&
  path[0] === 'points' &&
  Array.isArray(value) &&
  value.every((point) => Array.isArray(point) && point.length === 2 && point.every(Number.isFinite));
