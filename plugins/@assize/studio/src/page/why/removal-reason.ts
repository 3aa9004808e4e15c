import { groupIn, groupWords } from '../add/condition-groups.js';
import { fieldFacts } from '../add/field-facts.js';
import { pathText } from '../add/field-text.js';
import type { StudioModel } from '../model/studio-model.js';
import { formatExact, formatValue } from '../parts/format.js';
import { entriesOf, LISTS } from '../settings/settings.js';

/** The condition of an entry in words, as in the dialog that edits it: `genre is “Drama”`. Undefined if it has no words. */
export function conditionOfEntry({ data }: StudioModel, id: string): string | undefined {
  const entry = LISTS.flatMap((list) => entriesOf(data.profile, list)).find((one) => one['id'] === id);
  const written = entry?.['expr'] ?? entry?.['when'];
  const text = typeof written === 'string' ? written : '';
  const group = text === '' ? undefined : groupIn(text, fieldFacts(data.candidates));
  return group && groupWords(group);
}

/** A reason of a class that compares a number with a bound: `8778 is below 10000`. */
const OUT_OF_BOUNDS = /^(-?\d[\d.e+-]*) is (below|above) (-?\d[\d.e+-]*)$/;

/** The same with its field: `IMDB Votes is 8,778, below 10,000`. Undefined for other reasons, and if the field is unknown. */
function boundsReason({ data }: StudioModel, by: string, reason: string): string | undefined {
  const [, value, relation, bound] = OUT_OF_BOUNDS.exec(reason) ?? [];
  const path = Object.hasOwn(data.bounded, by) ? data.bounded[by] : undefined;
  const field = fieldFacts(data.candidates).find(({ keys }) => pathText(keys) === path);
  if (!field || value === undefined || relation === undefined || bound === undefined) return undefined;
  // With all digits of the reason, because rounded numbers may look equal.
  const [is, limit] = [value, bound].map((text) =>
    Number.isInteger(Number(text)) ? formatValue(Number(text), field.name) : formatExact(Number(text)),
  );
  return `${field.name} is ${is}, ${relation} ${limit}`;
}

/** Why an item was removed: in words if the reason is an expression that has words, or a number without its field. */
export function removalReason(
  model: StudioModel,
  { by, reason }: { readonly by: string; readonly reason: string },
): string {
  const isExpression = /candidate[.[]/.test(reason);
  return (isExpression ? conditionOfEntry(model, by) : boundsReason(model, by, reason)) ?? reason;
}
