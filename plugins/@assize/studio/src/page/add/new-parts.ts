import type { JsonData } from '../../save/data-edit.js';
import type { StudioModel } from '../model/studio-model.js';

/** A part of a profile that few profiles have. */
export interface NewPart {
  readonly path: readonly string[];
  /** The name for people. */
  readonly title: string;
  /** What it does, in a sentence. */
  readonly about: string;
  /** The form: a field, a list with a field, a condition, a calculation with a name, or the fields of a first value. */
  readonly form:
    | 'field'
    | 'fields'
    | 'condition'
    | 'named'
    | { readonly first: (model: StudioModel) => JsonData }
    | { readonly none: string };
}

/** Why maps with names of their own have no form. */
const OWN_NAMES =
  'It is a table whose names you choose, so a form cannot know its rows. Write it in the text of the file.';
const OUTSIDE =
  'It names files or packages on this computer. A page may not add these: edit the file with an editor; the page then loads it again.';

export const NEW_PARTS: readonly NewPart[] = [
  {
    path: ['select', 'duplicates'],
    title: 'Show similar items once',
    about: 'Of the items with the same value of a field, only the best one is shown.',
    form: 'field',
  },
  {
    path: ['select', 'ties'],
    title: 'Order of equal scores',
    about: 'Items with the same score are ordered by a field, the lowest first.',
    form: 'fields',
  },
  {
    path: ['select', 'seed'],
    title: 'Random order of equal scores',
    about: 'Items with the same score are in a random order. The same number gives the same order.',
    form: { first: () => 1 },
  },
  {
    path: ['candidate', 'pinned'],
    title: 'Always show some items',
    about: 'Items that meet the condition are shown whatever their score, unless a rule removes them.',
    form: 'condition',
  },
  {
    path: ['stats'],
    title: 'Statistic of all items',
    about: 'Least, greatest, sum, mean and spread of a number over all items. Calculations read it as stats.NAME.mean.',
    form: 'named',
  },
  {
    path: ['on_unscored'],
    title: 'Score of items without data',
    about: 'Items for which no criterion has data get this score. Without it, they are removed.',
    form: { first: () => 0 },
  },
  {
    path: ['veto_on_first'],
    title: 'Reasons of removals',
    about: 'Switched off, all rules are checked, so that a removed item has every reason and not only the first.',
    form: { first: () => false },
  },
  {
    path: ['defaults'],
    title: 'If a field is absent',
    about:
      'What criteria do if an item has no data: skip leaves the criterion out of its score, refuse removes the item, and a number is used as the score.',
    form: { first: () => ({ on_absent: 'skip' }) },
  },
  {
    path: ['fallback'],
    title: 'If nothing is left to show',
    about: 'The id of an item, or the name of a strategy, that is used instead. This page does not run it.',
    form: { first: (model) => [{ use: model.idOf(0) }] },
  },
  {
    path: ['rerank'],
    title: 'Slow criteria last',
    about: 'Slow criteria are computed only for the best items by the other criteria. This page computes all.',
    form: { first: ({ scorers }) => ({ top: 100, ask: scorers.slice(-1).map(({ id }) => id) }) },
  },
  {
    path: ['description'],
    title: 'Description',
    about: 'One line about the purpose of the profile.',
    form: { first: () => 'Our ranking' },
  },
  {
    path: ['expression_steps'],
    title: 'Limit of calculations',
    about: 'The most steps of a calculation for one item.',
    form: { first: () => 1_000_000 },
  },
  {
    path: ['fields'],
    title: 'Other names of fields',
    about: 'Reads a field by another name.',
    form: { none: OWN_NAMES },
  },
  {
    path: ['context'],
    title: 'Facts of a request',
    about: 'What a request must say, such as the words of a search.',
    form: { none: OWN_NAMES },
  },
  {
    path: ['phases'],
    title: 'Phases of a conversation',
    about: 'Names for the first turns of a conversation, and the later ones.',
    form: { none: OWN_NAMES },
  },
  {
    path: ['phase_profiles'],
    title: 'Factors by phase',
    about: 'How much each strategy counts in a phase.',
    form: { none: OWN_NAMES },
  },
  {
    path: ['serve'],
    title: 'Use by a server',
    about: 'How “assize serve” reads requests.',
    form: { none: 'It has no effect on the list in this page. Write it in the text of the file.' },
  },
  {
    path: ['extends'],
    title: 'Based on another profile',
    about: 'Takes over all parts of other profiles.',
    form: { none: OUTSIDE },
  },
  {
    path: ['plugins'],
    title: 'Plugins',
    about: 'More methods for criteria, removals and signals.',
    form: { none: OUTSIDE },
  },
];
