import type { Step } from '../../save/data-edit.js';
import type { NamedList } from '../settings/structure.js';
import type { EntryKindName } from './entry-kinds.js';

/** The dialogs that need no more than their name. */
export type DialogName =
  | 'criterion'
  | 'removal'
  | 'boost'
  | 'limit'
  | 'variety'
  | 'selection'
  | 'budget'
  | 'weights by group'
  | 'value'
  | 'combination'
  | 'any entry'
  | 'other part';

/** The subject of a dialog: something new, a part of the profile, an entry, a named value, or the text of the file. */
export type Edited =
  | DialogName
  | EntryKindName
  | 'text'
  | { readonly text: readonly Step[] }
  | { readonly list: NamedList; readonly id: string }
  | { readonly value: string }
  | { readonly part: readonly string[] };

/** Opens the dialog that edits something. */
export type Edit = (edited: Edited) => void;
