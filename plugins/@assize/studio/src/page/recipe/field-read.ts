import type { StudioModel } from '../model/studio-model.js';
import { isMap } from '../../data/studio-data.js';
import { plainName } from '../parts/in-words.js';
import { entriesOf } from '../settings/settings.js';
import { entryIn } from '../settings/structure.js';

/** A longer name does not fit next to that of the criterion. */
const LONG = 11;

/** The only field that a criterion reads, if its name is short and says more than the name of the criterion. */
export function fieldRead(model: StudioModel, id: string): string | undefined {
  const list = 'tier2_scorers';
  // The ranked profile has stored scores instead of classes.
  const written = entryIn(model.data, list, id) ?? entriesOf(model.data.profile, list).find((one) => one['id'] === id);
  const fields = new Set(fieldsIn(written));
  const [field] = fields;
  if (fields.size !== 1 || field === undefined || field.length > LONG) return undefined;
  return field.toLowerCase() === plainName(model, id).toLowerCase() ? undefined : field;
}

/** The fields in expressions, and in the param `field`. */
function fieldsIn(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') {
    if (key === 'field' || key === 'fields') return [value];
    const found = value.matchAll(/\bcandidate(?:\.(\w+)|\["([^"]+)"\])/g);
    return [...found].flatMap(([, name, quoted]) => name ?? quoted ?? []);
  }
  if (Array.isArray(value)) return value.flatMap((one: unknown) => fieldsIn(one, key));
  return isMap(value) ? Object.entries(value).flatMap(([inner, one]) => fieldsIn(one, inner)) : [];
}
