import { isMap, type StudioData } from '../../data/studio-data.js';
import { entriesOf, LISTS, type Settings } from '../settings/settings.js';
import { jsonIn, linkTo, type OpenedState, stateOf, stateFrom } from './link.js';
import type { StudioModel } from './studio-model.js';

/** The kind of the file, and the version of its format. */
const FORMAT = 'assize-studio-changes';

/** A file of changes: the settings, and their profile. */
interface ChangesFile {
  readonly format: typeof FORMAT;
  readonly profile: { readonly title: string; readonly entries: readonly string[] };
  readonly version?: string;
  readonly settings: Settings;
}

/**
 * The longest address to copy, in characters. RFC 9110 recommends that software supports addresses of 8,000 octets, and
 * mail and chat programs break longer ones.
 */
const LONGEST_LINK = 8000;

/** Whether the changes of a page fit into a link. */
export const fitsInLink = (model: StudioModel): boolean => linkTo(model, location.href).length <= LONGEST_LINK;

/** The changes of a page as a file, for those that are too long for a link. */
export function changesFile(model: StudioModel): Blob {
  const { saved } = model;
  const file: ChangesFile = {
    format: FORMAT,
    profile: { title: saved.title, entries: entryIds(saved) },
    ...stateOf(model),
  };
  return new Blob([`${JSON.stringify(file, undefined, 2)}\n`], { type: 'application/json' });
}

/**
 * The changes in a file for a profile.
 *
 * @throws Error if the text is not such a file, or if it is for another profile
 */
export function changesIn(text: string, name: string, saved: StudioData): OpenedState {
  const found = jsonIn(text);
  if (!isMap(found) || found['format'] !== FORMAT) {
    throw new Error(
      `${name} is not a file of changes: expected a file that “Download changes” of the studio has written`,
    );
  }
  const state = stateFrom(found, `${name} is damaged, so its changes are not applied`);
  const { title, entries } = isMap(found['profile']) ? found['profile'] : {};
  const isSame = state.version !== undefined && state.version === saved.file?.version; // also under another name
  if (!isSame && title !== saved.title) {
    throw new Error(`${name} has changes of the profile ${String(title)}; this page shows ${saved.title}`);
  }
  const own = entryIds(saved);
  const named = Array.isArray(entries) ? entries.map(String) : [];
  if (!isSame && named.length > 0 && !named.some((id) => own.includes(id))) {
    throw new Error(
      `${name} has changes of another profile with the name ${saved.title}: this one has no entry ${named.slice(0, 3).join(', ')}`,
    );
  }
  return state;
}

const entryIds = ({ profile }: StudioData): readonly string[] =>
  LISTS.flatMap((list) => entriesOf(profile, list)).map(({ id }) => String(id));
