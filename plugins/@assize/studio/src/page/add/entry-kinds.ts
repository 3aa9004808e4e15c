import type { ClassForm } from '../../data/studio-data.js';
import type { FileEdit, JsonMap, Step } from '../../save/data-edit.js';

/** A part of a profile that a class computes, and that a person adds by choosing a method. */
export interface EntryKind {
  readonly title: string;
  readonly action: string;
  /** What it is for, in a sentence. */
  readonly about: string;
  /** The kind of its classes. */
  readonly of: ClassForm['kind'];
  /** The place in the profile: a list, or a key of the selection. */
  readonly path: readonly string[];
  /** Whether it can also be an expression, or can do without a class. */
  readonly without?: 'expression' | 'nothing';
  /** What more a new entry has. */
  readonly more?: JsonMap;
}

export const ENTRY_KINDS = {
  measure: {
    title: 'Add a measure',
    action: 'Add measure',
    about:
      'A measure is a number of each item. It does not count in the score, but removals, boosts and calculations can read it.',
    of: 'scorer',
    path: ['measures'],
    without: 'expression',
  },
  signal: {
    title: 'Add a signal',
    action: 'Add signal',
    about:
      'A signal is one value for the whole list, such as the words of a search. Criteria, removals and boosts can read it.',
    of: 'signal',
    path: ['signals'],
  },
  strategy: {
    title: 'Add a strategy',
    action: 'Add strategy',
    about: 'A strategy makes items if a request has no items. This page shows given items, so its list stays the same.',
    of: 'generator',
    path: ['strategies'],
    without: 'nothing',
  },
  report: {
    title: 'Add a report',
    action: 'Add report',
    about:
      'A report says something about the whole ranking, such as the next best items. This page does not compute it; “assize rank” prints it.',
    of: 'report',
    path: ['report'],
  },
  order: {
    title: 'Order of the shown items',
    action: 'Add order',
    about:
      'The items above the cut are put in another order, for example so that items of one group are not next to each other.',
    of: 'selector',
    path: ['select', 'place'],
  },
  'other criterion': {
    title: 'Add a criterion of another kind',
    action: 'Add criterion',
    about:
      'A criterion gives each item a number. This is the list of all methods; the usual ones are under “Criterion”.',
    of: 'scorer',
    path: ['tier2_scorers'],
    more: { weight: 1 },
  },
  'other removal': {
    title: 'Add a removal of another kind',
    action: 'Add removal',
    about: 'Removes items by a method, such as those that are too similar to a better one.',
    of: 'veto',
    path: ['tier1_scorers'],
  },
} as const satisfies Readonly<Record<string, EntryKind>>;

export type EntryKindName = keyof typeof ENTRY_KINDS;

/** The method that a new entry uses. */
export type Method = { readonly expr: string } | { readonly class: string; readonly params: JsonMap } | 'nothing';

/** The edit that adds an entry. */
export function newEntryEdit(kind: EntryKind, id: string, label: string, method: Method): FileEdit {
  const { path, of, more } = kind;
  const isInList = path.length === 1;
  const use: JsonMap =
    method === 'nothing'
      ? {}
      : 'expr' in method
        ? { expr: method.expr }
        : { class: method.class, ...(Object.keys(method.params).length > 0 && { params: method.params }) };
  if (!isInList) return { path, value: use };
  const used = of === 'generator' && method !== 'nothing' ? { focus: use } : use;
  const named = of !== 'generator' && label !== '' && { label };
  const at: readonly Step[] = [...path, { id }];
  return { path: at, value: { id, ...named, ...used, ...more } };
}
