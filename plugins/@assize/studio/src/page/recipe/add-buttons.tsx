import type { Edit, Edited } from '../add/edit-dialog.js';
import { useExpert } from '../parts/expert.js';

/** What can be added to a recipe, by the title of its button. */
const TITLES: readonly (readonly [title: string, edited: Edited])[] = [
  ['Criterion', 'criterion'],
  ['Removal', 'removal'],
  ['Boost', 'boost'],
  ['Limit per group', 'limit'],
  ['Variety', 'variety'],
];

interface AddButtonsProps {
  readonly edit: Edit;
  /** The keys of the selection that the profile has: these are edited in their sentences. */
  readonly written: ReadonlySet<string>;
}

/** The buttons that add something to the recipe. */
export function AddButtons({ edit, written }: AddButtonsProps) {
  const expert = useExpert();
  const isWritten = (edited: Edited): boolean =>
    (edited === 'limit' && written.has('per')) || (edited === 'variety' && written.has('diversify'));
  return (
    <div class="add-buttons" role="group" aria-label="Add to the recipe">
      {TITLES.filter(([, edited]) => !isWritten(edited)).map(([title, edited]) => (
        <button key={title} type="button" onClick={() => edit(edited)}>
          <span aria-hidden="true">+ </span>
          {title}
        </button>
      ))}
      {expert && (
        <button type="button" onClick={() => edit('text')}>
          Text of the file
        </button>
      )}
    </div>
  );
}
