import { type FileEdit, isJsonMap, type JsonData, scalarText, type Step, valueAt } from '../../save/data-edit.js';
import { budgetWords, fieldOf, groupWords, varietyWords } from '../add/selection-words.js';
import type { StudioModel } from '../model/studio-model.js';
import { inWords, listed, plainName } from '../parts/in-words.js';
import { paramText, scalarWords } from '../recipe/param-words.js';
import { entryIn, type NamedList, selectionIn } from '../settings/structure.js';

const KINDS: Readonly<Record<NamedList, string>> = {
  tier1_scorers: 'removal',
  measures: 'measure',
  tier2_scorers: 'criterion',
  adjustments: 'boost',
  signals: 'signal',
  strategies: 'strategy',
  report: 'report',
};

const isList = (step: Step | undefined): step is NamedList => typeof step === 'string' && Object.hasOwn(KINDS, step);

/** The words for some keys of entries; others are named as they are. */
const KEYS: Readonly<Record<string, string>> = { label: 'name', expr: 'expression', when: 'condition' };

/** A structural edit in words: `Added criterion “Newer”`. */
export function editWords(model: StudioModel, edit: FileEdit): string {
  if ('text' in edit) return 'Changed the text of the file';
  const [list, step, ...keys] = edit.path;
  const value = 'value' in edit ? edit.value : undefined;
  if (list === 'select' && step === 'pack') return budgetEdit(model, keys, value);
  if (list === 'select' && typeof step === 'string' && keys.length === 0) return selectionWords(model, step, value);
  if (isList(list) && typeof step === 'object') {
    const name = `${KINDS[list]} “${entryName(model, list, step.id, value)}”`;
    const saved = entryIn(model.saved, list, step.id);
    if (keys.length > 0) {
      const before = valueAt(saved, keys);
      const param = keys[0] === 'params' && value !== undefined ? paramEditText(keys, value) : undefined;
      if (param !== undefined) return `${entryName(model, list, step.id, value)}: ${param}${was(before, value)}`;
      return `Changed ${name}: ${keyWords(keys)} ${value === undefined ? 'is removed' : `is ${valueWords(value)}`}${was(before, value)}`;
    }
    return `${value === undefined ? 'Deleted' : saved ? 'Changed' : 'Added'} ${name}`;
  }
  return partWords(model, edit.path, value);
}

/** An edit of another part of the profile: `Changed the named value “free”: candidate.cpu / 2`. */
function partWords(model: StudioModel, path: readonly Step[], value: JsonData | undefined): string {
  const [key, ...keys] = path.filter((one) => typeof one === 'string');
  const before = valueAt(model.saved.editing?.document, path);
  const verb = value === undefined ? 'Removed' : before === undefined ? 'Added' : 'Changed';
  const text = value === undefined ? '' : `: ${valueWords(value)}${was(before, value)}`;
  if (key === 'let' && keys.length === 1) return `${verb} the named value “${keys[0]}”${text}`;
  if (key === 'combine') return `${verb} how scores combine${typeof value === 'object' ? '' : text}`;
  if (key === 'weights') {
    const [, group, id] = keys;
    if (id !== undefined) return `${verb} the weight of ${plainName(model, id)} for ${group}${text}`;
    return group === undefined ? `${verb} the weights by group` : `${verb} the weights for ${group}`;
  }
  const words = [key ?? '', ...keys].map((one, k) => (k === 0 ? inWords(one) : inWords(one).toLowerCase()));
  return `${verb} ${words.join(', ')}${text}`;
}

/** A budget after an edit of it, or of one of its values. */
function budgetEdit(model: StudioModel, keys: readonly Step[], value: JsonData | undefined): string {
  if (value === undefined) return 'Removed the budget';
  const before = valueAt(selectionIn(model.saved)['pack'], keys);
  if (keys.length === 0) return budgetWords(value);
  return `The budget: ${keyWords(keys)} is ${valueWords(value)}${was(before, value)}`;
}

function selectionWords(model: StudioModel, key: string, value: JsonData | undefined): string {
  const before = selectionIn(model.saved)[key];
  if (key === 'per') return value === undefined ? 'Removed the limit per group' : `${groupWords(value)} are shown`;
  if (key === 'diversify') return value === undefined ? 'Removed the variety' : varietyWords(value);
  if (key === 'top')
    return `${value === undefined ? 'All are shown' : `The top ${valueWords(value)} are shown`}${was(before, value)}`;
  if (key === 'duplicates')
    return value === undefined
      ? 'Items with the same values are all shown'
      : `Of the items with the same ${fieldsIn(value)}, only the best one is shown`;
  if (key === 'ties')
    return value === undefined ? 'Removed the order of equal scores' : `Equal scores are ordered by ${fieldsIn(value)}`;
  const name = key === 'min_score' ? 'least score' : inWords(key).toLowerCase();
  return value === undefined
    ? `Removed the ${name}${was(before, value)}`
    : `The ${name} is ${valueWords(value)}${was(before, value)}`;
}

/** The fields that a value names; otherwise `value`. */
const fieldsIn = (value: JsonData): string => listed([value].flat().map(fieldOf).filter(Boolean)) || 'value';

/** The label in the edit or in one of the profiles, or the id in words. */
function entryName(model: StudioModel, list: NamedList, id: string, value: JsonData | undefined): string {
  const known = [isJsonMap(value) ? value : undefined, entryIn(model.data, list, id), entryIn(model.saved, list, id)];
  const label = known.map((entry) => scalarText(entry?.['label'])).find((text) => text !== '');
  return label ?? plainName(model, id);
}

const keyWords = (keys: readonly Step[]): string => {
  const names = keys.filter((key): key is string => typeof key === 'string');
  const last = names.at(-1) ?? '';
  return KEYS[last] ?? inWords(last).toLowerCase();
};

/** A param in the words of its sentence in the recipe. Undefined if it is in a list, or if it is a list or a map. */
function paramEditText(keys: readonly Step[], value: JsonData): string | undefined {
  const [name, words] = [keys.at(-1), scalarWords(value)];
  return typeof name === 'string' && words !== undefined ? paramText(name, words) : undefined;
}

const valueWords = (value: JsonData): string => scalarWords(value) ?? 'changed';

const was = (before: JsonData | undefined, now: JsonData | undefined): string =>
  before === undefined || typeof before === 'object' || before === now ? '' : ` (was ${valueWords(before)})`;
