import type { Edit, Edited } from '../add/edited.js';
import { Menu } from '../parts/menu.js';
import { useExpert } from '../parts/expert.js';

/** What can be added to a recipe, by the title of its button. */
const TITLES: readonly (readonly [title: string, edited: Edited])[] = [
  ['Criterion', 'criterion'],
  ['Removal', 'removal'],
  ['Boost', 'boost'],
];

/** What fewer profiles have. */
const MORE: typeof TITLES = [
  ['Limit per group', 'limit'],
  ['Variety', 'variety'],
  ['Budget', 'budget'],
  ['Weights by group', 'weights by group'],
  ['Named value', 'value'],
  ['How scores combine', 'combination'],
  ['Measure', 'measure'],
  ['Signal', 'signal'],
  ['Order of the shown items', 'order'],
  ['Strategy', 'strategy'],
  ['Report', 'report'],
  ['Other kind of criterion', 'other criterion'],
  ['Other kind of removal', 'other removal'],
  ['Another part', 'other part'],
];

/** The keys of a profile and of its selection that a dialog writes whole: with it, its sentence has the button. */
const KEYS: Readonly<Partial<Record<Extract<Edited, string>, string>>> = {
  limit: 'per',
  variety: 'diversify',
  budget: 'pack',
  'weights by group': 'weights',
  combination: 'combine',
  order: 'place',
};

interface AddButtonsProps {
  readonly edit: Edit;
  /** The keys of the profile and of its selection: these are edited in their sentences. */
  readonly written: ReadonlySet<string>;
}

/** The buttons that add something to the recipe. They stay in view while it scrolls. */
export function AddButtons({ edit, written }: AddButtonsProps) {
  const expert = useExpert();
  const isWritten = (edited: Edited): boolean => typeof edited === 'string' && written.has(KEYS[edited] ?? '');
  const buttons = (titles: typeof TITLES) =>
    titles
      .filter(([, edited]) => !isWritten(edited))
      .map(([title, edited]) => (
        <button key={title} type="button" onClick={() => edit(edited)}>
          <span aria-hidden="true">+ </span>
          {title}
        </button>
      ));
  return (
    <div class="add-buttons" role="group" aria-label="Add to the recipe">
      {buttons(TITLES)}
      {expert && (
        <button type="button" onClick={() => edit('text')}>
          Text of the file
        </button>
      )}
      <Menu
        title={
          <>
            More<span class="visually-hidden"> to add</span>
          </>
        }
      >
        <div class="more">{buttons(MORE)}</div>
      </Menu>
    </div>
  );
}
