import { conditionIn, conditionWords } from '../add/conditions.js';
import { fieldFacts } from '../add/field-facts.js';
import type { StudioModel } from '../model/studio-model.js';
import { entriesOf, LISTS } from '../settings/settings.js';

/** The condition of an entry in words, as in the dialog that edits it: `genre is “Drama”`. Undefined if it has no words. */
export function conditionOfEntry({ data }: StudioModel, id: string): string | undefined {
  const entry = LISTS.flatMap((list) => entriesOf(data.profile, list)).find((one) => one['id'] === id);
  const written = entry?.['expr'] ?? entry?.['when'];
  const text = typeof written === 'string' ? written : '';
  const condition = text === '' ? undefined : conditionIn(text, fieldFacts(data.candidates));
  return condition && conditionWords(condition);
}

/** Why an item was removed, in words if the reason of the engine is an expression that has words. */
export function removalReason(
  model: StudioModel,
  { by, reason }: { readonly by: string; readonly reason: string },
): string {
  const isExpression = /candidate[.[]/.test(reason);
  return (isExpression ? conditionOfEntry(model, by) : undefined) ?? reason;
}
